/** The gateway behind a session, and so where in the tree of topics it stands. */
export interface GatewayIdentity {
  readonly tenantId: number
  readonly tenantUid: string
  readonly gatewayId: string
  /** It may subscribe only: what it publishes is dropped. */
  readonly isReader?: boolean
}

const PREFIX = 'ems/v1/'

/** The topics of all gateways of a tenant lie below it; ends in a slash. */
export const tenantRootOf = (tenantUid: string): string => `${PREFIX}${tenantUid}/`

/** Everything of a gateway lies below it; ends in a slash. */
export const rootOf = ({ tenantUid, gatewayId }: Pick<GatewayIdentity, 'tenantUid' | 'gatewayId'>): string =>
  `${tenantRootOf(tenantUid)}${gatewayId}/`

/** A topic or filter as the gateway writes it, with its root before it unless it is there already. */
export const underRoot = (root: string, topic: string): string =>
  topic.startsWith(root) ? topic : root + topic

/** The topics of MQTT itself ($SYS, $share) are nobody's here. */
export const isReserved = (topic: string): boolean => topic.startsWith('$')

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const BELOW_A_ROOT = new RegExp(`^ems/v1/(${UUID})/(${UUID})/(.+)$`, 's')

export interface TopicParts {
  readonly tenantUid: string
  readonly gatewayId: string
  /** Below the root. */
  readonly rest: string
}

/** Takes a whole topic apart; undefined when it lies below no gateway's root. */
export function partsOfTopic(topic: string): TopicParts | undefined {
  const [, tenantUid, gatewayId, rest] = BELOW_A_ROOT.exec(topic) ?? []
  if (!tenantUid || !gatewayId || !rest) return undefined
  return { tenantUid, gatewayId, rest }
}

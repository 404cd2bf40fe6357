import { isUuid } from '../../../../kernel/uuid.ts'
import { type SystemDb, systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { UNMATCHED_WEBHOOKS_SHOWN_MS } from '../limits.ts'
import { type BrokerClient, type BrokerEvent, decodeWebhook, type WebhookRequest } from './decode-webhook.ts'
import { applyEvent } from './session-state.ts'
import {
  findByBrokerNames,
  findByClient,
  type GatewayMatch,
  recordClient,
  updateState,
} from './session-state-store.ts'

const ROOT = /^ems\/v1\/([^/]+)\/([^/]+)\/?$/

const uuidsIn = (names: readonly (string | undefined)[]): string[] =>
  names.filter(isUuid).map((name) => name.toLowerCase())

/**
 * Finds the gateway of a session. The broker has verified mountpoint and user name; the client id is chosen
 * by the client, so it is checked last. A client id that several gateways have is ignored.
 */
function matchGateway(
  client: BrokerClient,
  matches: readonly GatewayMatch[],
  remembered: GatewayMatch | undefined,
): GatewayMatch | undefined {
  const [, tenantUid, rootId] = ROOT.exec(client.mountpoint ?? '') ?? []
  const mounted = matches.find((match) => match.gatewayId === rootId && match.tenantUid === tenantUid)
  const matchName = (name: string | undefined): GatewayMatch | undefined => {
    if (name === undefined) return undefined
    const own = matches.find(({ gatewayId }) => gatewayId === name.toLowerCase())
    const named = matches.filter(({ clientId }) => clientId === name)
    return own ?? (named.length === 1 ? named[0] : undefined)
  }
  return mounted ?? matchName(client.username) ?? remembered ?? matchName(client.clientId)
}

/** Counts webhook calls about clients that are no gateways, which shows a wrong configuration of the broker. */
export interface UnmatchedCalls {
  add(): void
  /** The sentence for /readiness. */
  notes(): string[]
}

export function countUnmatchedCalls({ clock }: Pick<Deps, 'clock'>): UnmatchedCalls {
  let count = 0
  let lastAt = Number.NEGATIVE_INFINITY
  const isOver = () => clock.now() - lastAt > UNMATCHED_WEBHOOKS_SHOWN_MS
  return {
    add() {
      if (isOver()) count = 0
      count += 1
      lastAt = clock.now()
    },
    notes() {
      if (isOver()) return []
      const at = new Date(lastAt).toISOString()
      return [`${count} webhook calls of the message broker matched no gateway, the last one at ${at}`]
    },
  }
}

/** The service's own connections to the broker, which the broker reports as well. */
const isOwnClient = ({ clientId }: BrokerClient): boolean => /^netsaat-(link|ingest)-/.test(clientId ?? '')

/**
 * Brokers such as VerneMQ name only the client id of a disconnection. An event with a user name is matched by it, and
 * never by a client id of the past.
 */
async function findRemembered(db: SystemDb, { clientId, username, mountpoint = '' }: BrokerClient) {
  return clientId === undefined || username !== undefined
    ? undefined
    : findByClient(db, { clientId, mountpoint })
}

async function applyBrokerEvent(
  deps: Deps,
  { client, event }: BrokerEvent,
  unmatched: UnmatchedCalls,
): Promise<void> {
  const { clientId, username, mountpoint } = client
  const [, , rootId] = ROOT.exec(mountpoint ?? '') ?? []
  const db = systemDb(deps.database.kysely)
  const matches = await findByBrokerNames(db, {
    ids: uuidsIn([rootId, username, clientId]),
    clientIds: [clientId, username].filter((name) => name !== undefined),
  })
  // Client ids are unique within a tenant only: a gateway of an inactive tenant never hides one of an active tenant.
  const active = matches.filter(({ isTenantActive }) => isTenantActive)
  const candidates = active.length > 0 ? active : matches
  const gateway = matchGateway(client, candidates, await findRemembered(db, client))
  if (!gateway) {
    if (!isOwnClient(client)) unmatched.add()
    deps.log.debug({ client, matches: matches.length }, 'a broker reported a client that is not a gateway')
    return
  }
  const now = new Date(deps.clock.now())
  if (event.kind === 'connected' && clientId !== undefined && clientId !== gateway.clientId) {
    await recordClient(db, gateway, {
      clientId,
      mountpoint: mountpoint ?? '',
      connectedAt: new Date(event.at),
    })
  }
  await updateState(db, gateway, { change: (state) => applyEvent(state, event), now })
}

/**
 * Applies a broker's webhook. Undecodable bodies and unknown clients are no errors, because the broker would
 * only repeat them.
 */
export async function handleWebhook(
  deps: Deps,
  request: Omit<WebhookRequest, 'receivedAt'>,
  unmatched: UnmatchedCalls,
): Promise<void> {
  const decoded = decodeWebhook({ ...request, receivedAt: deps.clock.now() })
  if (decoded) await applyBrokerEvent(deps, decoded, unmatched)
}

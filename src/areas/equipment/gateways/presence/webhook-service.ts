import { isUuid } from '../../../../kernel/uuid.ts'
import { systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { type BrokerClient, type BrokerEvent, decodeWebhook, type WebhookRequest } from './decode-webhook.ts'
import { applyEvent } from './session-state.ts'
import { findByBrokerNames, type GatewayMatch, updateState } from './session-state-store.ts'

const ROOT = /^ems\/v1\/([^/]+)\/([^/]+)\/?$/

const uuidsIn = (names: readonly (string | undefined)[]): string[] =>
  names.filter(isUuid).map((name) => name.toLowerCase())

/**
 * Finds the gateway of a session. The broker has verified mountpoint and user name; the client id is chosen
 * by the client, so it is checked last. A client id that several gateways have is ignored.
 */
function matchGateway(client: BrokerClient, matches: readonly GatewayMatch[]): GatewayMatch | undefined {
  const [, tenantUid, rootId] = ROOT.exec(client.mountpoint ?? '') ?? []
  const mounted = matches.find((match) => match.gatewayId === rootId && match.tenantUid === tenantUid)
  if (mounted) return mounted
  for (const name of [client.username, client.clientId]) {
    if (name === undefined) continue
    const own = matches.find(({ gatewayId }) => gatewayId === name.toLowerCase())
    const named = matches.filter(({ clientId }) => clientId === name)
    const found = own ?? (named.length === 1 ? named[0] : undefined)
    if (found) return found
  }
  return undefined
}

async function applyBrokerEvent(deps: Deps, { client, event }: BrokerEvent): Promise<void> {
  const { clientId, username, mountpoint } = client
  const [, , rootId] = ROOT.exec(mountpoint ?? '') ?? []
  const db = systemDb(deps.database.kysely)
  const matches = await findByBrokerNames(db, {
    ids: uuidsIn([rootId, username, clientId]),
    clientIds: [clientId, username].filter((name) => name !== undefined),
  })
  const gateway = matchGateway(client, matches)
  if (!gateway) {
    deps.log.debug({ client, matches: matches.length }, 'a broker reported a client that is not a gateway')
    return
  }
  const now = new Date(deps.clock.now())
  await updateState(db, gateway, { change: (state) => applyEvent(state, event), now })
}

/**
 * Applies a broker's webhook. Undecodable bodies and unknown clients are no errors, because the broker would
 * only repeat them.
 */
export async function handleWebhook(deps: Deps, request: Omit<WebhookRequest, 'receivedAt'>): Promise<void> {
  const decoded = decodeWebhook({ ...request, receivedAt: deps.clock.now() })
  if (decoded) await applyBrokerEvent(deps, decoded)
}

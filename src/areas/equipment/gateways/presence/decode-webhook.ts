import { parseAnyInstant } from '../../../../kernel/time.ts'
import { WEBHOOK_CLOCK_AHEAD_MAX_MS, WEBHOOK_TEXT_MAX } from '../limits.ts'
import type { SessionEvent } from './session-state.ts'

/** The identifiers of a client at a broker. */
export interface BrokerClient {
  readonly clientId: string | undefined
  readonly username: string | undefined
  readonly mountpoint: string | undefined
}

export interface BrokerEvent {
  readonly client: BrokerClient
  readonly event: SessionEvent
}

export interface WebhookRequest {
  /** From the path; an event name in the body takes precedence. */
  readonly kind: SessionEvent['kind']
  readonly body: unknown
  /** Header `vernemq-hook`. */
  readonly hook: string | undefined
  readonly receivedAt: number
}

type Json = Readonly<Record<string, unknown>>

const readText = (json: Json, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = json[name]
    // EMQX 4 writes the text "undefined" for missing values.
    if (typeof value === 'string' && value !== '' && value !== 'undefined')
      return value.slice(0, WEBHOOK_TEXT_MAX)
  }
  return undefined
}

/** Smaller numbers are seconds: versions of EMQX 4 differ in the unit. */
const SECONDS_MAX = 100_000_000_000

/**
 * Reads a time of the broker. A time far in the future is ignored, because it would win against every later
 * session.
 */
function readTime(json: Json, receivedAt: number, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = json[name]
    const at =
      typeof value === 'number' ? value : typeof value === 'string' ? parseAnyInstant(value)?.at : undefined
    if (at === undefined || !Number.isFinite(at) || at <= 0) continue
    const ms = Math.round(at < SECONDS_MAX ? at * 1000 : at)
    if (ms <= receivedAt + WEBHOOK_CLOCK_AHEAD_MAX_MS) return ms
  }
  return undefined
}

/** Event names of EMQX 5 (and its topics), EMQX 4 and VerneMQ. */
const KINDS: Readonly<Record<string, SessionEvent['kind'] | undefined>> = {
  'client.connected': 'connected',
  'client.disconnected': 'disconnected',
  client_connected: 'connected',
  client_disconnected: 'disconnected',
  on_client_connected: 'connected',
  on_client_disconnected: 'disconnected',
  on_register: 'connected',
  on_register_m5: 'connected',
  on_client_wakeup: 'connected',
  on_client_gone: 'disconnected',
  on_client_offline: 'disconnected',
}

/** Undefined for other events, which brokers with a single webhook URL also send. */
function kindOf({ kind, hook }: WebhookRequest, json: Json): SessionEvent['kind'] | undefined {
  const name = hook ?? readText(json, 'event', 'action')
  if (name === undefined) return kind
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
}

function peerOf(json: Json): string | undefined {
  const peername = readText(json, 'peername')
  const { peer_addr: address, peer_port: port } = json
  if (peername !== undefined || typeof address !== 'string' || typeof port !== 'number') return peername
  return `${address}:${port}`.slice(0, WEBHOOK_TEXT_MAX)
}

/**
 * Decodes the webhook body of EMQX 4 and 5, VerneMQ, or our own format `{clientid, username?, timestamp,
 * connected_at?, node?, reason?}`. Undefined for a body without a client or about another event.
 */
export function decodeWebhook(request: WebhookRequest): BrokerEvent | undefined {
  const { body, receivedAt } = request
  if (typeof body !== 'object' || body === null) return undefined
  const json = body as Json
  const kind = kindOf(request, json)
  const client: BrokerClient = {
    clientId: readText(json, 'clientid', 'client_id', 'clientId'),
    username: readText(json, 'username'),
    mountpoint: readText(json, 'mountpoint'),
  }
  if (kind === undefined || (client.clientId === undefined && client.username === undefined)) return undefined
  const connectedAt = readTime(json, receivedAt, 'connected_at')
  const sentAt =
    kind === 'connected'
      ? (connectedAt ?? readTime(json, receivedAt, 'timestamp'))
      : readTime(json, receivedAt, 'disconnected_at', 'timestamp')
  const event: SessionEvent = {
    kind,
    at: sentAt ?? receivedAt,
    isTimed: sentAt !== undefined,
    connectedAt: kind === 'disconnected' ? connectedAt : undefined,
    node: readText(json, 'node'),
    reason: readText(json, 'reason'),
    peer: peerOf(json),
  }
  return { client, event }
}

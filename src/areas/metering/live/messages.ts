import { iso, parseInstant } from '../../../kernel/time.ts'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import type { Sample } from '../intake-contract/index.ts'
import { LIVE_REFUSED_LENGTH_MAX } from './limits.ts'

/** Close codes and reasons as a client sees them: the table of `docs/integrate/live.md`. */
const CLOSE = {
  invalidToken: [4001, 'Invalid token'],
  invalidTicket: [4001, 'Invalid ticket'],
  tokenExpired: [4001, 'Token expired'],
  invalidParameters: [4002, 'Invalid parameters'],
  forbiddenOrigin: [4003, 'Forbidden origin'],
  permissionDenied: [4003, 'Permission denied'],
  noDevices: [4004, 'No such devices'],
  tooManySockets: [1013, 'Too many sockets'],
  tryAgain: [1013, 'Try again later'],
} as const satisfies Record<string, readonly [code: number, reason: string]>
export type CloseReason = keyof typeof CLOSE
/** Code and reason as arguments of `WebSocket.close`. */
export const closeArguments = (reason: CloseReason): readonly [code: number, reason: string] => CLOSE[reason]

export type ErrorCode =
  | 'not_json'
  | 'unknown_type'
  | 'invalid_message'
  | 'too_many_devices'
  | 'too_many_requests'
  | 'gap_not_filled'
  | 'failed'

export interface TruncatedDevice {
  readonly device_id: string
  /** Samples before this instant were left out. */
  readonly from: string
}

/** Messages of the server except samples, whose text is encoded once for all sockets. */
export type ServerMessage =
  | {
      readonly type: 'hello'
      readonly server_time: string
      readonly token_expires_at: string
      readonly devices: readonly string[]
      readonly refused: readonly string[]
    }
  | { readonly type: 'subscribed'; readonly devices: readonly string[]; readonly refused: readonly string[] }
  | { readonly type: 'unsubscribed'; readonly devices: readonly string[] }
  | { readonly type: 'gap_truncated'; readonly since: string; readonly devices: readonly TruncatedDevice[] }
  | { readonly type: 'gap_filled'; readonly since: string; readonly samples: number }
  | { readonly type: 'pong'; readonly server_time: string }
  | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string }

export type ClientMessage =
  | { readonly type: 'ping' | 'pong' }
  | { readonly type: 'subscribe'; readonly devices: readonly string[]; readonly since: number | undefined }
  | { readonly type: 'unsubscribe'; readonly devices: readonly string[] }

/** A client message that cannot be used. The socket stays open. */
export class InvalidMessage extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const invalid = (message: string) => new InvalidMessage('invalid_message', message)

/** Parses a text message; throws InvalidMessage. The bare text `ping` is valid too. */
export function parseClientMessage(text: string): ClientMessage {
  if (text === 'ping') return { type: 'ping' }
  const message = parseObject(text)
  switch (message['type']) {
    case 'ping':
    case 'pong':
      return { type: message['type'] }
    case 'subscribe':
      return { type: 'subscribe', devices: readDevices(message), since: readSince(message['since']) }
    case 'unsubscribe':
      return { type: 'unsubscribe', devices: readDevices(message) }
    default:
      throw new InvalidMessage('unknown_type', 'type is one of ping, pong, subscribe, unsubscribe')
  }
}

function parseObject(text: string): Record<string, unknown> {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    throw new InvalidMessage('not_json', 'a message is a JSON object')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new InvalidMessage('not_json', 'a message is a JSON object')
  }
  return message as Record<string, unknown>
}

function readDevices({ devices }: Record<string, unknown>): readonly string[] {
  if (!Array.isArray(devices) || !devices.every((one) => typeof one === 'string')) {
    throw invalid('devices is a list of device ids')
  }
  return devices
}

function readSince(since: unknown): number | undefined {
  if (since === undefined || since === null) return undefined
  const instant = typeof since === 'string' ? parseInstant(since) : undefined
  if (!instant) throw invalid('since is an ISO 8601 instant')
  return instant.at
}

/** Separates UUIDs (lower case, without duplicates) from malformed ids (as sent, truncated). */
export function partitionIds(texts: readonly string[]): { ids: string[]; malformed: string[] } {
  const ids = new Set<string>()
  const malformed: string[] = []
  for (const text of texts) {
    const id = text.trim().toLowerCase()
    if (LOWER_CASE_UUID.test(id)) ids.add(id)
    else malformed.push(text.slice(0, LIVE_REFUSED_LENGTH_MAX))
  }
  return { ids: [...ids], malformed }
}

/**
 * Encodes a sample as JSON. `skipped`: samples of the device that a slow socket was not sent before this
 * one.
 */
export function encodeSample({ deviceId, at, values }: Sample, skipped = 0): string {
  const head = `{"type":"sample","device_id":"${deviceId}","timestamp":"${iso(at)}"`
  const tail = skipped > 0 ? `,"skipped":${skipped}}` : '}'
  return `${head},"values":${JSON.stringify(values)}${tail}`
}

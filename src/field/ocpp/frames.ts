import { OCPP_ERROR_LENGTH_MAX, OCPP_MESSAGE_ID_LENGTH_MAX } from './limits.ts'
import { storable } from './normalize-payload.ts'

const CALL = 2
const CALL_RESULT = 3
const CALL_ERROR = 4

/** The decoded frame of a station's message (OCPP-J 1.6, 4.2; OCPP 2.0.1 part 4, 4.2). */
export type Frame =
  | Call
  | { readonly kind: 'result'; readonly id: string; readonly payload: unknown }
  | { readonly kind: 'error'; readonly id: string; readonly code: string; readonly description: string }
  | Malformed

export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly action: string
  /** The whole message. */
  readonly text: string
  /** Undefined once a handler has it: thousands of calls wait for their commit at the same time. */
  payload: unknown
}

/** The payload of a call; of one that a handler has, it is parsed once more. */
export function payloadOf({ text, payload }: Call): unknown {
  if (payload !== undefined) return payload
  const frame = readFrame(text)
  return frame.kind === 'call' ? frame.payload : undefined
}

export interface Malformed {
  readonly kind: 'malformed'
  /** The id of the message; undefined where it could not be read. */
  readonly id: string | undefined
  /** An unknown message type, no message at all, or a response to no pending call. */
  readonly fault: 'type' | 'frame' | 'stray'
}

/** The storable part of a text of an error. */
const errorText = (value: unknown): string =>
  typeof value === 'string' ? storable(value.slice(0, OCPP_ERROR_LENGTH_MAX)) : ''

/** Decodes a frame. Never throws. */
export function readFrame(message: string): Frame {
  let parts: unknown
  try {
    parts = JSON.parse(message)
  } catch {
    parts = undefined
  }
  const [type, rawId, third, fourth] = Array.isArray(parts) ? (parts as unknown[]) : []
  const id = isId(rawId) ? rawId : undefined
  if (typeof type !== 'number' || id === undefined) return { kind: 'malformed', id, fault: 'frame' }
  if (type === CALL_RESULT) return { kind: 'result', id, payload: third }
  if (type === CALL_ERROR)
    return { kind: 'error', id, code: errorText(third), description: errorText(fourth) }
  if (type !== CALL) return { kind: 'malformed', id, fault: 'type' }
  if (typeof third !== 'string') return { kind: 'malformed', id, fault: 'frame' }
  // Some stations leave out a payload that would be empty.
  return { kind: 'call', id, action: third, text: message, payload: fourth ?? {} }
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= OCPP_MESSAGE_ID_LENGTH_MAX

export const writeCall = (id: string, action: string, payload: object): string =>
  JSON.stringify([CALL, id, action, payload])
export const writeResult = (id: string, payload: object): string => JSON.stringify([CALL_RESULT, id, payload])
/** `-1` stands for an id that could not be read. */
export const writeError = (id: string | undefined, code: string, description: string): string =>
  JSON.stringify([CALL_ERROR, id ?? '-1', code, description.slice(0, 255), {}])

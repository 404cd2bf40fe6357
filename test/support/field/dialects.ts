import type { DecoderMemory, Message } from '../../../src/field/mqtt/dialects/types.ts'

export const RECEIVED_AT = Date.UTC(2026, 10, 20, 9, 0, 0)

export function makeMemory(): DecoderMemory {
  const stored = new Map<string, unknown>()
  return {
    get: (key) => stored.get(key),
    set: (key, value) => void stored.set(key, value),
    delete: (key) => void stored.delete(key),
  }
}

/** One message to decode; an object is sent as JSON. */
export function message(
  topic: string,
  payload: unknown,
  { receivedAt = RECEIVED_AT, isShared = false, memory = makeMemory() }: Partial<Message> = {},
): Message {
  const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload)
  return {
    topic,
    payload: Buffer.from(isBytes ? payload : JSON.stringify(payload)),
    receivedAt,
    isShared,
    memory,
  }
}

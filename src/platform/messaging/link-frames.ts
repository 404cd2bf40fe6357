import { deflateRawSync, inflateRawSync } from 'node:zlib'
import {
  LINK_COMPRESSED_FROM_BYTES,
  LINK_INCOMPLETE_MAX,
  LINK_MESSAGE_BYTES_MAX,
  LINK_NOTIFICATION_BYTES_MAX,
} from './limits.ts'

/**
 * A message between processes as notifications of PostgreSQL, which are texts of less than 8,000 bytes:
 *
 *   SENDER NUMBER INDEX COUNT ENCODING TOPIC "\n" BODY
 *
 * NUMBER counts the messages of a sender, because PostgreSQL merges equal notifications of a transaction. ENCODING is
 * `t` (the body is the payload, as text), `b` (base64) or `z` (base64 of the deflated payload). The parts of a message
 * are sent by one transaction, so they arrive together and in order.
 */
export interface LinkMessage {
  readonly topic: string
  readonly payload: Buffer
}

const SAFE_TEXT = /^[\x20-\x7e]*$/

function encodePayload(payload: Buffer): { encoding: string; body: string } {
  if (payload.length < LINK_COMPRESSED_FROM_BYTES) {
    const text = payload.toString('latin1')
    return SAFE_TEXT.test(text)
      ? { encoding: 't', body: text }
      : { encoding: 'b', body: payload.toString('base64') }
  }
  return { encoding: 'z', body: deflateRawSync(payload, { level: 1 }).toString('base64') }
}

/** The notifications of a message. Throws for a payload that is too large. */
export function encodeFrames(
  sender: string,
  number: number,
  { topic, payload }: LinkMessage,
): readonly string[] {
  if (payload.length > LINK_MESSAGE_BYTES_MAX) throw new Error('the message is too large for other processes')
  const { encoding, body } = encodePayload(payload)
  const room = LINK_NOTIFICATION_BYTES_MAX - Buffer.byteLength(topic) - sender.length - 64
  const count = Math.max(1, Math.ceil(body.length / room))
  return Array.from({ length: count }, (_, index) => {
    const header = `${sender} ${number} ${index} ${count} ${encoding} ${topic}`
    return `${header}\n${body.slice(index * room, (index + 1) * room)}`
  })
}

const HEADER = /^(\S+) (\d+) (\d+) (\d+) ([tbz]) (.*)$/

function decodePayload(encoding: string, body: string): Buffer {
  if (encoding === 't') return Buffer.from(body, 'latin1')
  const bytes = Buffer.from(body, 'base64')
  return encoding === 'z' ? inflateRawSync(bytes, { maxOutputLength: LINK_MESSAGE_BYTES_MAX }) : bytes
}

/** Puts the parts of messages of other processes together. Malformed notifications are ignored. */
export function makeFrameReader(ownSender: string) {
  const incomplete = new Map<string, string[]>()
  return (frame: string): LinkMessage | undefined => {
    const end = frame.indexOf('\n')
    const [, sender = '', number, index, count, encoding = '', topic = ''] =
      HEADER.exec(frame.slice(0, Math.max(0, end))) ?? []
    if (sender === '' || sender === ownSender) return undefined
    const key = `${sender} ${number}`
    const parts = incomplete.get(key) ?? []
    if (Number(index) !== parts.length) return void incomplete.delete(key)
    parts.push(frame.slice(end + 1))
    incomplete.delete(key)
    if (parts.length < Number(count)) {
      incomplete.set(key, parts)
      const [oldest] = incomplete.keys()
      if (incomplete.size > LINK_INCOMPLETE_MAX && oldest !== undefined) incomplete.delete(oldest)
      return undefined
    }
    try {
      return { topic, payload: decodePayload(encoding, parts.join('')) }
    } catch {
      return undefined
    }
  }
}

import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LINK_INCOMPLETE_MAX, LINK_MESSAGE_BYTES_MAX, LINK_NOTIFICATION_BYTES_MAX } from './limits.ts'
import { encodeFrames, makeFrameReader } from './link-frames.ts'

const topic = 'netsaat/live/1'

/** The messages that another process reads from frames. */
const read = (frames: readonly string[]) => {
  const reader = makeFrameReader('reader')
  return frames.flatMap((frame) => reader(frame) ?? [])
}

describe('frames of messages between processes', () => {
  it.each([
    ['an empty message', Buffer.alloc(0)],
    ['a short text', Buffer.from('{"a":"b"}')],
    ['line breaks and quotes', Buffer.from('{"a":"b\n\'"}\n')],
    ['text with other letters', Buffer.from('güneş santrali €')],
    ['bytes', Buffer.from([0, 255, 10, 13, 128])],
    ['a long text', Buffer.from('{"power":12.5}'.repeat(5_000))],
    ['many bytes that cannot be compressed', randomBytes(100_000)],
    ['the largest message', randomBytes(LINK_MESSAGE_BYTES_MAX)],
  ])('carry %s', (_name, payload) => {
    const frames = encodeFrames('sender', 7, { topic, payload })
    for (const frame of frames)
      expect(Buffer.byteLength(frame)).toBeLessThanOrEqual(LINK_NOTIFICATION_BYTES_MAX)
    const [message, ...others] = read(frames)
    expect(others).toEqual([])
    expect(message?.topic).toBe(topic)
    expect(message?.payload.equals(payload)).toBe(true)
  })

  it('differ for equal messages, because PostgreSQL merges equal notifications', () => {
    const message = { topic, payload: Buffer.from('x') }
    expect(encodeFrames('sender', 1, message)).not.toEqual(encodeFrames('sender', 2, message))
  })

  it('are ignored when they are malformed, incomplete or of the reader itself', () => {
    const parts = encodeFrames('sender', 1, { topic, payload: randomBytes(20_000) })
    expect(parts.length).toBeGreaterThan(2)
    expect(read(parts.slice(1))).toEqual([])
    expect(read(parts.toReversed())).toEqual([])
    expect(read(encodeFrames('reader', 1, { topic, payload: Buffer.from('x') }))).toEqual([])
    for (const frame of ['', 'x', 'a 1 0 1 t', 'a 1 0 1 z t\n!!!!', 'a b c d e f\n'])
      expect(read([frame])).toEqual([])
  })

  it('of unfinished messages are kept for a few senders only', () => {
    const reader = makeFrameReader('reader')
    const parts = Array.from({ length: LINK_INCOMPLETE_MAX + 1 }, (_, sender) =>
      encodeFrames(`sender-${sender}`, 1, { topic, payload: randomBytes(9_000) }),
    )
    for (const [first = ''] of parts) expect(reader(first)).toBeUndefined()
    const done = parts.map((frames) => frames.slice(1).map(reader).at(-1) !== undefined)
    expect(done).toEqual(parts.map((_, index) => index > 0))
  })

  it('are refused for a message that is too large', () => {
    const payload = Buffer.alloc(LINK_MESSAGE_BYTES_MAX + 1)
    expect(() => encodeFrames('sender', 1, { topic, payload })).toThrow('too large')
  })
})

import { SEQUENCE_RANGES_MAX } from './limits.ts'
import { contains, gapsOf, limitRangeCount, type Ranges, union, withNumber } from './number-ranges.ts'

/** What is known of how a gateway numbers its messages: only of messages that are stored. */
export interface MessageSequence {
  readonly received: Ranges
  readonly lastSeq: number
  /** By the gateway's clock, epoch milliseconds. */
  readonly newestSentAt: number | null
  /** When the first message of this numbering was received, epoch milliseconds. */
  readonly startedAt: number
  /** How often it began again; tells two numberings apart. */
  readonly restarts: number
  readonly givenUp: number
}

export interface NumberedMessage {
  readonly seq: number
  /** By the gateway's clock, epoch milliseconds. */
  readonly sentAt: number | undefined
  readonly receivedAt: number
}

/**
 * A gateway that starts again counts from 0 or 1 again, and says so with a newer time. The same number with a
 * time that we know is a message that was sent twice.
 */
const isRestart = (
  { received, lastSeq, newestSentAt }: MessageSequence,
  { seq, sentAt }: NumberedMessage,
): boolean =>
  seq <= 1 &&
  lastSeq > 1 &&
  sentAt !== undefined &&
  newestSentAt !== null &&
  sentAt > newestSentAt &&
  (contains(received, seq) || seq < (received[0]?.[0] ?? 0))

const latest = (one: number | null, other: number | undefined | null): number | null =>
  other === undefined || other === null ? one : Math.max(one ?? other, other)

/** The numbering with one more message in it. */
export function recordNumber(before: MessageSequence | undefined, message: NumberedMessage): MessageSequence {
  const { seq, sentAt, receivedAt } = message
  if (!before || isRestart(before, message)) {
    return {
      received: [[seq, seq]],
      lastSeq: seq,
      newestSentAt: sentAt ?? null,
      startedAt: receivedAt,
      restarts: before ? before.restarts + 1 : 0,
      givenUp: before?.givenUp ?? 0,
    }
  }
  return limitRanges({
    ...before,
    received: withNumber(before.received, seq),
    lastSeq: Math.max(before.lastSeq, seq),
    newestSentAt: latest(before.newestSentAt, sentAt),
  })
}

/**
 * The next number of one that has no other in between, which nearly every message has: written into the
 * numbering itself. False: it is not that simple, and nothing is changed.
 */
export function tryAppendNumber(sequence: MessageSequence, { seq, sentAt }: NumberedMessage): boolean {
  const last = sequence.received.at(-1)
  if (!last || seq !== sequence.lastSeq + 1 || last[1] !== sequence.lastSeq) return false
  const mutable = sequence as { -readonly [Name in keyof MessageSequence]: MessageSequence[Name] }
  const range = last as [number, number]
  range[1] = seq
  mutable.lastSeq = seq
  mutable.newestSentAt = latest(mutable.newestSentAt, sentAt)
  return true
}

/** A copy that `takeNextNumber` does not reach. */
export const copySequence = (sequence: MessageSequence): MessageSequence => ({
  ...sequence,
  received: sequence.received.map(([from, to]) => [from, to] as const),
})

/** What two processes know of the same gateway; a numbering that has begun again counts alone. */
export function mergeSequences(one: MessageSequence, other: MessageSequence): MessageSequence {
  if (one.restarts !== other.restarts) return one.restarts > other.restarts ? one : other
  return limitRanges({
    received: union(one.received, other.received),
    lastSeq: Math.max(one.lastSeq, other.lastSeq),
    newestSentAt: latest(one.newestSentAt, other.newestSentAt),
    startedAt: Math.min(one.startedAt, other.startedAt),
    restarts: one.restarts,
    givenUp: Math.max(one.givenUp, other.givenUp),
  })
}

function limitRanges(sequence: MessageSequence): MessageSequence {
  const { ranges, givenUp } = limitRangeCount(sequence.received, SEQUENCE_RANGES_MAX)
  if (givenUp === 0) return sequence
  return { ...sequence, received: ranges, givenUp: sequence.givenUp + givenUp }
}

export const missingNumbers = ({ received }: MessageSequence): Ranges => gapsOf(received)

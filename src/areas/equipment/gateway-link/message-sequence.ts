import { SEQUENCE_RANGES_MAX } from './limits.ts'
import { contains, gapsOf, limitRangeCount, type Ranges, union, withNumber } from './number-ranges.ts'

/**
 * The numbers (`seq`) of a gateway's stored messages. A number counts only after its message is stored, so a
 * gap is a message that was lost or has not arrived yet.
 *
 * A state-based CRDT: several processes may receive messages of one gateway, each has its own state, and
 * `mergeSequences` is commutative and idempotent. Merging also covers a process that starts
 * again from the stored state.
 *
 * Trade-off: the number of ranges is bounded (SEQUENCE_RANGES_MAX). Beyond it the oldest gaps are closed and
 * their numbers counted in `givenUp`.
 */
export interface MessageSequence {
  readonly received: Ranges
  readonly lastSeq: number
  /** By the gateway's clock, epoch milliseconds. */
  readonly newestSentAt: number | null
  /** Receipt time of the first message of this sequence, epoch milliseconds. */
  readonly startedAt: number
  /** Number of restarts by the gateway; it distinguishes successive sequences. */
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
 * A restarted gateway counts from 0 or 1 again, with a newer time. The same number with a known time is a
 * repeated message.
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

/** Returns the sequence with one more message. */
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
 * Fast path for the next number in a sequence without gaps after it, which nearly every message has: appends
 * it in place. Returns false, without a change, when it does not apply.
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

/** A copy that `tryAppendNumber` does not modify. */
export const copySequence = (sequence: MessageSequence): MessageSequence => ({
  ...sequence,
  received: sequence.received.map(([from, to]) => [from, to] as const),
})

/** Merges the states of two processes. Of different restarts, the later sequence wins. */
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

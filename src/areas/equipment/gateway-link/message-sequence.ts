import { SEQUENCE_RANGES_MAX } from './limits.ts'
import { bounded, gapsOf, holds, type Ranges, unite, withNumber } from './number-ranges.ts'

/** What is known of how a gateway numbers its messages: only of messages that are stored. */
export interface Numbering {
  readonly received: Ranges
  readonly lastSeq: number
  /** By the gateway's clock, epoch milliseconds. */
  readonly newestSentAt: number | null
  /** When the first message of this numbering was received, epoch milliseconds. */
  readonly begunAt: number
  /** How often it began again; tells two numberings apart. */
  readonly restarts: number
  readonly givenUp: number
}

export interface Numbered {
  readonly seq: number
  /** By the gateway's clock, epoch milliseconds. */
  readonly sentAt: number | undefined
  readonly receivedAt: number
}

/**
 * A gateway that starts again counts from 0 or 1 again, and says so with a newer time. The same number with a time
 * that we know is a message that was sent twice.
 */
const beginsAgain = ({ received, lastSeq, newestSentAt }: Numbering, { seq, sentAt }: Numbered): boolean =>
  seq <= 1 &&
  lastSeq > 1 &&
  sentAt !== undefined &&
  newestSentAt !== null &&
  sentAt > newestSentAt &&
  (holds(received, seq) || seq < (received[0]?.[0] ?? 0))

const newest = (one: number | null, other: number | undefined | null): number | null =>
  other === undefined || other === null ? one : Math.max(one ?? other, other)

/** The numbering with one more message in it. */
export function takeNumber(before: Numbering | undefined, message: Numbered): Numbering {
  const { seq, sentAt, receivedAt } = message
  if (!before || beginsAgain(before, message)) {
    return {
      received: [[seq, seq]],
      lastSeq: seq,
      newestSentAt: sentAt ?? null,
      begunAt: receivedAt,
      restarts: before ? before.restarts + 1 : 0,
      givenUp: before?.givenUp ?? 0,
    }
  }
  return limited({
    ...before,
    received: withNumber(before.received, seq),
    lastSeq: Math.max(before.lastSeq, seq),
    newestSentAt: newest(before.newestSentAt, sentAt),
  })
}

/**
 * The next number of one that has no other in between, which nearly every message has: written into the numbering
 * itself. False: it is not that simple, and nothing is changed.
 */
export function takeNextNumber(numbering: Numbering, { seq, sentAt }: Numbered): boolean {
  const last = numbering.received.at(-1)
  if (!last || seq !== numbering.lastSeq + 1 || last[1] !== numbering.lastSeq) return false
  const own = numbering as { -readonly [Name in keyof Numbering]: Numbering[Name] }
  const range = last as [number, number]
  range[1] = seq
  own.lastSeq = seq
  own.newestSentAt = newest(own.newestSentAt, sentAt)
  return true
}

/** A copy that `takeNextNumber` does not reach. */
export const copyNumbering = (numbering: Numbering): Numbering => ({
  ...numbering,
  received: numbering.received.map(([from, to]) => [from, to] as const),
})

/** What two processes know of the same gateway; a numbering that has begun again counts alone. */
export function mergeNumberings(one: Numbering, other: Numbering): Numbering {
  if (one.restarts !== other.restarts) return one.restarts > other.restarts ? one : other
  return limited({
    received: unite(one.received, other.received),
    lastSeq: Math.max(one.lastSeq, other.lastSeq),
    newestSentAt: newest(one.newestSentAt, other.newestSentAt),
    begunAt: Math.min(one.begunAt, other.begunAt),
    restarts: one.restarts,
    givenUp: Math.max(one.givenUp, other.givenUp),
  })
}

function limited(numbering: Numbering): Numbering {
  const { ranges, givenUp } = bounded(numbering.received, SEQUENCE_RANGES_MAX)
  if (givenUp === 0) return numbering
  return { ...numbering, received: ranges, givenUp: numbering.givenUp + givenUp }
}

export const missingOf = ({ received }: Numbering): Ranges => gapsOf(received)

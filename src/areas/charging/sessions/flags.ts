import { SAMPLE_EPOCH_FLOOR_MS, SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { SESSION_LATE_MS } from '../limits.ts'

/** The anomalies of a session. Those of 2.0.1 are derived in `session-state.ts`. */
export const SESSION_FLAGS = [
  'unknown_tag',
  'not_authorized',
  'offline',
  'clock_wrong',
  'meter_went_back',
  'ended_before_start',
  'ended_without_start',
  'ended_by_other',
  'end_not_told',
] as const
export type SessionFlag = (typeof SESSION_FLAGS)[number]

interface ReportedStart {
  readonly status: string
  readonly startedAt: Date
  /** The time of receipt. */
  readonly now: Date
}

export const selectFlags = (flags: Partial<Record<SessionFlag, boolean>>): SessionFlag[] =>
  SESSION_FLAGS.filter((flag) => flags[flag] === true)

const isClockWrong = (at: number, now: Date): boolean =>
  at < SAMPLE_EPOCH_FLOOR_MS || at > now.getTime() + SAMPLE_FUTURE_MAX_MS

/**
 * The time by which a session is ordered among those of its connector: the time of receipt where the
 * station's clock is wrong.
 */
export const orderingTime = (startedAt: Date, now: Date): Date =>
  isClockWrong(startedAt.getTime(), now) ? now : startedAt

export function startFlags({ status, startedAt, now }: ReportedStart): SessionFlag[] {
  const at = startedAt.getTime()
  const clockWrong = isClockWrong(at, now)
  return selectFlags({
    unknown_tag: status === 'invalid',
    not_authorized: status !== 'accepted' && status !== 'invalid',
    offline: !clockWrong && at < now.getTime() - SESSION_LATE_MS,
    clock_wrong: clockWrong,
  })
}

/** A tag with the tag of its group. */
export interface TagWithGroup {
  readonly tag: string | null
  readonly parentTag: string | null
}

const isSameTag = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/**
 * Whether two tags may end each other's sessions: they have the same group, or one is the group of the other.
 */
export const isSameGroup = (a: TagWithGroup, b: TagWithGroup): boolean =>
  isSameTag(a.tag, b.tag) ||
  isSameTag(a.parentTag, b.parentTag) ||
  isSameTag(a.tag, b.parentTag) ||
  isSameTag(a.parentTag, b.tag)

interface End {
  readonly startedAt: Date
  readonly startWh: number
  readonly endedAt: Date
  readonly stopWh: number
  /** Undefined where the station names no tag. */
  readonly isOfGroup: boolean | undefined
}

/** The flags of a session with those of its end; a reported end removes `end_not_told`. */
export function endFlags(before: readonly string[], end: End): string[] {
  const added = selectFlags({
    meter_went_back: end.stopWh < end.startWh,
    ended_before_start: end.endedAt < end.startedAt,
    ended_by_other: end.isOfGroup === false,
  })
  return [...new Set([...before.filter((flag) => flag !== 'end_not_told'), ...added])]
}

import { SAMPLE_EPOCH_FLOOR_MS, SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { SESSION_LATE_MS } from '../limits.ts'

/** What is odd about a session. Sessions of 2.0.1 get theirs in `told`. */
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
  /** When the station told of it. */
  readonly now: Date
}

export const selectFlags = (flags: Partial<Record<SessionFlag, boolean>>): SessionFlag[] =>
  SESSION_FLAGS.filter((flag) => flags[flag] === true)

const isClockWrong = (at: number, now: Date): boolean =>
  at < SAMPLE_EPOCH_FLOOR_MS || at > now.getTime() + SAMPLE_FUTURE_MAX_MS

/**
 * Where a session stands among the others of its connector: one with a wrong clock is the newest as it is
 * told.
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

/** Tags of one group may end each other's sessions; the tag of the group itself is one of them. */
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
  /** Undefined where the station names nobody. */
  readonly isOfGroup: boolean | undefined
}

/** The flags of a session with those of its end; that it was given up for lost is no longer one of them. */
export function endFlags(before: readonly string[], end: End): string[] {
  const added = selectFlags({
    meter_went_back: end.stopWh < end.startWh,
    ended_before_start: end.endedAt < end.startedAt,
    ended_by_other: end.isOfGroup === false,
  })
  return [...new Set([...before.filter((flag) => flag !== 'end_not_told'), ...added])]
}

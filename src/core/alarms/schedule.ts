import { type Range, TURKEY_OFFSET_MS } from '../../kernel/time.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
const WEEK_MINUTES = 7 * DAY_MINUTES
const WEEK_MS = WEEK_MINUTES * MINUTE_MS
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const EPOCH_DAY_OF_WEEK = 3

/** Days are 1 (Monday) to 7, Turkey-local. A `to` that is not after `from` means the next morning. */
export interface ScheduleWindow {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

/**
 * Ranges of the local week, in minutes since Monday 00:00. A range across the end of the week is split in
 * two.
 */
export type Schedule = readonly { readonly from: number; readonly to: number }[]

/** The times in which a rule opens nothing: outside its schedule, and during maintenance. */
export interface Masks {
  readonly schedule: Schedule | undefined
  readonly maintenance: readonly Range[]
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Converts windows with `HH:MM` times, up to 24:00. */
export function makeSchedule(windows: readonly ScheduleWindow[]): Schedule {
  return windows.flatMap(({ days, from, to }) =>
    days.flatMap((day) => {
      const start = (day - 1) * DAY_MINUTES
      const begin = start + minutesOf(from)
      const end = start + minutesOf(to) + (minutesOf(to) > minutesOf(from) ? 0 : DAY_MINUTES)
      if (end <= WEEK_MINUTES) return [{ from: begin, to: end }]
      return [
        { from: begin, to: WEEK_MINUTES },
        { from: 0, to: end - WEEK_MINUTES },
      ]
    }),
  )
}

const weekMs = (at: number): number => {
  const local = at + TURKEY_OFFSET_MS + EPOCH_DAY_OF_WEEK * DAY_MINUTES * MINUTE_MS
  return ((local % WEEK_MS) + WEEK_MS) % WEEK_MS
}

const isWithin = (schedule: Schedule, at: number): boolean => {
  const ms = weekMs(at)
  return schedule.some(({ from, to }) => ms >= from * MINUTE_MS && ms < to * MINUTE_MS)
}

const nextStart = (schedule: Schedule, at: number): number => {
  const ms = weekMs(at)
  const waits = schedule.map(
    ({ from }) => (((from * MINUTE_MS - ms) % WEEK_MS) + WEEK_MS) % WEEK_MS || WEEK_MS,
  )
  return at + Math.min(...waits)
}

export const isMasked = ({ schedule, maintenance }: Masks, at: number): boolean =>
  maintenance.some(({ from, to }) => at >= from && at < to) ||
  (schedule !== undefined && !isWithin(schedule, at))

/** The first instant in [at, until) at which a violation may open; undefined when there is none. */
export function firstUnmasked(masks: Masks, at: number, until: number): number | undefined {
  const { schedule, maintenance } = masks
  let instant = at
  while (instant < until) {
    const now = instant
    const ends = maintenance.filter(({ from, to }) => now >= from && now < to).map(({ to }) => to)
    if (ends.length > 0) instant = Math.max(...ends)
    else if (schedule && !isWithin(schedule, now)) instant = nextStart(schedule, now)
    else return now
  }
  return undefined
}

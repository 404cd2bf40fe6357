import { TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'
import { RESEND_FIRST_MS, RESEND_MAX_MS } from '../limits.ts'

/** Returns the exponential back-off after a number of consecutive failures, which starts at 1. */
export const resendAfterMs = (failures: number): number =>
  Math.min(RESEND_MAX_MS, RESEND_FIRST_MS * 2 ** Math.min(failures - 1, 20))

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/**
 * Returns the end of the quiet hours that contain an instant; undefined when none do. `from` and `to` are
 * Turkey-local in the form `HH:MM`, half-open, and may span midnight. Equal values mean that there are no
 * quiet hours.
 */
export function quietEnd(at: number, from: string, to: string): number | undefined {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const minute = Math.floor((at + TURKEY_OFFSET_MS) / MINUTE_MS) % DAY_MINUTES
  const isQuiet =
    begin < end ? minute >= begin && minute < end : begin > end && (minute >= begin || minute < end)
  if (!isQuiet) return undefined
  return Math.floor(at / MINUTE_MS) * MINUTE_MS + ((end - minute + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS
}

/** Ranges of whole days in Turkey, as date fields have them: the last day is included. */
import { DAY_MS, TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'

interface DayRange {
  /** `YYYY-MM-DD` */
  readonly from: string
  readonly to: string
}

/** The day of an instant in Turkey, `YYYY-MM-DD`. */
export const dayOf = (instant: number): string =>
  new Date(instant + TURKEY_OFFSET_MS).toISOString().slice(0, 10)

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** The days in an address. */
export function daySearch(search: Readonly<Record<string, unknown>>): {
  from?: string | undefined
  to?: string | undefined
} {
  const { from, to } = search
  return { ...(isDay(from) && { from }), ...(isDay(to) && { to }) }
}

/** From the first day of the present month until today. */
export function thisMonth(): DayRange {
  const to = dayOf(Date.now())
  return { from: `${to.slice(0, 8)}01`, to }
}

/** The instants of a range of days; the end is exclusive. */
export function daySpan({ from, to }: DayRange): DayRange {
  return {
    from: `${from}T00:00:00+03:00`,
    to: `${dayOf(Date.parse(`${to}T00:00:00+03:00`) + DAY_MS)}T00:00:00+03:00`,
  }
}

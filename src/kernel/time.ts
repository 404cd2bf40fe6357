import assert from 'node:assert/strict'

/**
 * Time as the market counts it. Instants are epoch milliseconds; days, months and years are Turkey-local.
 * Turkey has kept UTC+03:00 all year since 2016, and the netting rules begin later: the offset is a constant.
 * Ranges are half-open, [from, to).
 */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const TURKEY_OFFSET_MS = 3 * HOUR_MS

/** A Turkey-local date, `YYYY-MM-DD`. */
export type LocalDate = string
/** The first day of a Turkey-local calendar month, `YYYY-MM-01`. */
export type BillingPeriod = string

export interface Range {
  readonly from: number
  readonly to: number
}

export const iso = (instant: number): string => new Date(instant).toISOString()
export const floorHour = (instant: number): number => Math.floor(instant / HOUR_MS) * HOUR_MS
export const localDate = (instant: number): LocalDate => iso(instant + TURKEY_OFFSET_MS).slice(0, 10)
/** The number of the local day: cheaper than its date where hours are only compared. */
export const localDay = (instant: number): number => Math.floor((instant + TURKEY_OFFSET_MS) / DAY_MS)
export const localYear = (instant: number): number => Number(localDate(instant).slice(0, 4))
/** Hour of the local clock, 0 to 23. */
export const localHour = (instant: number): number => new Date(instant + TURKEY_OFFSET_MS).getUTCHours()
export const periodOf = (instant: number): BillingPeriod => `${localDate(instant).slice(0, 7)}-01`

/** The instant at which a local date begins. */
export const dayStart = (date: LocalDate): number => Date.parse(`${date}T00:00:00+03:00`)
export const periodStart = (period: BillingPeriod): number => dayStart(period)
export const nextPeriod = (period: BillingPeriod): BillingPeriod => addMonths(period, 1)
export const periodEnd = (period: BillingPeriod): number => periodStart(nextPeriod(period))
export const periodRange = (period: BillingPeriod): Range => ({
  from: periodStart(period),
  to: periodEnd(period),
})

/** The period `months` later (or earlier, when negative). */
export function addMonths(period: BillingPeriod, months: number): BillingPeriod {
  const index = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1 + months
  const year = Math.floor(index / 12)
  return `${String(year).padStart(4, '0')}-${String(index - year * 12 + 1).padStart(2, '0')}-01`
}

/** The starts of the hours in a range; the range lies on hour boundaries. */
export function hoursOf({ from, to }: Range): number[] {
  const hours: number[] = []
  for (let hour = from; hour < to; hour += HOUR_MS) hours.push(hour)
  return hours
}

/** Other years are typing errors or markers for "none", and some libraries cannot print them. */
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/
const ANY_DATE = /^\d{4}-\d{2}-\d{2}$/
const FIRST_INSTANT = dayStart('1000-01-01')
const FIRST_OF_ALL = Date.parse('0000-01-01T00:00:00Z')
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|z|[+ -]\d{2}:?\d{2})?$/

/**
 * Returns whether a text is a date of the calendar, `YYYY-MM-DD`. It is computed without a Date object,
 * because files have a date in every line.
 */
export function isCalendarDate(text: string, pattern = DATE): boolean {
  if (!pattern.test(text)) return false
  const day = Number(text.slice(8))
  return day >= 1 && day <= daysOfMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))
}

/** Returns 0 for an invalid month. */
function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  if (month === 4 || month === 6 || month === 9 || month === 11) return 30
  return month >= 1 && month <= 12 ? 31 : 0
}

export interface ReadInstant {
  /** Epoch milliseconds. */
  readonly at: number
  readonly hasOffset: boolean
}

/**
 * Reads an ISO 8601 instant of the years 1000 to 9999. Any offset; none means Turkey-local; a `+` that a
 * query string turned into a space is understood. A bare date is the start of that local day. Undefined when
 * the text is none of these.
 */
export function parseInstant(text: string): ReadInstant | undefined {
  const instant = parseAnyInstant(text)
  return instant && instant.at >= FIRST_INSTANT ? instant : undefined
}

/** The instant of a text that a schema has validated; throws an AssertionError for any other text. */
export function parseValidInstant(text: string): Date {
  const instant = parseInstant(text)
  assert(instant, 'the schema admits only instants')
  return new Date(instant.at)
}

/**
 * Returns whether epoch milliseconds are within the years of four digits; no database column and no
 * response can represent others.
 */
export const isAnyInstant = (at: number): boolean => at >= FIRST_OF_ALL && at <= LAST_INSTANT

/** The same for any year of four digits, because the clock of a device may be wrong by any amount. */
export function parseAnyInstant(text: string): ReadInstant | undefined {
  const instant = readInstant(text)
  return instant && isAnyInstant(instant.at) ? instant : undefined
}

/** Epoch milliseconds, or text with a date, a time and an offset (without one: Turkish time). */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return isAnyInstant(value) ? Math.round(value) : undefined
  return typeof value === 'string' ? parseAnyInstant(value)?.at : undefined
}

/** The value of each byte that is a digit; any other makes the number that it is a part of negative. */
const DIGITS = Int32Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : -1e6,
)
const [DASH, DOT, COLON, LETTER_T, LETTER_Z] = [0x2d, 0x2e, 0x3a, 0x54, 0x5a]
const digit = (bytes: Uint8Array, at: number): number => DIGITS[bytes[at] ?? 0] ?? 0
const pair = (bytes: Uint8Array, at: number): number => digit(bytes, at) * 10 + digit(bytes, at + 1)

/**
 * Reads `YYYY-MM-DDTHH:MM:SS[.mmm]Z` from bytes, the most frequent form of an instant, of a day that every month has;
 * NaN for any other text.
 */
export function plainInstant(bytes: Uint8Array, at: number, end: number): number {
  const hasMillis = end - at === 24
  if (!hasMillis && end - at !== 20) return Number.NaN
  const isFormed =
    bytes[at + 4] === DASH &&
    bytes[at + 7] === DASH &&
    bytes[at + 10] === LETTER_T &&
    bytes[at + 13] === COLON &&
    bytes[at + 16] === COLON &&
    bytes[end - 1] === LETTER_Z &&
    (!hasMillis || bytes[at + 19] === DOT)
  const year = pair(bytes, at) * 100 + pair(bytes, at + 2)
  const [month, day] = [pair(bytes, at + 5), pair(bytes, at + 8)]
  const [hour, minute, second] = [pair(bytes, at + 11), pair(bytes, at + 14), pair(bytes, at + 17)]
  const millis = hasMillis ? pair(bytes, at + 20) * 10 + digit(bytes, at + 22) : 0
  const isDay = year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28
  const isTime = hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59
  if (!isFormed || !isDay || !isTime || millis < 0) return Number.NaN
  return Date.UTC(year, month - 1, day, hour, minute, second, millis)
}

function readInstant(text: string): ReadInstant | undefined {
  if (isCalendarDate(text, ANY_DATE)) return { at: dayStart(text), hasOffset: false }
  const match = INSTANT.exec(text)
  if (!match?.[1] || !match[2] || !isCalendarDate(match[1], ANY_DATE)) return undefined
  const offset = match[3]?.replace(' ', '+').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const at = Date.parse(`${match[1]}T${match[2]}${offset?.toUpperCase() ?? '+03:00'}`)
  return Number.isNaN(at) ? undefined : { at, hasOffset: offset !== undefined }
}

/** Reads a date, or takes the Turkey-local date of an instant. */
export function parseLocalDate(text: string): LocalDate | undefined {
  if (isCalendarDate(text)) return text
  const instant = parseInstant(text)
  return instant && localDate(Math.min(instant.at, LAST_INSTANT - TURKEY_OFFSET_MS))
}

/**
 * Reads `YYYY-MM`, or any date or instant, truncated to its month. The month after it can be written, too.
 */
export function parsePeriod(text: string): BillingPeriod | undefined {
  const date = /^\d{4}-\d{2}$/.test(text) ? parseLocalDate(`${text}-01`) : parseLocalDate(text)
  return date && date < '9999-12' ? `${date.slice(0, 7)}-01` : undefined
}

/** Instants and periods in the time of Turkey, whatever the zone of the browser. */
import type { Language } from '../../../src/kernel/messages.ts'
import { DAY_MS, TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'

const TIME_ZONE = 'Europe/Istanbul'
const LOCALES: Readonly<Record<Language, string>> = { tr: 'tr-TR', en: 'en-GB' }

type Style = 'time' | 'seconds' | 'date' | 'dateTime' | 'month' | 'shortDate'
const STYLES: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  date: { day: '2-digit', month: '2-digit', year: 'numeric' },
  shortDate: { day: 'numeric', month: 'short' },
  dateTime: { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The text of an instant (ISO 8601, or milliseconds). */
export function formatInstant(instant: string | number, style: Style, language: Language): string {
  const key = `${style} ${language}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(LOCALES[language], {
      ...STYLES[style],
      timeZone: TIME_ZONE,
      hourCycle: 'h23',
    })
    formatters.set(key, formatter)
  }
  // A date is not broken over two lines, as narrow columns of tables would.
  return formatter.format(new Date(instant)).replaceAll(' ', '\u00a0')
}

/** An instant of the last day with its seconds, an earlier one with its date. */
export const formatRecent = (instant: string, language: Language): string =>
  formatInstant(instant, Date.now() - Date.parse(instant) < DAY_MS ? 'seconds' : 'dateTime', language)

/** A month, `YYYY-MM` or `YYYY-MM-01`: "May 2026". */
export const formatMonth = (period: string, language: Language): string =>
  formatInstant(`${period.slice(0, 7)}-15T12:00:00Z`, 'month', language)

/** A range of months; one month stands alone. */
export const formatMonths = (from: string, to: string, language: Language): string =>
  from === to ? formatMonth(from, language) : `${formatMonth(from, language)} – ${formatMonth(to, language)}`

/** The month of an instant in Turkey, `YYYY-MM`. */
export function monthOf(instant: number): string {
  return new Date(instant + TURKEY_OFFSET_MS).toISOString().slice(0, 7)
}

/** The month that is `count` months after another one, `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** The beginning of a month in Turkey, as an instant. */
export const beginningOf = (month: string): Date => new Date(`${month}-01T00:00:00+03:00`)

/** A local date, `YYYY-MM-DD`: "01.05.2026". */
export const formatDay = (date: string, language: Language): string =>
  formatInstant(`${date}T12:00:00Z`, 'date', language)

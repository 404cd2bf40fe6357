import { DAY_MS, dayStart, type LocalDate, localDate } from '../../../kernel/time.ts'

/** `half`: a holiday from 13:00 on. */
export type Holiday = 'full' | 'half'

/**
 * The first days of the religious holidays, as the Presidency of Religious Affairs (Diyanet) publishes them. Ramazan
 * Bayramı has three days and Kurban Bayramı four; the day before each is a holiday from 13:00 on (Act 2429). The dates
 * follow the moon, so a year beyond the table has no religious holidays here.
 */
const RELIGIOUS: readonly (readonly [ramazan: LocalDate, kurban: LocalDate])[] = [
  ['2020-05-24', '2020-07-31'],
  ['2021-05-13', '2021-07-20'],
  ['2022-05-02', '2022-07-09'],
  ['2023-04-21', '2023-06-28'],
  ['2024-04-10', '2024-06-16'],
  ['2025-03-30', '2025-06-06'],
  ['2026-03-20', '2026-05-27'],
  ['2027-03-09', '2027-05-16'],
  ['2028-02-26', '2028-05-05'],
  ['2029-02-14', '2029-04-24'],
  ['2030-02-04', '2030-04-13'],
  ['2031-01-24', '2031-04-02'],
  ['2032-01-14', '2032-03-22'],
]
const RAMAZAN_DAYS = 3
const KURBAN_DAYS = 4

/** The last year whose religious holidays are known. */
export const RELIGIOUS_HOLIDAYS_UNTIL = 2032

/** Month and day. Democracy and National Unity Day is a holiday since 2017. */
const NATIONAL: Readonly<Record<string, Holiday>> = {
  '01-01': 'full',
  '04-23': 'full',
  '05-01': 'full',
  '05-19': 'full',
  '07-15': 'full',
  '08-30': 'full',
  '10-28': 'half',
  '10-29': 'full',
}

const religious = new Map<LocalDate, Holiday>(
  RELIGIOUS.flatMap(([ramazan, kurban]) => [...days(ramazan, RAMAZAN_DAYS), ...days(kurban, KURBAN_DAYS)]),
)

function days(first: LocalDate, count: number): (readonly [LocalDate, Holiday])[] {
  const start = dayStart(first)
  return Array.from({ length: count + 1 }, (_, index) => [
    localDate(start + (index - 1) * DAY_MS),
    index === 0 ? 'half' : 'full',
  ])
}

/** The public holiday of Turkey on a date; undefined for any other day. */
export function turkishHoliday(date: LocalDate): Holiday | undefined {
  const own = religious.get(date)
  const national = NATIONAL[date.slice(5)]
  return own === 'full' ? own : (national ?? own)
}

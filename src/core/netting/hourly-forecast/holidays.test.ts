import { expect, test } from 'vitest'
import { RELIGIOUS_HOLIDAYS_UNTIL, turkishHoliday } from './holidays.ts'

test('national holidays have their dates, and the eve of Republic Day is a half day', () => {
  expect(turkishHoliday('2026-01-01')).toBe('full')
  expect(turkishHoliday('2026-10-28')).toBe('half')
  expect(turkishHoliday('2026-10-29')).toBe('full')
  expect(turkishHoliday('2026-10-30')).toBeUndefined()
})

test('religious holidays follow a half day', () => {
  const days = (month: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      turkishHoliday(`2026-${month}-${String(from + index).padStart(2, '0')}`),
    )
  expect(days('03', 18, 6)).toEqual([undefined, 'half', 'full', 'full', 'full', undefined])
  expect(days('05', 25, 7)).toEqual([undefined, 'half', 'full', 'full', 'full', 'full', undefined])
})

test('a national holiday on the eve of a religious one is a whole day', () => {
  // Ramazan Bayramı 2023 begins on 21 April; the 23rd is its third day and a national holiday.
  expect(turkishHoliday('2023-04-20')).toBe('half')
  expect(turkishHoliday('2023-04-23')).toBe('full')
  // The first day of 2027 is the eve of nothing, and the table has an end.
  expect(turkishHoliday(`${RELIGIOUS_HOLIDAYS_UNTIL}-03-22`)).toBe('full')
  expect(turkishHoliday(`${RELIGIOUS_HOLIDAYS_UNTIL + 1}-03-11`)).toBeUndefined()
})

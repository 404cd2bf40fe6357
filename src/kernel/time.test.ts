import { describe, expect, it } from 'vitest'
import { isCalendarDate, iso, parseAnyInstant, parseInstant, parseLocalDate, parsePeriod } from './time.ts'

const read = (text: string): string | undefined => {
  const instant = parseInstant(text)
  return instant && iso(instant.at)
}

describe('instant', () => {
  it('has any offset, or none and is Turkey-local', () => {
    expect(read('2026-05-01T00:00:00Z')).toBe('2026-05-01T00:00:00.000Z')
    expect(read('2026-05-01T00:00:00+14:00')).toBe('2026-04-30T10:00:00.000Z')
    expect(read('2026-05-01T00:00:00+0300')).toBe('2026-04-30T21:00:00.000Z')
    expect(read('2026-05-01T00:00')).toBe('2026-04-30T21:00:00.000Z')
    expect(read('2026-05-01')).toBe('2026-04-30T21:00:00.000Z')
    expect(parseInstant('2026-05-01')?.hasOffset).toBe(false)
  })

  it('is parsed when a query string has a space in place of the plus sign', () => {
    expect(read('2026-05-01T00:00:00 03:00')).toBe('2026-04-30T21:00:00.000Z')
  })

  it.each(['', '2026-02-30', '2026-05-01T23:59:60Z', '2026-05-01T00:00:00+99:99', '1777593600', '2026-5-1'])(
    'is not %j',
    (text) => expect(parseInstant(text)).toBeUndefined(),
  )

  it('lies in the years that the database and ISO 8601 write with four digits', () => {
    for (const text of ['0000-01-02', '0001-01-01T00:00:00+14:00', '0999-12-31']) {
      expect(parseInstant(text), text).toBeUndefined()
      expect(parseAnyInstant(text), text).toBeDefined()
    }
    for (const text of ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'])
      expect(parseAnyInstant(text), text).toBeUndefined()
    expect(read('1000-01-01')).toBe('0999-12-31T21:00:00.000Z')
    expect(read('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000Z')
  })
})

it('has a local date, also at the maximum time', () => {
  expect(parseLocalDate('2026-05-01T22:00:00Z')).toBe('2026-05-02')
  expect(parseLocalDate('9999-12-31T23:59:59Z')).toBe('9999-12-31')
  expect(parseLocalDate('0001-01-01')).toBeUndefined()
})

it('has a period followed by the next one', () => {
  expect(parsePeriod('2026-05')).toBe('2026-05-01')
  expect(parsePeriod('2026-05-31T22:00:00Z')).toBe('2026-06-01')
  expect(parsePeriod('9999-12')).toBeUndefined()
})

it("has the calendar days of the machine's calendar", () => {
  const two = (number: number) => String(number).padStart(2, '0')
  for (const year of [1000, 1900, 1904, 2000, 2023, 2024, 2100, 9999]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}`
        const instant = Date.parse(`${text}T00:00:00Z`)
        const isDay = !Number.isNaN(instant) && iso(instant).startsWith(text)
        expect(isCalendarDate(text), text).toBe(isDay)
      }
    }
  }
})

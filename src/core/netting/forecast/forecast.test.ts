import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { dayStart, type LocalDate } from '../../../kernel/time.ts'
import { type ForecastInput, forecastLimit } from './forecast.ts'
import { datesBetween, type YearUsage } from './year-usage.ts'

const kwh = (value: number): Kwh => wh(BigInt(Math.round(value * 1000)))
const range = (from: LocalDate, to: LocalDate) => ({ from: dayStart(from), to: dayStart(to) })
const days = (from: LocalDate, to: LocalDate, perDay: (date: LocalDate) => number): Map<LocalDate, Kwh> =>
  new Map(datesBetween(from, to).map((date) => [date, kwh(perDay(date))]))

/** A year with the same daily usage from its first day to a date, and the remaining limit. */
const used = (
  to: LocalDate,
  remaining: number,
  perDay: (date: LocalDate) => number = () => 10,
): YearUsage => ({
  remainingKwh: kwh(remaining),
  usedByDay: days(`${to.slice(0, 4)}-01-01`, to, perDay),
  calculated: [range(`${to.slice(0, 4)}-01-01`, to)],
})
const NEVER: YearUsage = { remainingKwh: kwh(100), usedByDay: new Map(), calculated: [] }
const forecast = (current: YearUsage, own: Partial<ForecastInput> = {}) =>
  forecastLimit({ year: 2026, now: Date.parse('2026-11-20T09:30:00Z'), current, ...own })

/** The whole of 2025 with a remaining limit: summer days use three times a winter day. */
const season = (date: LocalDate): number => (date.slice(5, 7) >= '05' && date.slice(5, 7) <= '10' ? 30 : 10)
const whole2025: YearUsage = {
  remainingKwh: kwh(1),
  usedByDay: days('2025-01-01', '2026-01-01', season),
  calculated: [range('2025-01-01', '2026-01-01')],
}

describe('forecast from the current year only', () => {
  test('continues with the mean of the last 28 days', () => {
    const current = used('2026-11-20', 50, (date) => (date < '2026-10-23' ? 99 : 10))
    expect(forecast(current)).toMatchObject({
      basis: 'recent_average',
      fromDate: '2026-11-20',
      recentPerDayKwh: 10_000n,
      recentDays: 28,
      runOutDate: '2026-11-24',
      expectedKwh: 420_000n,
      remainingAtYearEndKwh: 0n,
      shortfallKwh: 370_000n,
      confidence: 'medium',
      isExhausted: false,
    })
  })

  test('ends with the year when the limit is sufficient, to the last kWh', () => {
    expect(forecast(used('2026-11-20', 420.001))).toMatchObject({
      runOutDate: null,
      remainingAtYearEndKwh: 1n,
      shortfallKwh: 0n,
    })
    expect(forecast(used('2026-11-20', 420))).toMatchObject({ runOutDate: '2026-12-31', shortfallKwh: 0n })
  })

  test('has a low confidence after a few days', () => {
    expect(forecast(used('2026-01-08', 100))).toMatchObject({ confidence: 'low', runOutDate: '2026-01-17' })
  })

  test('has a medium confidence for at most 60 days ahead', () => {
    expect(forecast(used('2026-11-02', 9_999))).toMatchObject({ confidence: 'medium' })
    expect(forecast(used('2026-11-01', 9_999))).toMatchObject({ confidence: 'low' })
  })

  test('has a medium confidence from 14 recent days on', () => {
    const since = (from: LocalDate) => ({
      ...used('2026-11-20', 9_999),
      usedByDay: days(from, '2026-11-20', () => 10),
      calculated: [range(from, '2026-11-20')],
    })
    expect(forecast(since('2026-11-06'))).toMatchObject({ recentDays: 14, confidence: 'medium' })
    expect(forecast(since('2026-11-07'))).toMatchObject({ recentDays: 13, confidence: 'low' })
  })

  test('does not count a first day that began with a membership as missing', () => {
    const current = {
      ...used('2026-11-20', 50),
      calculated: [{ from: dayStart('2026-03-01') + 1, to: dayStart('2026-11-20') }],
    }
    expect(forecast(current)).toMatchObject({ missingDays: 0, recentDays: 28 })
  })

  test('subtracts the usage of the current day', () => {
    const current = used('2026-11-21', 16)
    const running = {
      ...current,
      calculated: [{ from: dayStart('2026-01-01'), to: dayStart('2026-11-20') + 1 }],
    }
    expect(forecast(running)).toMatchObject({ fromDate: '2026-11-20', expectedKwh: 410_000n })
    expect(forecast(running).runOutDate).toBe('2026-11-22')
  })

  test('never ends without any usage in both years', () => {
    expect(forecast(NEVER)).toMatchObject({
      basis: 'none',
      runOutDate: null,
      expectedKwh: 0n,
      confidence: 'low',
    })
    const idle = used('2026-11-20', 10, () => 0)
    expect(forecast(idle)).toMatchObject({ basis: 'recent_average', runOutDate: null, usedKwh: 0n })
  })

  test('excludes days that are not calculated from the mean, and counts them', () => {
    const gap = new Set(datesBetween('2026-11-01', '2026-11-06'))
    const whole = used('2026-11-20', 50)
    const current = {
      ...whole,
      usedByDay: new Map([...whole.usedByDay].filter(([date]) => !gap.has(date))),
      calculated: [range('2026-01-01', '2026-11-01'), range('2026-11-06', '2026-11-20')],
    }
    expect(forecast(current)).toMatchObject({ missingDays: 5, recentPerDayKwh: 10_000n, recentDays: 28 })
  })
})

describe('forecast from the previous year', () => {
  test('has the shape of its months, scaled by this year over last year', () => {
    // Half of last year's usage so far: summer days of 15, then winter days of 5.
    const current = used('2026-10-30', 40, (date) => season(date) / 2)
    expect(forecast(current, { lastYear: whole2025 })).toMatchObject({
      basis: 'last_year_usage',
      comparedDays: 302,
      comparedKwh: 3_330_000n,
      comparedLastYearKwh: 6_660_000n,
      months: [
        { month: '2026-10-01', days: 2, lastYearPerDayKwh: 30_000n, perDayKwh: 15_000n },
        { month: '2026-11-01', days: 30, lastYearPerDayKwh: 10_000n, perDayKwh: 5_000n },
        { month: '2026-12-01', days: 31, lastYearPerDayKwh: 10_000n, perDayKwh: 5_000n },
      ],
      // 30 on the last two days of October, then 5 a day.
      runOutDate: '2026-11-02',
      confidence: 'high',
    })
  })

  test('has a high confidence from 60 compared days on', () => {
    const confidence = (to: LocalDate) => forecast(used(to, 9_999), { lastYear: whole2025 }).confidence
    expect([confidence('2026-03-01'), confidence('2026-03-02')]).toEqual(['medium', 'high'])
  })

  test('with an exhausted limit uses only the days before', () => {
    const spent: YearUsage = {
      remainingKwh: kwh(0),
      usedByDay: days('2025-01-01', '2025-07-01', () => 10),
      calculated: [range('2025-01-01', '2026-01-01')],
    }
    const current = used('2026-10-01', 40, () => 20)
    expect(forecast(current, { lastYear: spent })).toMatchObject({
      basis: 'recent_average',
      recentPerDayKwh: 20_000n,
    })
    const lastYearProduction = days('2025-01-01', '2026-01-01', (date) => season(date) * 7)
    expect(forecast(current, { lastYear: spent, lastYearProduction }).basis).toBe('last_year_production')
  })

  test('of production is scaled to the account’s share of it', () => {
    const lastYearProduction = days('2025-01-01', '2026-01-01', () => 1000)
    expect(forecast(used('2026-11-20', 50), { lastYearProduction })).toMatchObject({
      basis: 'last_year_production',
      runOutDate: '2026-11-24',
      months: [{ perDayKwh: 10_000n }, { perDayKwh: 10_000n }],
    })
    expect(forecast(NEVER, { lastYearProduction }).basis).toBe('none')
  })

  test('is not scaled while this year has too little to compare', () => {
    const own = { lastYear: whole2025, now: dayStart('2026-01-01') }
    expect(forecast({ ...NEVER, remainingKwh: kwh(315) }, own)).toMatchObject({
      basis: 'last_year_usage',
      fromDate: '2026-01-01',
      comparedDays: 0,
      expectedKwh: 7_330_000n,
      runOutDate: '2026-02-01',
      confidence: 'low',
    })
  })

  test('is scaled from 14 compared days on', () => {
    const forecastOf = (to: LocalDate) =>
      forecast(
        used(to, 9_999, () => 20),
        { lastYear: whole2025 },
      )
    expect(forecastOf('2026-01-14')).toMatchObject({ comparedDays: 13, confidence: 'low' })
    expect(forecastOf('2026-01-14').months[0]).toMatchObject({
      lastYearPerDayKwh: 10_000n,
      perDayKwh: 10_000n,
    })
    expect(forecastOf('2026-01-15')).toMatchObject({ comparedDays: 14, confidence: 'medium' })
    expect(forecastOf('2026-01-15').months[0]).toMatchObject({
      lastYearPerDayKwh: 10_000n,
      perDayKwh: 20_000n,
    })
  })

  test('needs half of the days ahead, and ten days of a month', () => {
    const known = (from: LocalDate, to: LocalDate): YearUsage => ({
      ...whole2025,
      usedByDay: days(from, to, () => 10),
      calculated: [range(from, to)],
    })
    const basis = (to: LocalDate, lastYear: YearUsage) => forecast(used(to, 9_999), { lastYear }).basis
    const december = known('2025-12-01', '2026-01-01')
    // 62 and 63 days ahead, of which 31 are in December.
    expect(basis('2026-10-31', december)).toBe('last_year_usage')
    expect(basis('2026-10-30', december)).toBe('recent_average')
    expect(basis('2026-12-01', known('2025-12-01', '2025-12-11'))).toBe('last_year_usage')
    expect(basis('2026-12-01', known('2025-12-01', '2025-12-10'))).toBe('recent_average')
  })

  test('uses the current rate for a month without data', () => {
    const partly: YearUsage = { ...whole2025, calculated: [range('2025-01-01', '2025-12-05')] }
    const { months, confidence } = forecast(used('2026-06-01', 9_999, season), { lastYear: partly })
    expect(months.at(-1)).toMatchObject({ month: '2026-12-01', lastYearPerDayKwh: null, perDayKwh: 30_000n })
    expect(confidence).toBe('medium')
  })
})

describe('calendar of the forecast', () => {
  test('includes the leap day', () => {
    const current = used('2028-02-28', 25)
    const own = { year: 2028, now: dayStart('2028-02-28') }
    expect(forecast(current, own).runOutDate).toBe('2028-03-01')
    expect(forecast(current, own).expectedKwh).toBe(3_080_000n)
    const usage2027: YearUsage = {
      ...whole2025,
      // 28 February, which is also compared with the 29th, has a use of its own.
      usedByDay: days('2027-01-01', '2028-01-01', (date) => (date === '2027-02-28' ? 99 : 10)),
      calculated: [range('2027-01-01', '2028-01-01')],
    }
    const compared = forecast(used('2028-03-02', 25), { ...own, lastYear: usage2027 })
    expect(compared).toMatchObject({ comparedDays: 61, comparedLastYearKwh: 788_000n })
  })

  test('has no days left in a past year', () => {
    const current = used('2027-01-01', 7)
    const over = { ...current, usedByDay: days('2026-01-01', '2027-01-01', () => 10) }
    over.calculated = [range('2026-01-01', '2027-01-01')]
    expect(forecast(over, { now: dayStart('2027-03-01') })).toMatchObject({
      fromDate: '2027-01-01',
      months: [],
      runOutDate: null,
      remainingAtYearEndKwh: 7_000n,
      confidence: 'high',
    })
    expect(forecast(NEVER, { now: dayStart('2027-03-01') })).toMatchObject({ runOutDate: null, months: [] })
  })

  test('starts on the first day of a future year', () => {
    expect(forecast(NEVER, { year: 2027, lastYear: { ...whole2025, calculated: [] } })).toMatchObject({
      fromDate: '2027-01-01',
      basis: 'none',
    })
  })
})

describe('an exhausted account', () => {
  test('names the day on which it was exhausted', () => {
    const current = used('2026-11-20', 0, (date) => (date < '2026-11-11' ? 10 : 0))
    expect(forecast(current)).toMatchObject({
      isExhausted: true,
      runOutDate: '2026-11-10',
      recentPerDayKwh: 10_000n,
      remainingAtYearEndKwh: 0n,
      shortfallKwh: 420_000n,
    })
  })

  test('excludes the day on which it was exhausted from the mean', () => {
    const current = used('2026-11-20', 0, (date) =>
      date < '2026-11-10' ? 10 : date === '2026-11-10' ? 3 : 0,
    )
    expect(forecast(current)).toMatchObject({ runOutDate: '2026-11-10', recentPerDayKwh: 10_000n })
  })

  test('by an adjustment names the day on which usage reached the reduced limit', () => {
    const current = used('2026-11-20', -3_000)
    // 323 days of 10 were used; 230 are left of the limit.
    expect(forecast(current)).toMatchObject({
      isExhausted: true,
      runOutDate: '2026-01-23',
      remainingAtYearEndKwh: -3_000_000n,
    })
    expect(forecast({ ...NEVER, remainingKwh: kwh(0) })).toMatchObject({
      isExhausted: true,
      runOutDate: '2026-01-01',
    })
  })
})

test('more remaining limit never ends earlier', () => {
  const amount = fc.integer({ min: -2_000, max: 9_000 })
  fc.assert(
    fc.property(amount, amount, fc.boolean(), fc.integer({ min: 1, max: 40 }), (a, b, hasLast, perDay) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      const own = hasLast ? { lastYear: whole2025 } : {}
      const dateOf = (remaining: number) =>
        forecast(
          used('2026-06-20', remaining, () => perDay),
          own,
        ).runOutDate ?? 'never'
      expect(dateOf(less) <= dateOf(more)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

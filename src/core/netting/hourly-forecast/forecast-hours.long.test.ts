import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { DAY_MS, dayStart, HOUR_MS, localDate, localHour } from '../../../kernel/time.ts'
import { forecastHours } from './forecast-hours.ts'
import { addScore, emptySums, scoreOf } from './score.ts'
import type { HourlySeries } from './series.ts'

const START = dayStart('2025-11-03')
const kwh = (value: number): Kwh => wh(BigInt(Math.round(value)))

function seriesOf(days: number, value: (hour: number) => number | null): HourlySeries {
  const valuesKwh = Array.from({ length: days * 24 }, (_, index) => {
    const own = value(START + index * HOUR_MS)
    return own === null ? null : kwh(own)
  })
  return { from: START, valuesKwh }
}

const consumption = (history: HourlySeries, from: number, hours: number) =>
  forecastHours({ kind: 'consumption', history, from, hours, solarShape: [] })

/** A factory: 100 by night, 1,000 by day, and 100 all day on Sundays and whole holidays. */
const HOLIDAYS: ReadonlySet<string> = new Set(['2026-01-01', '2026-03-20', '2026-03-21', '2026-03-22'])
function factory(hour: number): number {
  const isOff = HOLIDAYS.has(localDate(hour)) || new Date(hour + 3 * HOUR_MS).getUTCDay() === 0
  const isShift = localHour(hour) >= 8 && localHour(hour) < 18
  return isShift && !isOff && !(localDate(hour) === '2026-03-19' && localHour(hour) >= 13) ? 1_000 : 100
}

describe('consumption', () => {
  const days = (dayStart('2026-03-16') - START) / DAY_MS
  const history = seriesOf(days, factory)

  test('of a factory with regular days is met by the hour, with its holidays and half days', () => {
    const from = dayStart('2026-03-16')
    const { p50 } = consumption(history, from, 14 * 24)
    expect(p50).toEqual(Array.from({ length: 14 * 24 }, (_, index) => kwh(factory(from + index * HOUR_MS))))
  })

  test('without a calendar takes a holiday for a working day', () => {
    const from = dayStart('2026-03-20')
    const input = { kind: 'consumption', history, from, hours: 24, solarShape: [] } as const
    expect(forecastHours(input).p50[12]).toBe(100n)
    expect(forecastHours({ ...input, calendar: () => undefined }).p50[12]).toBe(1_000n)
  })

  test('follows what the season did a year before', () => {
    // 1,000 Wh each hour, and 2,000 in the second half of each year.
    const season = (hour: number) => (localDate(hour).slice(5) >= '07-01' ? 2_000 : 1_000)
    const own = seriesOf(610, season)
    const from = START + 610 * DAY_MS
    expect(localDate(from)).toBe('2027-07-06')
    const { p50 } = consumption({ ...own, valuesKwh: own.valuesKwh.slice(0, -6 * 24) }, from, 20 * 24)
    expect(p50.at(-1)).toBe(2_000n)
  })

  test('is unknown without two weeks of known hours', () => {
    const short = seriesOf(13, () => 500)
    const unknown = consumption(short, START + 13 * DAY_MS, 24)
    expect(unknown.p50).toEqual(Array.from({ length: 24 }, () => null))
    expect(
      consumption(
        seriesOf(14, () => 500),
        START + 14 * DAY_MS,
        24,
      ).p50[0],
    ).toBe(500n)
  })

  test('has a band that covers about four fifths of noisy hours', () => {
    // A linear congruential generator: the same noise on every machine.
    let state = 1
    const noise = () => {
      state = (state * 48_271) % 2_147_483_647
      return state % 1_000
    }
    const noisy = seriesOf(150, (hour) => factory(hour) + noise())
    const sums = emptySums()
    const from = START + 119 * DAY_MS
    addScore(sums, { kind: 'consumption', history: noisy, from, hours: 30 * 24, solarShape: [] })
    const { coveragePermille, maeWh, weekMaeWh } = scoreOf(sums)
    expect(coveragePermille).toBeGreaterThan(720)
    expect(coveragePermille).toBeLessThan(880)
    expect(maeWh).toBeLessThan(Number(weekMaeWh))
  })
})

describe('production', () => {
  /** Half of a sine by day, longer in summer; the shape has the same form in other units. */
  const shapeAt = (dayOfYear: number, hour: number) => {
    const half = 4 + 3 * Math.sin(((dayOfYear - 80) / 366) * 2 * Math.PI)
    const height = 1 - ((hour - 12) / (half + 2)) ** 2
    return Math.max(0, Math.round(1_000 * height))
  }
  const solarShape = Array.from({ length: 366 * 24 }, (_, index) =>
    shapeAt(Math.floor(index / 24), index % 24),
  )
  const dayOf = (hour: number) =>
    Math.round((Date.parse(`2024${localDate(hour).slice(4)}T00:00:00Z`) - Date.UTC(2024, 0, 1)) / DAY_MS)

  test('is zero by night and follows the season', () => {
    const plant = (hour: number) => 7 * shapeAt(dayOf(hour), localHour(hour))
    const from = START + 120 * DAY_MS
    const history = seriesOf(120, plant)
    const { p50 } = forecastHours({ kind: 'production', history, from, hours: 31 * 24, solarShape })
    const lastDay = from + 30 * DAY_MS
    for (const hour of [0, 4, 22]) expect(p50[30 * 24 + hour]).toBe(0n)
    const noon = Number(p50[30 * 24 + 12])
    expect(Math.abs(noon - plant(lastDay + 12 * HOUR_MS))).toBeLessThan(0.08 * noon)
    // Without the shape, the forecast repeats the hours of a season before.
    const flat = forecastHours({ kind: 'production', history, from, hours: 31 * 24, solarShape: [] })
    const wholeDay = (values: readonly (Kwh | null)[]) =>
      values.slice(30 * 24).reduce((sum, value) => sum + Number(value), 0)
    expect(wholeDay(p50)).toBeGreaterThan(wholeDay(flat.p50) * 1.1)
  })
})

test('any history gives ordered quantiles without sign, and the same ones again', () => {
  const value = fc.option(fc.integer({ min: 0, max: 5_000_000 }), { nil: null })
  const list = fc.array(value, { minLength: 24 * 14, maxLength: 24 * 40 })
  fc.assert(
    fc.property(
      list,
      fc.constantFrom('consumption', 'production'),
      fc.integer({ min: 0, max: 48 }),
      (values, kind, gap) => {
        const history = {
          from: START,
          valuesKwh: values.map((one) => (one === null ? null : wh(BigInt(one)))),
        }
        const from = START + (values.length + gap) * HOUR_MS
        const input = { kind: kind as 'production', history, from, hours: 50, solarShape: [] }
        const { p10, p50, p90 } = forecastHours(input)
        for (const [index, mid] of p50.entries()) {
          const [low, high] = [p10[index], p90[index]]
          if (mid === null || low == null || high == null) {
            expect([low, mid, high]).toEqual([null, null, null])
            continue
          }
          expect(0n <= low && low <= mid && mid <= high).toBe(true)
        }
        expect(forecastHours(input).p90).toEqual(p90)
      },
    ),
    { numRuns: 15 },
  )
})

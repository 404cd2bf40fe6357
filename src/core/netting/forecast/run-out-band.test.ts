import { expect, test } from 'vitest'
import { wh } from '../../../kernel/decimal.ts'
import { runOutBand } from './run-out-band.ts'
import { datesBetween } from './year-usage.ts'

const kwh = (value: number) => wh(BigInt(value * 1_000))
const month = (name: string, perDay: number) => ({
  month: name,
  days: 30,
  lastYearPerDayKwh: null,
  perDayKwh: kwh(perDay),
})
const forecast = {
  fromDate: '2026-10-30',
  months: [month('2026-10-01', 9), month('2026-11-01', 6), month('2026-12-01', 4)],
}
const use = (low: number, mid: number, high: number) => ({
  lowKwh: kwh(low),
  midKwh: kwh(mid),
  highKwh: kwh(high),
})
const input = { forecast, year: 2026, bookedKwh: kwh(0) }

test('covered days have the use of the forecast by hours, the others that of their month', () => {
  const days = new Map(datesBetween('2026-10-30', '2026-11-03').map((date) => [date, use(5, 10, 20)]))
  // 10 on each of four days, then 6 a day: 40, 46, 52. High: 20, then 12 a day. Low: 5, then 3 a day.
  expect(runOutBand({ ...input, remainingKwh: kwh(50), days })).toEqual({
    earlyDate: '2026-11-01',
    expectedDate: '2026-11-04',
    lateDate: '2026-11-12',
  })
})

test('what is used of the first day counts once', () => {
  const days = new Map([['2026-10-30', use(5, 10, 20)]])
  const own = { ...input, bookedKwh: kwh(8), days }
  // 2 on the first day, then 9: 2 + 9.
  expect(runOutBand({ ...own, remainingKwh: kwh(11) })?.expectedDate).toBe('2026-10-31')
  expect(runOutBand({ ...own, remainingKwh: kwh(12) })?.expectedDate).toBe('2026-11-01')
})

test('a bound that lasts the year has no date, and without covered days there is no band', () => {
  const days = new Map([['2026-10-30', use(0, 10, 20)]])
  expect(runOutBand({ ...input, remainingKwh: kwh(100), days })).toMatchObject({ lateDate: null })
  expect(runOutBand({ ...input, remainingKwh: kwh(100), days: new Map() })).toBeUndefined()
})

import { describe, expect, it } from 'vitest'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, hoursOf } from '../../../kernel/time.ts'
import { type AggregateInput, aggregateRow, energyByDay, energyByMonth } from './aggregate.ts'
import type { CounterHour } from './energy-by-hour.ts'

const row = (input: Partial<AggregateInput> = {}): ReturnType<typeof aggregateRow> =>
  aggregateRow({
    variant: 'consumption',
    energyWh: null,
    hasReading: false,
    powerKw: null,
    hours: 1,
    ...input,
  })
const measured = (energyWh: number) => ({ energyWh, hasReading: true })

describe('row of aggregated consumption', () => {
  it('uses the register where it increased, whatever the power is', () => {
    expect(row({ ...measured(4200), powerKw: 9 })).toEqual({ energyWh: 4200, isEstimated: false })
  })

  it('is estimated from power where the register is flat or missing', () => {
    expect(row({ ...measured(0), powerKw: 1.2345 })).toEqual({ energyWh: 1235, isEstimated: true })
    expect(row({ powerKw: 0.5, hours: 24 })).toEqual({ energyWh: 12_000, isEstimated: true })
    expect(row({ powerKw: 0 })).toEqual({ energyWh: 0, isEstimated: true })
  })

  it('keeps a real zero, and is null where nothing is known', () => {
    expect(row({ ...measured(0), powerKw: 0 })).toEqual({ energyWh: 0, isEstimated: false })
    expect(row(measured(0))).toEqual({ energyWh: 0, isEstimated: false })
    expect(row()).toEqual({ energyWh: null, isEstimated: false })
  })

  it('has the linear share of an hour without a reading as an estimate, so that sums stay exact', () => {
    expect(row({ energyWh: 2000, hasReading: false, powerKw: 5 })).toEqual({
      energyWh: 2000,
      isEstimated: true,
    })
  })

  it('has production never below zero', () => {
    expect(row({ variant: 'production', ...measured(1000) })).toEqual({ energyWh: 1000, isEstimated: false })
    expect(row({ variant: 'production', ...measured(-3) })).toEqual({ energyWh: 0, isEstimated: false })
    expect(row({ variant: 'consumption', ...measured(-3) })).toEqual({ energyWh: -3, isEstimated: false })
    expect(row({ variant: 'production', powerKw: -0.4 })).toEqual({ energyWh: 0, isEstimated: true })
    expect(row({ variant: 'production' }).energyWh).toBeNull()
  })
})

describe('aggregation of hours', () => {
  const hourOf = (hour: number, energy: Kwh | null): CounterHour => ({
    hour,
    energy,
    coveredMs: energy === null ? 0 : HOUR_MS,
    completenessPct: energy === null ? 0 : 100,
    hasReading: energy !== null,
    isSuspect: false,
    isOpen: false,
  })
  const from = Date.parse('2026-10-31T22:00:00+03:00')
  const range = { from, to: from + 28 * HOUR_MS }

  it('assigns each hour to its Turkey-local day and month', () => {
    const hours = hoursOf(range).map((hour) => hourOf(hour, parseKwh('0.333')))
    expect(energyByDay(hours).map(({ hours: count, energy }) => [count, energy])).toEqual([
      [2, 666n],
      [24, 7992n],
      [2, 666n],
    ])
    expect(energyByMonth(hours)).toEqual([
      {
        from: Date.parse('2026-10-01T00:00:00+03:00'),
        to: Date.parse('2026-11-01T00:00:00+03:00'),
        hours: 2,
        energy: 666n,
        coveredMs: 2 * HOUR_MS,
        completenessPct: 100,
        hasReading: true,
        isSuspect: false,
        isOpen: false,
      },
      expect.objectContaining({ hours: 26, energy: 8658n }),
    ])
  })

  it('is null where every hour is null, and is flagged when any hour is', () => {
    const [first, second, third] = hoursOf(range).map((hour) => hourOf(hour, null))
    if (!first || !second || !third) throw new Error('the range has three hours')
    const days = energyByDay([first, second, { ...third, energy: parseKwh('1.000'), isSuspect: true }])
    expect(days.map(({ energy, isSuspect }) => [energy, isSuspect])).toEqual([
      [null, false],
      [1000n, true],
    ])
    expect(energyByDay([])).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, hoursOf } from '../../../kernel/time.ts'
import { type AggregateInput, aggregateRow, energyByDay, energyByMonth } from './aggregate.ts'
import type { CounterHour } from './energy-by-hour.ts'

const HOUR = Date.parse('2026-11-02T10:00:00+03:00')

const row = (input: Partial<AggregateInput> = {}): ReturnType<typeof aggregateRow> =>
  aggregateRow({
    variant: 'consumption',
    register: { energy: null, hasReading: false },
    powerKw: null,
    bucket: { from: HOUR, to: HOUR + HOUR_MS },
    reactive: null,
    ...input,
  })
const measured = (text: string): AggregateInput['register'] => ({ energy: parseKwh(text), hasReading: true })

describe('row of aggregated consumption', () => {
  it('uses the register where it increased, whatever the power is', () => {
    expect(row({ register: measured('4.200'), powerKw: 9 })).toEqual({
      totalEnergy: 4200n,
      totalReactiveEnergy: null,
      isEstimated: false,
    })
  })

  it('is estimated from power where the register is flat or missing', () => {
    expect(row({ register: measured('0.000'), powerKw: 1.2345 })).toMatchObject({
      totalEnergy: 1235n,
      isEstimated: true,
    })
    const day = { from: HOUR, to: HOUR + 24 * HOUR_MS }
    expect(row({ powerKw: 0.5, bucket: day })).toMatchObject({ totalEnergy: 12_000n, isEstimated: true })
    expect(row({ powerKw: 0 })).toMatchObject({ totalEnergy: 0n, isEstimated: true })
  })

  it('keeps a real zero, and is null where nothing is known', () => {
    expect(row({ register: measured('0.000'), powerKw: 0 })).toMatchObject({
      totalEnergy: 0n,
      isEstimated: false,
    })
    expect(row({ register: measured('0.000') })).toMatchObject({ totalEnergy: 0n, isEstimated: false })
    expect(row()).toEqual({ totalEnergy: null, totalReactiveEnergy: null, isEstimated: false })
  })

  it('has the linear share of an hour without a reading as an estimate, so that sums stay exact', () => {
    const register = { energy: parseKwh('2.000'), hasReading: false }
    expect(row({ register, powerKw: 5 })).toMatchObject({ totalEnergy: 2000n, isEstimated: true })
  })

  it('has reactive energy for consumption only, and production never below zero', () => {
    const reactive = parseKwh('0.750')
    expect(row({ register: measured('1.000'), reactive }).totalReactiveEnergy).toBe(750n)
    expect(row({ variant: 'production', register: measured('1.000'), reactive })).toEqual({
      totalEnergy: 1000n,
      totalReactiveEnergy: null,
      isEstimated: false,
    })
    expect(row({ variant: 'production', powerKw: -0.4 })).toMatchObject({
      totalEnergy: 0n,
      isEstimated: true,
    })
    expect(row({ variant: 'production' }).totalEnergy).toBeNull()
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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { type CounterHour, energyByHour } from './energy-by-hour.ts'
import { applyMeterChanges, type MeterChange } from './meter-changes.ts'
import { NEIGHBOUR_READINGS, type Reading } from './readings.ts'

const START = Date.parse('2026-11-02T00:00:00+03:00')
const MINUTE = 60_000

/** `'10:20 9.5'`: the clock and kWh. */
const readings = (...lines: string[]): Reading[] =>
  lines.map((line) => {
    const [clock = '', kwh = ''] = line.split(' ')
    return { at: instant(clock), value: Number(kwh) * 1e6 }
  })
function instant(clock: string): number {
  const [hours, minutes] = clock.split(':')
  return START + Number(hours) * HOUR_MS + Number(minutes) * MINUTE
}
const change = (clock: string, oldEnd: number, newStart: number): MeterChange => ({
  at: instant(clock),
  oldEnd: oldEnd * 1e6,
  newStart: newStart * 1e6,
})
const hours = (list: readonly Reading[], changes: readonly MeterChange[]): CounterHour[] =>
  energyByHour({
    readings: applyMeterChanges(list, changes),
    range: { from: START, to: START + 4 * HOUR_MS },
    reportingIntervalMs: HOUR_MS,
  })
const shown = (list: readonly CounterHour[]): string[] =>
  list.map(
    ({ energy, isSuspect }) => `${energy === null ? '-' : formatKwh(energy)}${isSuspect ? ' suspect' : ''}`,
  )

describe('a recorded meter change', () => {
  const fallen = readings('0:00 100', '1:00 110', '2:00 42', '3:00 52', '4:00 62')

  it('makes the energy over the change exact, split by the time on either side', () => {
    expect(shown(hours(fallen, []))).toEqual(['10.000', '42.000 suspect', '10.000', '10.000'])
    const recorded = hours(fallen, [change('1:30', 114, 40)])
    expect(shown(recorded)).toEqual(['10.000', '6.000', '10.000', '10.000'])
    expect(recorded.map(({ completenessPct }) => completenessPct)).toEqual([100, 100, 100, 100])
  })

  it('shares the energy of each side over its own hours', () => {
    const sparse = readings('0:00 100', '4:00 62')
    expect(shown(hours(sparse, [change('1:30', 106, 57)]))).toEqual(['4.000', '3.000', '2.000', '2.000'])
  })

  it('may have a new register that begins above the end of the old one', () => {
    const risen = readings('0:00 100', '1:00 110', '2:00 5010', '3:00 5020', '4:00 5030')
    expect(shown(hours(risen, [change('1:30', 115, 5005)]))).toEqual(['10.000', '10.000', '10.000', '10.000'])
  })

  it('replaces a reading at its own instant', () => {
    const atChange = readings('0:00 100', '1:00 110', '2:00 120', '3:00 15', '4:00 25')
    expect(shown(hours(atChange, [change('2:00', 120, 5)]))).toEqual(['10.000', '10.000', '10.000', '10.000'])
  })

  it('is the last known value of the old register where the new one has no reading yet', () => {
    const old = readings('0:00 100', '1:00 110')
    const recorded = hours(old, [change('1:30', 114, 40)])
    expect(shown(recorded)).toEqual(['10.000', '4.000', '-', '-'])
    expect(recorded[1]?.isOpen).toBe(true)
  })

  it('leaves a false reading beside it recognizable', () => {
    const dismantled = readings('0:00 100', '1:00 110', '1:20 0', '2:00 42', '3:00 52', '4:00 62')
    expect(shown(hours(dismantled, [change('1:30', 114, 40)]))).toEqual([
      '10.000',
      '6.000 suspect',
      '10.000',
      '10.000',
    ])
  })

  it('that contradicts the readings is suspect', () => {
    // A reading out of line with its neighbours is not used: here the one of 110, then the one of 42.
    expect(shown(hours(fallen, [change('1:30', 105, 40)]))[1]).toBe('3.667 suspect')
    expect(shown(hours(fallen, [change('1:30', 114, 45)]))[1]).toBe('6.333 suspect')
  })

  it('may follow another one without a reading between them', () => {
    const twice = [change('1:15', 112, 40), change('1:30', 43, 7)]
    expect(shown(hours(readings('0:00 100', '1:00 110', '2:00 10', '3:00 20', '4:00 30'), twice))).toEqual([
      '10.000',
      '8.000',
      '10.000',
      '10.000',
    ])
  })
})

describe('hours with meter changes', () => {
  const step = fc.record({
    minutes: fc.integer({ min: 5, max: 90 }),
    grows: fc.integer({ min: 0, max: 9_000_000 }),
    isChange: fc.boolean(),
    newStart: fc.integer({ min: 0, max: 5_000_000 }).map((wh) => wh * 1000),
  })
  const series = fc.array(step, { minLength: 3, maxLength: 40 }).map((steps) => {
    const list: Reading[] = []
    const changes: MeterChange[] = []
    let at = START
    let value = 1_000_000_000
    let total = 0n
    for (const { minutes, grows, isChange, newStart } of steps) {
      const whole = Math.round(grows / 1000) * 1000
      if (list.length + changes.length > 0) total += BigInt(whole / 1000)
      at += minutes * MINUTE
      value += whole
      if (isChange) {
        changes.push({ at, oldEnd: value, newStart })
        value = newStart
      } else list.push({ at, value })
    }
    return { list, changes, total, last: at }
  })

  it('sum to the growth of all registers, and none is suspect', () => {
    fc.assert(
      fc.property(series, ({ list, changes, total, last }) => {
        const range = { from: START, to: Math.ceil((last - START) / HOUR_MS) * HOUR_MS + START }
        const all = energyByHour({ readings: applyMeterChanges(list, changes), range })
        expect(all.reduce((sum, { energy }) => sum + (energy ?? 0n), 0n)).toBe(total)
        expect(all.some(({ isSuspect }) => isSuspect)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('follow from the readings near a range and all changes', () => {
    fc.assert(
      fc.property(
        series,
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        ({ list, changes, last }, start, length) => {
          const end = Math.ceil((last - START) / HOUR_MS)
          const from = start % end
          const range = { from: START + from * HOUR_MS, to: START + Math.min(end, from + length) * HOUR_MS }
          const near = [
            ...list.filter(({ at }) => at <= range.from).slice(-NEIGHBOUR_READINGS),
            ...list.filter(({ at }) => at > range.from && at < range.to),
            ...list.filter(({ at }) => at >= range.to).slice(0, NEIGHBOUR_READINGS),
          ]
          const options = { reportingIntervalMs: HOUR_MS }
          const whole = { from: START, to: START + end * HOUR_MS }
          const all = energyByHour({ readings: applyMeterChanges(list, changes), range: whole, ...options })
          const part = energyByHour({ readings: applyMeterChanges(near, changes), range, ...options })
          expect(part).toEqual(all.filter(({ hour }) => hour >= range.from && hour < range.to))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { total } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, type Range } from '../../../kernel/time.ts'
import { energyByDay, energyByMonth } from './aggregate.ts'
import { type CounterHour, type CounterInput, energyByHour } from './energy-by-hour.ts'
import {
  type Interval,
  intervalsOf,
  NEIGHBOUR_READINGS,
  type Reading,
  rangeToLoad,
  trueReadings,
} from './readings.ts'

const MINUTE = 60_000
const START = Date.parse('2026-10-30T00:00:00Z')

const spacing = fc.oneof(
  { weight: 6, arbitrary: fc.constant(15 * MINUTE) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2 * HOUR_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: HOUR_MS, max: 3 * DAY_MS }) },
)
const growth = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 5e9 }))
const startAt = fc.integer({ min: 0, max: 3 * HOUR_MS }).map((offset) => START + offset)

/** A register that never decreases. */
const rising = fc
  .record({
    at: startAt,
    value: fc.integer({ min: 0, max: 5e15 }),
    steps: fc.array(fc.record({ spacing, growth }), { maxLength: 40 }),
  })
  .map(({ at, value, steps }) => {
    const readings: Reading[] = [{ at, value }]
    for (const step of steps) {
      const last = readings.at(-1) ?? { at, value }
      readings.push({ at: last.at + step.spacing, value: last.value + step.growth })
    }
    return readings
  })

/** Anything a bus can deliver: growth, resets, dips, spikes, steps back, noise. */
const arbitrary = fc
  .record({
    at: startAt,
    steps: fc.array(
      fc.record({
        spacing,
        value: fc.oneof(
          { weight: 4, arbitrary: growth.map((more) => (last: number) => last + more) },
          {
            weight: 1,
            arbitrary: fc
              .constantFrom(0, 0.5, 0.95, 2)
              .map((part) => (last: number) => Math.floor(last * part)),
          },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }).map((few) => () => few) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 1e10 }).map((any) => () => any) },
        ),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ at, steps }) => {
    const readings: Reading[] = []
    let time = at
    let value = 1_000_000_000
    for (const step of steps) {
      time += step.spacing
      value = Math.min(step.value(value), 1e14)
      readings.push({ at: time, value })
    }
    return readings
  })

/** A few small numbers at a few intervals: every order of rises and falls, close together. */
const noisy = fc
  .array(fc.record({ minutes: fc.integer({ min: 5, max: 70 }), value: fc.integer({ min: 1, max: 12 }) }), {
    minLength: 5,
    maxLength: 30,
  })
  .map((steps) => {
    const readings: Reading[] = []
    for (const { minutes, value } of steps) {
      readings.push({ at: (readings.at(-1)?.at ?? START) + minutes * MINUTE, value: value * 1_000_000 })
    }
    return readings
  })

const settings = fc.record({
  reportingIntervalMs: fc.constantFrom(undefined, 10 * MINUTE, HOUR_MS),
  rolloverAt: fc.constantFrom(undefined, 1_000_000, 10_000_000_000),
})

const floorToHour = (instant: number): number => Math.floor(instant / HOUR_MS) * HOUR_MS
function wholeRange(readings: readonly Reading[]): Range {
  const last = readings.at(-1)?.at ?? START
  return { from: floorToHour(readings[0]?.at ?? START), to: floorToHour(last) + HOUR_MS }
}
const sum = (hours: readonly { energy: CounterHour['energy'] }[]): bigint =>
  hours.reduce((wh, { energy }) => wh + (energy ?? 0n), 0n)
const roundedWh = (millionths: number): bigint => (BigInt(millionths) + 500n) / 1000n
const allHours = (readings: readonly Reading[], rest: Partial<CounterInput> = {}): CounterHour[] =>
  energyByHour({ readings, range: wholeRange(readings), ...rest })

describe('conservation of energy', () => {
  it('holds for a rising register: the hours sum to the difference of the rounded ends', () => {
    fc.assert(
      fc.property(rising, (readings) => {
        const first = readings[0]?.value ?? 0
        const last = readings.at(-1)?.value ?? 0
        expect(sum(allHours(readings))).toBe(roundedWh(last) - roundedWh(first))
      }),
    )
  })

  it('holds with resets: the growth before each reset, the later ones counted from zero', () => {
    const life = fc.tuple(fc.nat(1e6), fc.nat(1e6), fc.array(fc.nat(1e9), { minLength: 2, maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 5 }), (lives) => {
        const readings: Reading[] = []
        let expected = 0n
        for (const [index, [first, more, grown]] of lives.entries()) {
          const values = [first, first + more]
          for (const step of grown) values.push(Math.max(values.at(-1) ?? 0, 2e9) + step)
          for (const value of values) readings.push({ at: START + readings.length * 17 * MINUTE, value })
          expected += roundedWh(values.at(-1) ?? 0) - (index === 0 ? roundedWh(first) : 0n)
        }
        expect(sum(allHours(readings))).toBe(expected)
      }),
    )
  })

  it('holds for any readings: the hours sum to the growth of the intervals, none is negative', () => {
    fc.assert(
      fc.property(arbitrary, settings, (readings, setting) => {
        const hours = allHours(readings, setting)
        let expected = 0n
        for (const { startValue, endValue } of intervalsOf(trueReadings(readings), {
          rolloverAt: setting.rolloverAt,
        })) {
          // Shifted by a whole number of Wh, because half up is a floor and BigInt division is not.
          const shift = 1_000_000_000_000_000
          expected += roundedWh(endValue + shift) - roundedWh(startValue + shift)
        }
        expect(sum(hours)).toBe(expected)
        expect(hours.every(({ energy }) => energy === null || energy >= 0n)).toBe(true)
        expect(hours.every(({ coveredMs }) => coveredMs >= 0 && coveredMs <= HOUR_MS)).toBe(true)
      }),
    )
  })

  it('holds for days as the sum of their hours, and months of their days', () => {
    fc.assert(
      fc.property(arbitrary, (readings) => {
        const hours = allHours(readings)
        const days = energyByDay(hours)
        const months = energyByMonth(hours)
        expect(total(days.map(({ energy }) => energy ?? 0n))).toBe(sum(hours))
        for (const month of months) {
          const within = days.filter(({ from }) => from >= month.from && from < month.to)
          expect(sum([month])).toBe(sum(within))
        }
        expect(months.reduce((count, month) => count + month.hours, 0)).toBe(hours.length)
      }),
    )
  })
})

describe('hourly energy is independent', () => {
  /** Exactly the readings that the doc of `rangeToLoad` requires a caller to load. */
  function load(readings: readonly Reading[], range: Range): Reading[] {
    const before = readings.filter(({ at }) => at <= range.from).slice(-NEIGHBOUR_READINGS)
    const inside = readings.filter(({ at }) => at > range.from && at < range.to)
    const after = readings.filter(({ at }) => at >= range.to).slice(0, NEIGHBOUR_READINGS)
    return [...before, ...inside, ...after]
  }

  it('of the window: any part gives the same hours as the whole, from the readings near it alone', () => {
    fc.assert(
      fc.property(
        fc.oneof(noisy, arbitrary),
        settings,
        fc.nat(),
        fc.nat(),
        (readings, setting, one, other) => {
          const whole = wholeRange(readings)
          const all = energyByHour({ readings, range: whole, ...setting })
          const from = whole.from + (one % all.length) * HOUR_MS
          const to = Math.min(whole.to, from + (1 + (other % 30)) * HOUR_MS)
          const range = { from, to }
          const near = load(readings, rangeToLoad(range, setting.reportingIntervalMs))
          const cut = energyByHour({ readings: near, range, ...setting })
          expect(cut).toEqual(all.filter(({ hour }) => hour >= from && hour < to))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('of the clock: readings shifted by whole hours give the same hours, shifted', () => {
    fc.assert(
      fc.property(
        arbitrary,
        settings,
        fc.integer({ min: -10_000, max: 10_000 }),
        (readings, setting, hours) => {
          const shift = hours * HOUR_MS
          const shifted = readings.map(({ at, value }) => ({ at: at + shift, value }))
          const { from, to } = wholeRange(readings)
          const moved = energyByHour({
            readings: shifted,
            range: { from: from + shift, to: to + shift },
            ...setting,
          })
          expect(moved.map((row) => ({ ...row, hour: row.hour - shift }))).toEqual(
            allHours(readings, setting),
          )
        },
      ),
    )
  })

  it('of the level of a rising register, for whole Wh', () => {
    fc.assert(
      fc.property(rising, fc.nat(1e12), (readings, wh) => {
        const raised = readings.map(({ at, value }) => ({ at, value: value + wh * 1000 }))
        expect(allHours(raised)).toEqual(allHours(readings))
      }),
    )
  })

  it('of a further reading exactly on the line, to the Wh', () => {
    const line = fc.record({
      at: startAt,
      pieces: fc.array(fc.record({ spacing, slope: fc.integer({ min: 0, max: 2000 }) }), {
        minLength: 1,
        maxLength: 20,
      }),
      piece: fc.nat(),
      part: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    })
    fc.assert(
      fc.property(line, ({ at, pieces, piece, part }) => {
        const readings: Reading[] = [{ at, value: 0 }]
        let extra: Reading | undefined
        for (const [index, { spacing: length, slope }] of pieces.entries()) {
          const last = readings.at(-1) ?? { at, value: 0 }
          const reached = Math.ceil(part * length)
          if (index === piece % pieces.length && reached > 0 && reached < length) {
            extra = { at: last.at + reached, value: last.value + slope * reached }
          }
          readings.push({ at: last.at + length, value: last.value + slope * length })
        }
        const more = extra ? [...readings, extra].sort((a, b) => a.at - b.at) : readings
        expect(allHours(more).map(({ energy }) => energy)).toEqual(
          allHours(readings).map(({ energy }) => energy),
        )
      }),
    )
  })

  it('of a single false reading: the sum of a rising register stays the same', () => {
    const steady = fc.array(fc.nat(1e7), { minLength: 3, maxLength: 30 })
    fc.assert(
      fc.property(steady, fc.nat(), fc.nat(4e9), (steps, position, value) => {
        const readings: Reading[] = []
        for (const [index, step] of steps.entries()) {
          readings.push({ at: START + index * 15 * MINUTE, value: (readings.at(-1)?.value ?? 1e9) + step })
        }
        const index = 1 + (position % (readings.length - 2))
        const corrupted = readings.map((reading, at) => (at === index ? { ...reading, value } : reading))
        expect(sum(allHours(corrupted))).toBe(sum(allHours(readings)))
      }),
    )
  })
})

describe('linear interpolation', () => {
  /** The method written naively: rational numbers, hour by hour. */
  function slowEnergy(intervals: readonly Interval[], hour: number): bigint | null {
    let energy: bigint | null = null
    for (const { from, to, startValue, endValue } of intervals) {
      const start = Math.max(from, hour)
      const end = Math.min(to, hour + HOUR_MS)
      if (start >= end) continue
      const wholeAt = (instant: number): bigint => {
        const span = BigInt(to - from)
        const scaled = BigInt(startValue) * span + BigInt(endValue - startValue) * BigInt(instant - from)
        const divisor = 1000n * span
        const numerator = scaled + 500n * span
        const quotient = numerator / divisor
        return numerator % divisor < 0n ? quotient - 1n : quotient
      }
      energy = (energy ?? 0n) + wholeAt(end) - wholeAt(start)
    }
    return energy
  }

  it('equals the computation with rational numbers', () => {
    fc.assert(
      fc.property(fc.oneof(arbitrary, rising), settings, (readings, setting) => {
        const intervals = intervalsOf(trueReadings(readings), { rolloverAt: setting.rolloverAt })
        const hours = allHours(readings, setting)
        expect(hours.map(({ energy }) => energy)).toEqual(
          hours.map(({ hour }) => slowEnergy(intervals, hour)),
        )
      }),
    )
  })
})

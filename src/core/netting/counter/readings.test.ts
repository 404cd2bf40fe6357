import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalsOf, type Reading, trueReadings } from './readings.ts'

const meter = (values: readonly number[]): Reading[] =>
  values.map((value, index) => ({ at: index * 60_000, value }))
const keptOf = (...values: number[]): number[] => trueReadings(meter(values)).kept.map(({ value }) => value)
const noise = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 }).map(meter)

describe('readings that count', () => {
  it('pass over one that is out of line with both neighbours', () => {
    expect(keptOf(100, 0, 101)).toEqual([100, 101])
    expect(keptOf(100, 165, 101)).toEqual([100, 101])
    // Beside a dip a leap is none: one of the two explains the fall.
    expect(keptOf(100, 108, 106, 109)).toEqual([100, 108, 109])
  })

  it('keep a fall that the next reading confirms, and one that nothing follows', () => {
    expect(keptOf(100, 0, 1, 2)).toEqual([100, 0, 1, 2])
    expect(keptOf(99, 100, 3)).toEqual([99, 100, 3])
  })

  it('leave out no two in a row, never the first nor the last', () => {
    fc.assert(
      fc.property(noise, (readings) => {
        const { kept } = trueReadings(readings)
        const indexes = kept.map((reading) => readings.indexOf(reading))
        expect(indexes.every((own, nth) => own - (indexes[nth - 1] ?? -1) <= 2)).toBe(true)
        expect(kept[0]).toBe(readings[0])
        expect(kept.at(-1)).toBe(readings.at(-1))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('intervals', () => {
  it('never fall, and chain from reading to reading', () => {
    fc.assert(
      fc.property(noise, fc.constantFrom(undefined, 5, 12, 20), (readings, rolloverAt) => {
        const known = trueReadings(readings)
        const intervals = intervalsOf(known, rolloverAt)
        expect(intervals).toHaveLength(known.kept.length - 1)
        for (const [index, { from, to, startValue, endValue }] of intervals.entries()) {
          expect(startValue).toBeLessThanOrEqual(endValue)
          expect([from, to]).toEqual([known.kept[index]?.at, known.kept[index + 1]?.at])
        }
      }),
    )
  })

  it('begin at the base of what happened: growth, rollover, step back, reset', () => {
    const bases = (values: number[], rolloverAt?: number): (readonly [number, boolean])[] =>
      intervalsOf(trueReadings(meter(values)), rolloverAt).map(({ startValue, isSuspect }) => [
        startValue,
        isSuspect,
      ])
    expect(bases([90, 95])).toEqual([[90, false]])
    expect(bases([95, 4], 100)).toEqual([[-5, false]])
    expect(bases([95, 4])).toEqual([[0, true]])
    expect(bases([40, 4], 100)).toEqual([[0, true]])
    expect(bases([100, 90])).toEqual([[90, true]])
    expect(bases([100, 89])).toEqual([[0, true]])
    expect(bases([100, 0, 101])).toEqual([[100, true]])
  })
})

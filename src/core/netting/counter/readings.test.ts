import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fallsOf, intervalsOf, type Reading, trueReadings } from './readings.ts'

const meter = (values: readonly number[]): Reading[] =>
  values.map((value, index) => ({ at: index * 60_000, value }))
const keptOf = (...values: number[]): number[] => trueReadings(meter(values)).kept.map(({ value }) => value)
const noise = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 }).map(meter)

describe('accepted readings', () => {
  it('exclude one that is inconsistent with both neighbours', () => {
    expect(keptOf(100, 0, 101)).toEqual([100, 101])
    expect(keptOf(100, 165, 101)).toEqual([100, 101])
    // Next to a dip, the other reading is no spike: one of the two explains the fall.
    expect(keptOf(100, 108, 106, 109)).toEqual([100, 108, 109])
  })

  it('include a fall that the next reading confirms, and one at the end', () => {
    expect(keptOf(100, 0, 1, 2)).toEqual([100, 0, 1, 2])
    expect(keptOf(99, 100, 3)).toEqual([99, 100, 3])
  })

  it('never exclude two in a row, nor the first or the last', () => {
    fc.assert(
      fc.property(noise, (readings) => {
        const { kept: stored } = trueReadings(readings)
        const indexes = stored.map((reading) => readings.indexOf(reading))
        expect(indexes.every((own, nth) => own - (indexes[nth - 1] ?? -1) <= 2)).toBe(true)
        expect(stored[0]).toBe(readings[0])
        expect(stored.at(-1)).toBe(readings.at(-1))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('intervals between readings', () => {
  it('never decrease, and are contiguous', () => {
    fc.assert(
      fc.property(noise, fc.constantFrom(undefined, 5, 12, 20), (readings, rolloverAt) => {
        const known = trueReadings(readings)
        const intervals = intervalsOf(known, { rolloverAt })
        expect(intervals).toHaveLength(known.kept.length - 1)
        for (const [index, { from, to, startValue, endValue }] of intervals.entries()) {
          expect(startValue).toBeLessThanOrEqual(endValue)
          expect([from, to]).toEqual([known.kept[index]?.at, known.kept[index + 1]?.at])
        }
      }),
    )
  })

  it('start at the base of their kind: growth, rollover, step back, reset', () => {
    const bases = (values: number[], rolloverAt?: number): (readonly [number, boolean])[] =>
      intervalsOf(trueReadings(meter(values)), { rolloverAt }).map(({ startValue, isSuspect }) => [
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
    // A fall by half of the width is a reset; a register at its width rolls over.
    expect(bases([60, 10], 100)).toEqual([[0, true]])
    expect(bases([100, 4], 100)).toEqual([[0, false]])
    // A register below 0 has grown by nothing.
    expect(bases([100, -5])).toEqual([[-5, true]])
  })
})

describe('the falls of a register', () => {
  it('include a reading that is lower than the one before a false reading', () => {
    expect(fallsOf(meter([100, 5, 6]))).toEqual([60_000, 120_000])
    expect(fallsOf(meter([100, 0, 50]))).toEqual([120_000])
    expect(fallsOf(meter([100, 0, 100]))).toEqual([])
  })
})

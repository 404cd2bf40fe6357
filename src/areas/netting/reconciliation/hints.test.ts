import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import type { CalculatedFigures } from './calculated-figures.ts'
import type { Field } from './columns.ts'
import { findHints } from './hints.ts'

const TOLERANCE = { kwh: 1n, lira: 10_000n }

/** The hints for values of a file, hour by hour; `own` are the calculated values of these hours. */
function hints(field: Field, file: readonly bigint[], own: readonly bigint[]) {
  const figures = file.map((value, index) => ({
    row: index + 1,
    span: { unit: 'hour' as const, from: index * HOUR_MS },
    facility: undefined,
    field,
    value,
  }))
  const calculated: CalculatedFigures = {
    isResidential: false,
    valueOf: ({ span }) => own[span.from / HOUR_MS],
    facilityIdOf: () => undefined,
    spans: () => [],
  }
  return findHints(figures, calculated, TOLERANCE, 'hour_starting').map(({ code, parameters }) => [
    code,
    ...Object.values(parameters),
  ])
}
/** Different values, so that a shift by an hour is no agreement by chance. */
const energy = (count: number) => Array.from({ length: count }, (_, index) => BigInt(1000 + index * 10))
const shifted = (values: readonly bigint[]) => values.map((_, index) => values[index - 1] ?? 7n)

describe('the hint of hours that are shifted', () => {
  test('needs twelve hours that the shifted hour compares', () => {
    const file = (count: number) => shifted(energy(count)).slice(1)
    const calculated = (count: number) => [...energy(count)].slice(1)
    expect(hints('production_kwh', shifted(energy(13)), energy(13))).toEqual([
      ['HOURS_SHIFTED', -1, 'hour_ending'],
    ])
    expect(hints('production_kwh', file(12), calculated(12))).toEqual([])
  })

  test('ignores hours without energy', () => {
    const idle = Array.from({ length: 40 }, () => 0n)
    const own = [...idle, ...energy(13)]
    const file = [...idle, ...shifted(energy(13))]
    expect(hints('production_kwh', file, own)).toEqual([['HOURS_SHIFTED', -1, 'hour_ending']])
  })

  test('does not apply to amounts', () => {
    const own = energy(24).map((value) => value * 1_000_000n)
    expect(hints('matched_try', shifted(own), own)).toEqual([])
  })

  test('needs nine of ten hours to agree', () => {
    const own = energy(31)
    const withErrors = (count: number) =>
      shifted(own).map((value, index) => (index > 0 && index <= count ? value + 5n : value))
    expect(hints('production_kwh', withErrors(3), own)).toHaveLength(1)
    expect(hints('production_kwh', withErrors(4), own)).toEqual([])
  })

  test('compares the shifted hours with the tolerance, in both directions', () => {
    const own = energy(24)
    const file = (by: bigint) => shifted(own).map((value, index) => (index % 2 ? value + by : value - by))
    expect(hints('production_kwh', file(1n), own)).toEqual([['HOURS_SHIFTED', -1, 'hour_ending']])
    expect(hints('production_kwh', file(2n), own)).toEqual([])
    const later = own.map((_, index) => own[index + 1] ?? 7n)
    expect(hints('production_kwh', later, own)).toEqual([['HOURS_SHIFTED', 1, 'hour_starting']])
  })

  test('is given up to half of the hours that agree unshifted', () => {
    // The first hours are alike, so they agree unshifted and shifted; the others agree shifted only.
    const own = (alike: number) => [...Array.from({ length: alike }, () => 500n), ...energy(40 - alike)]
    const agreeing = (alike: number) =>
      own(alike).map((_, index) => (index === 0 ? 500n : (own(alike)[index - 1] ?? 0n)))
    expect(hints('production_kwh', agreeing(20), own(20))).toEqual([['HOURS_SHIFTED', -1, 'hour_ending']])
    expect(hints('production_kwh', agreeing(21), own(21))).toEqual([])
  })

  test('counts an hour with energy on one side only', () => {
    const own = [...energy(20), ...Array.from({ length: 20 }, () => 0n)]
    const file = shifted(own).map((value, index) => (index > 20 ? 9n : value))
    expect(hints('production_kwh', file, own)).toEqual([])
  })
})

describe('the hint of value added tax', () => {
  test('needs a calculated amount', () => {
    expect(hints('matched_try', [12_000n], [0n])).toEqual([])
    expect(hints('matched_try', [120_000_000n], [100_000_000n])).toEqual([['DIFFERENCES_LOOK_LIKE_VAT', 20]])
    expect(hints('matched_try', [110_000_000n], [100_000_000n])).toEqual([['DIFFERENCES_LOOK_LIKE_VAT', 10]])
  })

  test('allows the tolerance before tax, in both directions, and no more', () => {
    const own = 100_000_000n
    const hint = (value: bigint) => hints('matched_try', [value], [own])
    for (const by of [12_000n, -12_000n]) {
      expect(hint(120_000_000n + by)).toEqual([['DIFFERENCES_LOOK_LIKE_VAT', 20]])
    }
    for (const by of [12_001n, -12_001n]) expect(hint(120_000_000n + by)).toEqual([])
  })

  test('does not count amounts within the tolerance as differences', () => {
    // 0.05 lira and its tax differ by exactly the tolerance.
    const own = [50_000n, ...Array.from({ length: 2 }, () => 100_000_000n)]
    expect(hints('matched_try', [60_000n], [50_000n])).toEqual([])
    expect(hints('matched_try', [60_000n, 120_000_000n, 150_000_000n], own)).toEqual([])
    expect(hints('matched_try', [60_000n, 120_000_000n, 100_010_000n], own)).toEqual([
      ['DIFFERENCES_LOOK_LIKE_VAT', 20],
    ])
  })

  test('counts the differences only, of which nine of ten have the rate', () => {
    const own = Array.from({ length: 20 }, () => 100_000_000n)
    const file = (taxed: number, other: number) =>
      own.map((value, index) => (index < taxed ? 120_000_000n : index < taxed + other ? 150_000_000n : value))
    expect(hints('matched_try', file(9, 1), own)).toEqual([['DIFFERENCES_LOOK_LIKE_VAT', 20]])
    expect(hints('matched_try', file(8, 1), own)).toEqual([])
  })
})

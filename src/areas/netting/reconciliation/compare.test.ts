import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import type { CalculatedFigures } from './calculated-figures.ts'
import type { Field } from './columns.ts'
import { compareFigures } from './compare.ts'

/** 2 Wh, and 0.01 lira in millionths. */
const TOLERANCE = { kwh: 2n, lira: 10_000n }
const FACILITIES: Readonly<Record<string, string>> = { factory: 'f1', mill: 'f2' }

type Value = bigint | null | undefined
/** A figure of a file: its row, field, value, calculated value, and the facility that the row names. */
type Line = readonly [row: number, field: Field, value: bigint, calculated: Value, facility?: string]

/** Compares figures of the hour with the number of their row. */
function compare(lines: readonly Line[], isResidential = false) {
  const keyOf = (row: number, field: Field, facilityId: string | undefined) =>
    `${row * HOUR_MS} ${field} ${facilityId ?? ''}`
  const values = new Map(
    lines.map(([row, field, , own, name]) => [keyOf(row, field, name && FACILITIES[name]), own]),
  )
  const calculated: CalculatedFigures = {
    isResidential,
    valueOf: ({ span, field, facilityId }) => values.get(keyOf(span.from / HOUR_MS, field, facilityId)),
    facilityIdOf: (text) => FACILITIES[text],
    spans: () => [],
  }
  const figures = lines.map(([row, field, value, , facility]) => ({
    row,
    span: { unit: 'hour' as const, from: row * HOUR_MS },
    facility,
    field,
    value,
  }))
  return compareFigures(figures, calculated, TOLERANCE)
}

describe('a figure of a file', () => {
  test.each([
    ['production_kwh', 2n, true],
    ['production_kwh', -2n, true],
    ['production_kwh', 3n, false],
    ['production_kwh', -3n, false],
    ['matched_try', 10_000n, true],
    ['matched_try', -10_000n, true],
    ['matched_try', 10_001n, false],
    ['matched_try', -10_001n, false],
  ] as const)('of %s that differs by %s agrees: %s', (field, by, agrees) => {
    const { rows, matched_rows, different_rows } = compare([[1, field, 50_000n + by, 50_000n]])
    expect([matched_rows, different_rows, rows.length]).toEqual(agrees ? [1, 0, 0] : [0, 1, 1])
  })

  test('differs by the value of the file less the calculated one', () => {
    const { rows } = compare([[1, 'production_kwh', 7_000n, 9_500n]])
    expect(rows).toMatchObject([{ theirs: '7.000', ours: '9.500', difference: '-2.500' }])
  })

  test('whose calculated value is unknown differs without an amount, also where it is zero', () => {
    const { rows, matched_rows } = compare([[1, 'production_kwh', 0n, null]])
    expect(rows).toMatchObject([{ theirs: '0.000', ours: null, difference: null }])
    expect(matched_rows).toBe(0)
  })

  test('is refused as a repetition only for the same hour, field and facility', () => {
    const { badCells, matched_rows } = compare([
      [1, 'matched_try', 5n, 5n],
      [1, 'sktt_try', 5n, 5n],
      [2, 'matched_try', 5n, 5n],
      [2, 'matched_try', 5n, 5n, 'factory'],
      [2, 'matched_try', 5n, 5n, 'mill'],
      [2, 'matched_try', 5n, 5n, 'mill'],
    ])
    expect(badCells.map(({ row, content }) => [row, content.code])).toEqual([[2, 'CELL_REPEATED']])
    expect(matched_rows).toBe(2)
  })
})

describe('the counts of a comparison', () => {
  test('take a row as agreeing when all its figures agree', () => {
    const compared = compare([
      [1, 'production_kwh', 10n, 10n],
      [1, 'consumption_kwh', 10n, 10n],
      [2, 'production_kwh', 10n, 10n],
      [2, 'consumption_kwh', 10n, 20n],
      [3, 'production_kwh', 10n, 10n],
      [3, 'consumption_kwh', 10n, undefined],
    ])
    expect([compared.matched_rows, compared.different_rows]).toEqual([1, 1])
    expect(compared.missing_ours.map(({ row }) => row)).toEqual([3])
  })

  test('sum the compared figures by field: a figure that was not calculated is left out', () => {
    const { totals } = compare([
      [1, 'production_kwh', 4_000n, 1_000n],
      [2, 'production_kwh', 3_000n, 3_001n],
      [3, 'production_kwh', 2_000n, null],
      [4, 'production_kwh', 9_000n, undefined],
      [5, 'matched_try', 2_000_000n, 3_500_000n],
    ])
    expect(totals).toEqual([
      {
        field: 'production_kwh',
        theirs: '9.000',
        ours: '4.001',
        difference: '4.999',
        compared: 3,
        different: 2,
      },
      {
        field: 'matched_try',
        theirs: '2.000000',
        ours: '3.500000',
        difference: '-1.500000',
        compared: 1,
        different: 1,
      },
    ])
  })
})

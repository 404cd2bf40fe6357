/** What two runs of a month differ in, from their rows. */
import { scaled, sumOf, unscaled } from '../../../kernel/decimal.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { QUANTITIES, type QuantityField } from '../quantities.ts'

export interface QuantityDifference {
  readonly field: QuantityField
  /** Sums of the known hours; null: no hour is known. */
  readonly first: string | null
  readonly second: string | null
  readonly difference: string | null
}

export interface HourDifference {
  readonly hour: string
  readonly changes: readonly {
    readonly field: QuantityField
    readonly first: string | null
    readonly second: string | null
  }[]
}

export interface RunComparison {
  readonly quantities: readonly QuantityDifference[]
  readonly hours: readonly HourDifference[]
}

const PLACES = 3

const sum = (rows: readonly HourlyRow[], field: QuantityField): string | null => {
  const known = rows.flatMap((row) => row[field] ?? [])
  return known.length === 0 ? null : sumOf(known)
}

/** The second run minus the first, by quantity and by hour. An hour that one run has not is left out of the hours. */
export function compareRuns(rows: readonly HourlyRow[], first: string, second: string): RunComparison {
  const firstRows = rows.filter((row) => row.calculation_run_id === first)
  const secondRows = rows.filter((row) => row.calculation_run_id === second)
  const others = new Map(secondRows.map((row) => [row.hour, row]))
  const quantities = QUANTITIES.map(({ field }) => {
    const [a, b] = [sum(firstRows, field), sum(secondRows, field)]
    const difference =
      a === null || b === null ? null : unscaled(scaled(b, PLACES) - scaled(a, PLACES), PLACES)
    return { field, first: a, second: b, difference }
  })
  const hours = firstRows.flatMap((row) => {
    const other = others.get(row.hour)
    if (!other) return []
    const changes = QUANTITIES.filter(({ field }) => row[field] !== other[field]).map(({ field }) => ({
      field,
      first: row[field],
      second: other[field],
    }))
    return changes.length === 0 ? [] : [{ hour: row.hour, changes }]
  })
  return { quantities, hours: hours.toSorted((a, b) => (a.hour < b.hour ? -1 : 1)) }
}

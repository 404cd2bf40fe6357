import {
  fromMillionths,
  isRegister,
  METRICS,
  SESSION_BEGIN_ENERGY,
  SESSION_END_ENERGY,
} from '../../kernel/metrics.ts'
import type { SampleValues } from './intake-contract/index.ts'

/** The value columns of `measurement`, in the order in which they are written and read. */
export const VALUE_COLUMNS = METRICS

/**
 * The values of a stored row as they were sent; `cells` are VALUE_COLUMNS and `extra`, as text or numbers.
 */
export function readValues(cells: readonly unknown[]): SampleValues {
  const read: Record<string, number> = {}
  for (const [index, metric] of VALUE_COLUMNS.entries()) {
    const cell = cells[index]
    if (cell === null || cell === undefined) continue
    read[metric] = isRegister(metric) ? fromMillionths(Number(cell)) : Number(cell)
  }
  return { ...read, ...(cells[VALUE_COLUMNS.length] as SampleValues | null) }
}

/**
 * SQL: epoch milliseconds as a whole float8, which is far cheaper to produce and to read than a timestamp
 * or a numeric.
 */
export const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`

/** SQL: the session values of a sample, as two columns. */
export const SESSION_COLUMNS = `(extra ->> '${SESSION_BEGIN_ENERGY}')::float8, (extra ->> '${SESSION_END_ENERGY}')::float8`

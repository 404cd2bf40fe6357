/** The hours of a range as the columns of a chart: one for each hour, or one for each day of a long range. */
import { DAY_MS, HOUR_MS, TURKEY_OFFSET_MS } from '../../../../../src/kernel/time.ts'
import { sumOf } from '../../../kernel/decimal.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { QUANTITIES, type QuantityField } from '../quantities.ts'
import { type Mark, marksOf, type StaleRange } from './marks.ts'

/** A longer range has a column for each day. */
export const HOURLY_RANGE_MAX_MS = 62 * DAY_MS

export interface Range {
  readonly from: number
  readonly to: number
}

export interface Column extends Range {
  readonly state: 'known' | 'unknown' | 'not_calculated'
  /** Sums of the known hours, as decimals; null: no hour is known. */
  readonly values: Readonly<Record<QuantityField, string | null>>
  readonly marks: ReadonlySet<Mark>
}

/** The columns of the range, without gaps. A column is unknown if production or consumption of one hour is. */
export function columnsOf(
  rows: readonly HourlyRow[],
  range: Range,
  staleRanges: readonly StaleRange[],
): Column[] {
  const width = range.to - range.from > HOURLY_RANGE_MAX_MS ? DAY_MS : HOUR_MS
  const start = (at: number) => Math.floor((at + TURKEY_OFFSET_MS) / width) * width - TURKEY_OFFSET_MS
  const byColumn = new Map<number, HourlyRow[]>()
  for (const row of rows) {
    const column = start(Date.parse(row.hour))
    const others = byColumn.get(column)
    if (others) others.push(row)
    else byColumn.set(column, [row])
  }
  const columns: Column[] = []
  for (let from = start(range.from); from < range.to; from += width)
    columns.push(columnOf({ from, to: from + width }, byColumn.get(from) ?? [], staleRanges))
  return columns
}

function columnOf(range: Range, rows: readonly HourlyRow[], staleRanges: readonly StaleRange[]): Column {
  const isUnknown = rows.some((row) => row.production_kwh === null || row.consumption_kwh === null)
  return {
    ...range,
    state: rows.length === 0 ? 'not_calculated' : isUnknown ? 'unknown' : 'known',
    values: Object.fromEntries(QUANTITIES.map(({ field }) => [field, sumOfKnown(rows, field)])) as Record<
      QuantityField,
      string | null
    >,
    marks: new Set(rows.flatMap((row) => marksOf(row, staleRanges))),
  }
}

function sumOfKnown(rows: readonly HourlyRow[], field: QuantityField): string | null {
  const known = rows.flatMap((row) => row[field] ?? [])
  return known.length === 0 ? null : sumOf(known)
}

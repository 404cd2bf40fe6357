/** The hours of a range as the columns of a chart. */
import { HOUR_MS } from '../../../../../src/kernel/time.ts'
import { approximate, scaled, unscaled } from '../../../kernel/decimal.ts'
import type { StackedColumn } from '../../../ui/stacked-columns.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { QUANTITIES, type QuantityField } from '../quantities.ts'
import { MARKS, marksOf, type StaleRange } from './marks.ts'

export interface Range {
  readonly from: number
  readonly to: number
}

/** Decimals in kWh with a resolution of 1 Wh; null: unknown, or not calculated. */
type Values = Readonly<Record<QuantityField, string | null>>

/** An hour. It is unknown if its production or its consumption is; marks are indexes of MARKS. */
export interface Column extends StackedColumn {
  readonly values: Values
}

/** The areas and the lines of the chart, in the order of their positions in a column. */
const LAYERS = ['matched_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh'] as const
const LINES = ['production_kwh', 'consumption_kwh'] as const

const WH_PLACES = 3
const NO_VALUES = Object.fromEntries(QUANTITIES.map(({ field }) => [field, null])) as Values

const position = (value: string | null): number | null => (value === null ? null : approximate(value))

function columnOf(from: number, row: HourlyRow, staleRanges: readonly StaleRange[]): Column {
  const isUnknown = row.production_kwh === null || row.consumption_kwh === null
  const marks = marksOf(row, staleRanges)
  return {
    ...{ from, to: from + HOUR_MS, state: isUnknown ? 'unknown' : 'known', values: row },
    layers: LAYERS.map((field) => position(row[field])),
    lines: LINES.map((field) => position(row[field])),
    marks: marks.map((mark) => MARKS.findIndex(({ id }) => id === mark)),
  }
}

const notCalculated = (from: number): Column => ({
  ...{ from, to: from + HOUR_MS, state: 'not_calculated', values: NO_VALUES },
  ...{ layers: [], lines: LINES.map(() => null), marks: [] },
})

interface Prepared {
  readonly staleRanges: readonly StaleRange[]
  readonly byHour: ReadonlyMap<number, Column>
}

/** The columns of rows that were read, while the rows are kept: a year has 8,760, and the chart moves over them. */
const prepared = new WeakMap<readonly HourlyRow[], Prepared>()

function prepare(rows: readonly HourlyRow[], staleRanges: readonly StaleRange[]): Prepared['byHour'] {
  const known = prepared.get(rows)
  if (known?.staleRanges === staleRanges) return known.byHour
  const byHour = new Map<number, Column>()
  for (const row of rows) {
    const from = Date.parse(row.hour)
    byHour.set(from, columnOf(from, row, staleRanges))
  }
  prepared.set(rows, { staleRanges, byHour })
  return byHour
}

/** A column for each hour of the range, of the rows of its months. */
export function columnsOf(
  months: readonly (readonly HourlyRow[])[],
  range: Range,
  staleRanges: readonly StaleRange[],
): Column[] {
  const maps = months.map((rows) => prepare(rows, staleRanges))
  let latest = maps[0]
  const columns: Column[] = []
  for (let from = range.from; from < range.to; from += HOUR_MS) {
    let column = latest?.get(from)
    if (!column) {
      latest = maps.find((map) => map.has(from)) ?? latest
      column = latest?.get(from) ?? notCalculated(from)
    }
    columns.push(column)
  }
  return columns
}

export interface Summary {
  readonly totals: Values
  readonly states: Readonly<Record<Column['state'], number>>
  /** The number of columns with each mark. */
  readonly marks: readonly number[]
}

/** The exact sums of the known values, and the number of columns of each kind. */
export function summaryOf(columns: readonly Column[]): Summary {
  const sums = new Map<QuantityField, bigint>()
  const states = { known: 0, unknown: 0, not_calculated: 0 }
  const marks = MARKS.map(() => 0)
  for (const { values, state, marks: found } of columns) {
    states[state] += 1
    for (const mark of found) marks[mark] = (marks[mark] ?? 0) + 1
    if (state === 'not_calculated') continue
    for (const { field } of QUANTITIES) {
      const value = values[field]
      if (value !== null) sums.set(field, (sums.get(field) ?? 0n) + scaled(value, WH_PLACES))
    }
  }
  const totalOf = (field: QuantityField) => {
    const sum = sums.get(field)
    return sum === undefined ? null : unscaled(sum, WH_PLACES)
  }
  const totals = Object.fromEntries(QUANTITIES.map(({ field }) => [field, totalOf(field)])) as Values
  return { totals, states, marks }
}

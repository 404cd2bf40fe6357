import type { Metric, MetricColumn, SampleColumns } from '../../../core/sample-chunks/index.ts'
import { floatAt } from '../../../kernel/checked.ts'
import { fromMillionths, isRegister, METRICS, toMillionths } from '../../../kernel/metrics.ts'
import type { ParquetCells, ParquetColumn } from '../../../platform/parquet/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'

/** The columns of the files, and the way between their cells and stored samples. */

export const DEVICE_COLUMN = 'device_id'
export const TIME_COLUMN = 'time'
const EXTRA_COLUMN = 'extra'

export const COLUMNS: readonly ParquetColumn[] = [
  { name: DEVICE_COLUMN, type: 'text', isRequired: true },
  { name: TIME_COLUMN, type: 'instant', isRequired: true },
  ...METRICS.map((name) => ({ name, type: isRegister(name) ? ('decimal' as const) : ('double' as const) })),
  { name: EXTRA_COLUMN, type: 'text' },
]

/** Rows of a group that grows until it is written. */
export class Group {
  readonly cells: (string | number | bigint | null)[][] = COLUMNS.map(() => [])

  get rows(): number {
    return this.cells[0]?.length ?? 0
  }

  add(deviceId: string, samples: SampleColumns): void {
    for (const [index, { name }] of COLUMNS.entries()) {
      const cells = this.cells[index]
      const column = samples.metrics.get(name as Metric)
      for (let row = 0; row < samples.rows; row++) {
        if (name === DEVICE_COLUMN) cells?.push(deviceId)
        else if (name === TIME_COLUMN) cells?.push(BigInt(floatAt(samples.times, row)))
        else if (name === EXTRA_COLUMN) cells?.push(samples.extra?.[row] ?? null)
        else cells?.push(column ? cellOf(name, column, row) : null)
      }
    }
  }
}

function cellOf(name: string, { nulls, values }: MetricColumn, row: number): number | bigint | null {
  if (nulls?.[row] === 1) return null
  const value = values[row] ?? 0
  return isRegister(name) ? BigInt(value) : Number(value)
}

const MICROSECONDS = 1000n

/** The cells of a row of a group, by column. */
export type Row = (column: string) => string | number | bigint | null

export const rowOf =
  (cells: ReadonlyMap<string, ParquetCells>, row: number): Row =>
  (column) =>
    cells.get(column)?.[row] ?? null

/** Epoch microseconds, and the values as the texts of `cellTexts`, by which samples are compared to the bit. */
export const textsOf = (row: Row): (string | null)[] =>
  [TIME_COLUMN, ...METRICS, EXTRA_COLUMN].map((name) => {
    const cell = row(name)
    return cell === null ? null : Object.is(cell, -0) ? '-0' : String(cell)
  })

/** The number that intake stores as these millionths; undefined when there is none. */
function registerOf(millionths: bigint): number | undefined {
  const wanted = Number(millionths)
  if (BigInt(wanted) !== millionths) return undefined
  const nearest = fromMillionths(wanted)
  // From 2^51 millionths on, the nearest number may be stored as a neighbour.
  const step = Math.abs(nearest) * Number.EPSILON
  return [nearest, nearest - step, nearest + step].find((value) => toMillionths(value) === wanted)
}

/** A row as a sample for intake; undefined when intake would store another one: NaN, microseconds. */
export function sampleOf(row: Row): { readonly at: number; readonly values: SampleValues } | undefined {
  const time = row(TIME_COLUMN)
  if (typeof time !== 'bigint' || time % MICROSECONDS !== 0n) return undefined
  const values: Record<string, unknown> = {}
  for (const metric of METRICS) {
    const cell = row(metric)
    if (cell !== null) values[metric] = typeof cell === 'bigint' ? registerOf(cell) : cell
  }
  const extra = row(EXTRA_COLUMN)
  if (extra !== null) Object.assign(values, JSON.parse(String(extra)))
  const numbers = Object.values(values)
  if (numbers.length === 0 || !numbers.every(Number.isFinite)) return undefined
  return { at: Number(time / MICROSECONDS), values: values as SampleValues }
}

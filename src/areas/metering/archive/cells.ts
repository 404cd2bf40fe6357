import {
  isMetric,
  type Metric,
  type MetricColumn,
  type SampleColumns,
} from '../../../core/sample-chunks/index.ts'
import { floatAt, isRecord } from '../../../kernel/checked.ts'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import {
  fromMillionths,
  isRegister,
  METRICS,
  REGISTER_MAX,
  toMillionths,
  VALUE_MAX,
} from '../../../kernel/metrics.ts'
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

const readInstant = (time: bigint): number | undefined =>
  time % MICROSECONDS === 0n ? Number(time / MICROSECONDS) : undefined

/** NUL and halves of surrogate pairs, which the database cannot store. */
const NO_NAME = /[\0\uD800-\uDFFF]/u

const isName = (metric: string): boolean =>
  metric.length > 0 && metric.length <= METRIC_NAME_MAX_LENGTH && !isMetric(metric) && !NO_NAME.test(metric)

/** The other values of a row; undefined when the text is not an object of names that intake accepts. */
function extraOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const values: unknown = JSON.parse(text)
    return isRecord(values) && Object.keys(values).every(isName) ? values : undefined
  } catch {
    return undefined
  }
}

const isInRange = ([metric, value]: readonly [string, unknown]): boolean =>
  typeof value === 'number' && Math.abs(value) <= (isRegister(metric) ? REGISTER_MAX : VALUE_MAX)

/**
 * A row as a sample for intake; undefined when intake would store another one, as of microseconds, or none, as of NaN.
 * Only samples that were not written by intake are such.
 */
export function sampleOf(row: Row): { readonly at: number; readonly values: SampleValues } | undefined {
  const time = row(TIME_COLUMN)
  const at = typeof time === 'bigint' ? readInstant(time) : undefined
  const text = row(EXTRA_COLUMN)
  const extra = text === null ? {} : extraOf(String(text))
  if (at === undefined || extra === undefined) return undefined
  const values: [string, unknown][] = Object.entries(extra)
  for (const metric of METRICS) {
    const cell = row(metric)
    if (cell !== null) values.push([metric, typeof cell === 'bigint' ? registerOf(cell) : cell])
  }
  if (values.length === 0 || !values.every(isInRange)) return undefined
  return { at, values: Object.fromEntries(values) as SampleValues }
}

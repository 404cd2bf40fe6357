import type { Metric, MetricColumn, SampleColumns } from '../../../core/sample-chunks/index.ts'
import { isRegister } from '../../../kernel/metrics.ts'
import type { Range } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import {
  FLOAT_TEXT_MAX,
  type OutPortion,
  type OutRow,
  type OutVector,
} from '../../../platform/tables/index.ts'
import { readNextSamples } from '../../metering/history/index.ts'
import type { ExportDevice } from './device-store.ts'
import { isColumn } from './export-request.ts'
import { EXPORT_BLOCK_ROWS, EXPORT_PORTION_ROWS } from './limits.ts'
import { readRaw } from './raw-store.ts'

export interface PortionQuery {
  readonly tenantId: number
  readonly device: ExportDevice
  readonly range: Range
  readonly metrics: readonly string[]
  /** Rows that are read at once as numbers; tests use a small number. */
  readonly blockRows?: number
}

/** The samples with which a range begins. */
export interface RawPortions {
  readonly portions: readonly OutPortion[]
  /** The range continues here; undefined: it is read to its end. */
  readonly next: number | undefined
}

/**
 * Reads the next samples of a device, as blocks of numbers where that does not change their text: not for metrics
 * without a column, and not for numbers so large that the database prints them differently.
 */
export async function readPortions(database: ReadDatabase, query: PortionQuery): Promise<RawPortions> {
  const { tenantId, device, range, metrics, blockRows: limit = EXPORT_BLOCK_ROWS } = query
  if (!metrics.every(isColumn)) return readTexts(database, query)
  const wanted = { tenantId, deviceKey: device.key, range, metrics, limit }
  const { samples, until } = await readNextSamples(database, wanted)
  if (!samples.every(isExact)) return readTexts(database, query)
  const portions = samples.map((columns) => ({
    length: columns.rows,
    vectors: [
      { kind: 'constant', cell: device.name },
      { kind: 'constant', cell: device.id },
      { kind: 'instants', values: columns.times.map(toMs) },
      ...metrics.map((metric) => vectorOf(columns, metric)),
    ] satisfies OutVector[],
  }))
  return { portions, next: until < range.to ? until : undefined }
}

async function readTexts(
  { pool }: ReadDatabase,
  { tenantId, device, range, metrics }: PortionQuery,
): Promise<RawPortions> {
  const limit = EXPORT_PORTION_ROWS
  const rows = await readRaw(pool, { tenantId, deviceKey: device.key, range, metrics, limit })
  const last = rows.at(-1)
  return {
    portions: rows.length === 0 ? [] : [rows.map((row): OutRow => [device.name, device.id, ...row])],
    next: last && rows.length >= limit ? last[0] + 1 : undefined,
  }
}

const MICROSECONDS = 1000
const toMs = (microseconds: number): number => Math.round(microseconds / MICROSECONDS)

/** Whether the numbers have the same text here and in the database; those of BigInt are too large. */
const isExact = ({ metrics }: SampleColumns): boolean => [...metrics.values()].every(isExactColumn)

function isExactColumn({ values }: MetricColumn): boolean {
  if (!(values instanceof Float64Array)) return false
  for (let row = 0; row < values.length; row++)
    if (!(Math.abs(values[row] ?? 0) < FLOAT_TEXT_MAX)) return false
  return true
}

function vectorOf({ metrics }: SampleColumns, metric: Metric): OutVector {
  const column = metrics.get(metric)
  if (!column || !(column.values instanceof Float64Array)) return { kind: 'constant', cell: null }
  const { values, nulls } = column
  return { kind: isRegister(metric) ? 'millionths' : 'floats', values, nulls }
}

import { type CounterQuality, qualityOfSum } from '../../../core/netting/counter/quality.ts'
import { type Message, textOf } from '../../../kernel/messages.ts'
import { GAUGES, isRegister, REGISTERS } from '../../../kernel/metrics.ts'
import type { Range } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import type { OutCell, OutColumn, OutTable } from '../../../platform/tables/index.ts'
import {
  type EnergyBucket,
  type Flow,
  type MeteredDevice,
  qualityOfRegister,
  readEnergy,
  readMeteredDevice,
  toEnergyFigures,
} from '../../metering/aggregates/index.ts'
import { AVERAGED, bucketCount, type Interval } from '../../metering/rollup/index.ts'
import type { ExportDevice } from './device-store.ts'
import { type ExportRequest, rangeOfRequest } from './export-request.ts'
import { EXPORT_COUNT_SPAN_MS, EXPORT_ROWS_MAX } from './limits.ts'
import { EXPORT_FAILURES } from './messages.ts'
import { type RawPortions, readPortions } from './raw-portions.ts'
import { countSamples } from './raw-store.ts'
import { titlesOf } from './titles.ts'

/** The reason why an export fails; the message is shown to users. */
export class ExportError extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(textOf(content))
    this.content = content
  }
}

export interface TableSource {
  readonly database: ReadDatabase
  readonly tenantId: number
  readonly devices: readonly ExportDevice[]
  readonly request: ExportRequest
  /** Time of creation, epoch milliseconds; a bucket that ends later is still growing. */
  readonly at: number
  /** Aborts the read between two portions. */
  readonly signal?: AbortSignal
}

/** A table with its number of rows; by hour, day or month, the maximum number. */
export interface CountedTable extends OutTable {
  readonly rows: number
}

/** Opens the table of an export. Its rows are read in portions while it is written. */
export async function openTable(source: TableSource): Promise<CountedTable> {
  const { request } = source
  const { columns, ...table } =
    request.interval === 'raw' ? await openRaw(source) : await openBuckets(source, request.interval)
  const titleOf = titlesOf(request)
  return { ...table, columns: columns.map((column) => ({ ...column, title: titleOf(column.title) })) }
}

const DEVICE: readonly OutColumn[] = [
  { title: 'device_name', kind: 'text', width: 28 },
  { title: 'device_id', kind: 'text', width: 38 },
]
const BUCKET_START: OutColumn = { title: 'timestamp', kind: 'instant' }
/**
 * Milliseconds are shown, because a sheet that shows whole seconds rounds: the last sample of a year would
 * move into the next year.
 */
const SAMPLED_AT: OutColumn = { ...BUCKET_START, decimals: 3, width: 24 }
const numbers = (metrics: readonly string[]): OutColumn[] =>
  metrics.map((title) => ({ title, kind: 'number' }))

async function openRaw(source: TableSource): Promise<CountedTable> {
  const { rows, metrics: found } = await countAll(source)
  const metrics = source.request.metrics ?? found
  const portions = rawPortions(source, metrics)
  return { columns: [...DEVICE, SAMPLED_AT, ...numbers(metrics)], portions, rows }
}

const METRICS: readonly string[] = [...REGISTERS, ...GAUGES]

/** Counts by device and month, so that no statement runs for minutes. */
async function countAll({ database, tenantId, devices, request, signal }: TableSource) {
  const { from, to } = rangeOfRequest(request)
  const metrics = new Set<string>()
  let rows = 0
  for (const { key } of devices) {
    for (let at = from; at < to; at += EXPORT_COUNT_SPAN_MS) {
      signal?.throwIfAborted()
      const range = { from: at, to: Math.min(to, at + EXPORT_COUNT_SPAN_MS) }
      const counted = await countSamples(database.pool, {
        tenantId,
        deviceKeys: [key],
        range,
        rowsMax: EXPORT_ROWS_MAX + 1,
        isOnlyCount: request.metrics !== null,
      })
      rows += counted.rows
      for (const metric of counted.metrics) metrics.add(metric)
      if (rows > EXPORT_ROWS_MAX) {
        throw new ExportError(EXPORT_FAILURES.EXPORT_TOO_MANY_ROWS({ max: EXPORT_ROWS_MAX }))
      }
    }
  }
  return { rows, metrics: METRICS.filter((metric) => metrics.has(metric)) }
}

async function* rawPortions(source: TableSource, metrics: readonly string[]) {
  const { database, tenantId, devices, request, signal } = source
  const whole = rangeOfRequest(request)
  for (const device of devices) {
    const read = (range: Range) => readAhead(readPortions(database, { tenantId, device, range, metrics }))
    let reading: Promise<RawPortions> | undefined = read(whole)
    while (reading !== undefined) {
      signal?.throwIfAborted()
      const { portions, next }: RawPortions = await reading
      // The next portion is read while this one is written.
      reading = next === undefined ? undefined : read({ from: next, to: whole.to })
      yield* portions
    }
  }
}

/** The reader may stop before it awaits this promise; its rejection must not be reported as unhandled. */
function readAhead<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/** A column that marks rows that are estimated in part. */
const IS_ESTIMATED: OutColumn = { title: 'is_estimated', kind: 'text', width: 14 }
/** A column with the quality of the energies of a row. */
const DATA_QUALITY: OutColumn = { title: 'data_quality', kind: 'text', width: 14 }
const DEFAULT_REGISTERS = ['import_active_energy', 'export_active_energy', 'production_active_energy']

async function openBuckets(source: TableSource, interval: Interval): Promise<CountedTable> {
  const { database, tenantId, devices, request } = source
  const heads: Head[] = []
  for (const device of devices) {
    const head = await readMeteredDevice(database.pool, tenantId, device.id)
    if (head) heads.push({ device, head })
  }
  const metrics = request.metrics ?? [...registersOf(heads), ...AVERAGED]
  return {
    columns: [...DEVICE, BUCKET_START, ...numbers(metrics), IS_ESTIMATED, DATA_QUALITY],
    portions: bucketPortions(source, { interval, heads, metrics }),
    rows: heads.length * bucketCount(interval, rangeOfRequest(request)),
  }
}

interface Head {
  readonly device: ExportDevice
  readonly head: MeteredDevice
}

/** The registers that the roll-up has seen for the devices; the common ones while it has seen none. */
function registersOf(heads: readonly Head[]): string[] {
  const bits = heads.reduce((all, { head }) => all | head.registers, 0)
  return bits === 0 ? DEFAULT_REGISTERS : REGISTERS.filter((_, index) => (bits & (1 << index)) !== 0)
}

interface BucketInput {
  readonly interval: Interval
  readonly heads: readonly Head[]
  readonly metrics: readonly string[]
}

async function* bucketPortions(source: TableSource, { interval, heads, metrics }: BucketInput) {
  const range = rangeOfRequest(source.request)
  const wordOf = titlesOf(source.request)
  for (const { device, head } of heads) {
    source.signal?.throwIfAborted()
    const { buckets, registers } = await readEnergy(source.database.pool, head, { interval, range })
    const context = { interval, registers, isInverter: head.isInverter, now: source.at }
    yield buckets.map((bucket) => {
      const { cells, isEstimated, quality } = cellsOf(bucket, metrics, context)
      return [device.name, device.id, ...cells, wordOf(String(isEstimated)), quality && wordOf(quality)]
    })
  }
}

const MEAN_DECIMALS = 1e6
const KILO = 1000

const FLOW_OF: ReadonlyMap<string, Flow> = new Map([
  ['import_active_energy', 'consumption'],
  ['production_active_energy', 'production'],
  ['export_active_energy', 'exported'],
])

/** Import and production follow the rules of the aggregates endpoint; the other registers are differences. */
function cellsOf(
  bucket: EnergyBucket,
  metrics: readonly string[],
  context: Parameters<typeof toEnergyFigures>[1],
): { cells: OutCell[]; isEstimated: boolean; quality: CounterQuality | null } {
  const figures = toEnergyFigures(bucket, context)
  const { consumption, production, isEstimated } = figures
  const ruled = new Map([
    ['import_active_energy', consumption],
    ['production_active_energy', production],
  ])
  const qualityOf = (metric: string): CounterQuality | null => {
    const flow = FLOW_OF.get(metric)
    if (flow) return figures.quality[flow]
    const register = isRegister(metric) ? REGISTERS.indexOf(metric) : -1
    if (register < 0 || (context.registers & (1 << register)) === 0) return null
    return qualityOfRegister(bucket, { ...context, register, isEstimated: false })
  }
  const values = metrics.map((metric) => {
    if (!isRegister(metric)) return rounded(bucket.averages[averaged.indexOf(metric)] ?? null)
    const energy = ruled.has(metric) ? ruled.get(metric) : bucket.energies[REGISTERS.indexOf(metric)]
    return energy === null || energy === undefined ? null : energy / KILO
  })
  const qualities = metrics.flatMap((metric) => qualityOf(metric) ?? [])
  return {
    cells: [bucket.start, ...values],
    isEstimated,
    quality: qualities.length === 0 ? null : qualityOfSum(qualities),
  }
}
const averaged: readonly string[] = AVERAGED
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * MEAN_DECIMALS) / MEAN_DECIMALS

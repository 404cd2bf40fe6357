import type { CounterQuality } from '../../../../core/netting/counter/quality.ts'
import { REGISTERS } from '../../../../kernel/metrics.ts'
import { DAY_MS, type Range } from '../../../../kernel/time.ts'
import {
  type EnergyBucket,
  type FigureOptions,
  qualitiesOf,
  qualityOfRegister,
  readEnergy,
  readMeteredDevice,
  toEnergyFigures,
} from '../../../metering/aggregates/index.ts'
import { bucketEnd, type Interval, wholeBuckets } from '../../../metering/rollup/index.ts'
import { rangeOfRequest } from '../export-request.ts'
import { EXPORT_PDF_DAYS_MAX } from '../limits.ts'
import type { TableSource } from '../table.ts'

/** Wh and varh; null where no value is known. */
export interface Sums {
  readonly consumption: number | null
  readonly production: number | null
  readonly exported: number | null
  readonly inductive: number | null
  readonly capacitive: number | null
  readonly isEstimated: boolean
  /** The qualities of the parts, each once. */
  readonly qualities: readonly CounterQuality[]
}

export interface ReportFigures {
  readonly interval: 'daily' | 'monthly'
  readonly range: Range
  readonly devices: readonly { readonly name: string; readonly sums: Sums }[]
  /** Sums over all devices for each day or month of the range, ascending. */
  readonly buckets: readonly { readonly start: number; readonly sums: Sums }[]
  readonly total: Sums
}

const NOTHING: Sums = {
  consumption: null,
  production: null,
  exported: null,
  inductive: null,
  capacitive: null,
  isEstimated: false,
  qualities: [],
}
const NO_BUCKET: Sums = { ...NOTHING, qualities: ['missing'] }
const plus = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0))
const add = (a: Sums, b: Sums): Sums => ({
  consumption: plus(a.consumption, b.consumption),
  production: plus(a.production, b.production),
  exported: plus(a.exported, b.exported),
  inductive: plus(a.inductive, b.inductive),
  capacitive: plus(a.capacitive, b.capacitive),
  isEstimated: a.isEstimated || b.isEstimated,
  qualities: [...new Set([...a.qualities, ...b.qualities])],
})

const INDUCTIVE = REGISTERS.indexOf('inductive_reactive_energy')
const CAPACITIVE = REGISTERS.indexOf('capacitive_reactive_energy')

function toSums(bucket: EnergyBucket, options: FigureOptions): Sums {
  const figures = toEnergyFigures(bucket, options)
  const reactive = [INDUCTIVE, CAPACITIVE]
    .filter((register) => (options.registers & (1 << register)) !== 0)
    .map((register) => qualityOfRegister(bucket, { ...options, register, isEstimated: false }))
  return {
    ...figures,
    inductive: bucket.energies[INDUCTIVE] ?? null,
    capacitive: bucket.energies[CAPACITIVE] ?? null,
    qualities: [...qualitiesOf(figures), ...reactive],
  }
}

/** Chooses days, or months where requested or where the days would not fit the report. */
function reportInterval(
  { interval }: { interval: 'raw' | Interval },
  { from, to }: Range,
): ReportFigures['interval'] {
  return interval === 'monthly' || to - from > EXPORT_PDF_DAYS_MAX * DAY_MS ? 'monthly' : 'daily'
}

/** Reads the figures of a report, one device at a time. */
export async function readFigures(source: TableSource): Promise<ReportFigures> {
  const requested = rangeOfRequest(source.request)
  const interval = reportInterval(source.request, requested)
  const range = wholeBuckets(interval, requested)
  const byStart = new Map<number, Sums>()
  for (let at = range.from; at < range.to; at = bucketEnd(interval, at)) byStart.set(at, NOTHING)
  const devices: { name: string; sums: Sums }[] = []
  for (const { id, name } of source.devices) {
    source.signal?.throwIfAborted()
    const head = await readMeteredDevice(source.database.pool, source.tenantId, id)
    if (!head) continue
    const { buckets, registers } = await readEnergy(source.database.pool, head, { interval, range })
    const options = { interval, registers, isInverter: head.isInverter, now: source.at }
    const known = new Map(buckets.map((bucket) => [bucket.start, toSums(bucket, options)]))
    let sums = NOTHING
    for (const [start, all] of byStart) {
      const ofDevice = known.get(start) ?? NO_BUCKET
      sums = add(sums, ofDevice)
      byStart.set(start, add(all, ofDevice))
    }
    devices.push({ name, sums })
  }
  return {
    interval,
    range,
    devices,
    buckets: [...byStart].map(([start, sums]) => ({ start, sums })),
    total: devices.reduce((all, { sums }) => add(all, sums), NOTHING),
  }
}

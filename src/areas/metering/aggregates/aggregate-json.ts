import { aggregateRow } from '../../../core/netting/counter/aggregate.ts'
import { type CounterQuality, qualityOfBucket } from '../../../core/netting/counter/quality.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import { bucketEnd, type Interval, round6 } from '../rollup/index.ts'
import { type BucketRow, bucketStartMs, type Variant } from './bucket-store.ts'
import type { AggregatedResponse, AggregatedRow } from './schema.ts'

export interface AggregateInput {
  readonly deviceId: string
  readonly variant: Variant
  readonly interval: Interval
  readonly range: Range
  readonly isInverter: boolean
  /** Hours that were computed from samples. */
  readonly raw: readonly Range[]
  readonly buckets: readonly BucketRow[]
  /** A bucket that ends later is still growing. */
  readonly now: number
}

/**
 * Rows encoded at once: few enough that they are collected in the young generation, many enough that there
 * are few chunks.
 */
const ROWS_PER_CHUNK = 50
/** Typical size of a row, and of the rest of the document. */
const ROW_BYTES = 320
const HEADER_BYTES = 512

/**
 * The response of the aggregate endpoints, encoded without a generic serializer. A year of hours is two
 * megabytes of the same twelve keys, so rows are built while they are encoded and never exist all at once.
 * `toJSON` returns the same as objects; a property test compares both byte for byte.
 */
export class AggregateJson implements AggregatedResponse {
  readonly device_id: string
  readonly interval: Interval
  readonly start: string
  readonly end: string
  private readonly input: AggregateInput

  constructor(input: AggregateInput) {
    this.device_id = input.deviceId
    this.interval = input.interval
    this.start = iso(input.range.from)
    this.end = iso(input.range.to)
    this.input = input
  }

  get data(): AggregatedRow[] {
    return this.input.buckets.map((bucket) => toRow(bucket, this.input))
  }

  private header() {
    const { device_id, interval, start, end } = this
    return { device_id, interval, start, end }
  }

  toJSON(): AggregatedResponse {
    return { ...this.header(), data: this.data }
  }

  /** The JSON text, which is ASCII only. */
  toBuffer(): Buffer {
    const { buckets } = this.input
    const writer = new AsciiWriter(HEADER_BYTES + buckets.length * ROW_BYTES)
    writer.write(`${JSON.stringify(this.header()).slice(0, -1)},"data":[`)
    for (let from = 0; from < buckets.length; from += ROWS_PER_CHUNK) {
      const rows = buckets
        .slice(from, from + ROWS_PER_CHUNK)
        .map((bucket) => encodeRow(toRow(bucket, this.input)))
      writer.write(`${from === 0 ? '' : ','}${rows.join()}`)
    }
    writer.write(']}')
    return writer.toBuffer()
  }
}

/** Appends ASCII text to a growing buffer. */
class AsciiWriter {
  private bytes: Buffer
  private length = 0

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafe(expectedBytes)
  }

  write(text: string): void {
    if (this.length + text.length > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2 + text.length)
    }
    this.length += this.bytes.write(text, this.length, 'latin1')
  }

  toBuffer(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}

const overlapsAny = (ranges: readonly Range[], bucket: Range): boolean =>
  ranges.some(({ from, to }) => from < bucket.to && to > bucket.from)

const toWh = (value: number | null): Kwh | null => (value === null ? null : wh(BigInt(value)))
const toKwh = (energy: Kwh | null): number | null => (energy === null ? null : Number(energy) / 1000)
const roundOrNull = (value: number | null): number | null => (value === null ? null : round6(value))

/** Applies the four rules of the interface to a bucket; see core/netting/counter/aggregate.ts. */
function toRow(
  bucket: BucketRow,
  { variant, interval, isInverter, raw, now }: AggregateInput,
): AggregatedRow {
  const [, energyWh, hasReading, reactiveVarh, voltageAvg, currentAvg, powerAvg, factorAvg] = bucket
  const from = bucketStartMs(bucket)
  const range = { from, to: bucketEnd(interval, from) }
  const { totalEnergy, totalReactiveEnergy, isEstimated } = aggregateRow({
    variant,
    register: { energy: toWh(energyWh), hasReading },
    powerKw: directedPower(powerAvg, { variant, isInverter }),
    bucket: range,
    reactive: toWh(reactiveVarh),
  })
  const energy = toKwh(totalEnergy)
  const voltage = roundOrNull(voltageAvg)
  const current = roundOrNull(currentAvg)
  const powerFactor = roundOrNull(factorAvg)
  const isUnrolled = variant === 'production' && overlapsAny(raw, range)
  return {
    timestamp: encodeHour(from),
    voltage_avg: voltage,
    current_avg: current,
    power_avg: roundOrNull(powerAvg),
    energy_kwh: energy,
    power_factor_avg: powerFactor,
    total_energy: energy,
    total_reactive_energy: toKwh(totalReactiveEnergy),
    power_factor: isUnrolled ? null : powerFactor,
    voltage: isUnrolled ? null : voltage,
    current: isUnrolled ? null : current,
    is_estimated: isEstimated,
    data_quality: qualityOf(bucket, { range, isEstimated, now }),
  }
}

function qualityOf(
  bucket: BucketRow,
  {
    range: { from, to },
    isEstimated,
    now,
  }: { readonly range: Range; readonly isEstimated: boolean; readonly now: number },
): CounterQuality {
  const [, energyWh, hasReading, , , , , , , completeHours, isSuspect] = bucket
  return qualityOfBucket({
    isSuspect,
    hasReading: hasReading && energyWh !== null,
    isWhole: !isEstimated && to <= now && completeHours * HOUR_MS === to - from,
  })
}

/**
 * Encodes a row exactly as JSON.stringify does. Four of its numbers occur twice, and formatting numbers is
 * most of the work: each is formatted once.
 */
function encodeRow(row: AggregatedRow): string {
  const [voltage, current, factor, energy] = [
    String(row.voltage_avg),
    String(row.current_avg),
    String(row.power_factor_avg),
    String(row.energy_kwh),
  ]
  return (
    `{"timestamp":"${row.timestamp}","voltage_avg":${voltage},"current_avg":${current},` +
    `"power_avg":${row.power_avg},"energy_kwh":${energy},"power_factor_avg":${factor},` +
    `"total_energy":${energy},"total_reactive_energy":${row.total_reactive_energy},` +
    `"power_factor":${row.power_factor === null ? null : factor},` +
    `"voltage":${row.voltage === null ? null : voltage},` +
    `"current":${row.current === null ? null : current},"is_estimated":${row.is_estimated},` +
    `"data_quality":"${row.data_quality}"}`
  )
}

let cachedDay = Number.NaN
let cachedDate = ''

/** The same text as `iso` for whole hours. Consecutive hours share a date, which is formatted once. */
function encodeHour(at: number): string {
  const day = Math.floor(at / DAY_MS)
  if (day !== cachedDay) {
    cachedDay = day
    cachedDate = iso(at).slice(0, 11)
  }
  const hour = (at - day * DAY_MS) / HOUR_MS
  return `${cachedDate}${hour < 10 ? '0' : ''}${hour}:00:00.000Z`
}

/**
 * The power for an estimate, positive in the direction of the variant. active_power counts consumption as
 * positive. An inverter never consumes, so the sign of its power only depends on the wiring and is ignored
 * for production.
 */
export function directedPower(
  power: number | null,
  { variant, isInverter }: { variant: Variant; isInverter: boolean },
): number | null {
  if (power === null) return null
  if (variant === 'consumption') return Math.max(0, power)
  return isInverter ? Math.abs(power) : Math.max(0, -power)
}

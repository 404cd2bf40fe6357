import { aggregateRow } from '../../../core/netting/counter/aggregate.ts'
import { type CounterQuality, qualityOfBucket } from '../../../core/netting/counter/quality.ts'
import { at } from '../../../kernel/checked.ts'
import { DAY_MS, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import { textPart } from '../../../platform/bytes/byte-writer.ts'
import { JsonWriter } from '../../../platform/bytes/json-writer.ts'
import type { EncodedResponse } from '../../../platform/http/encoded-response.ts'
import { bucketCount, bucketEnd, type Interval, round6 } from '../rollup/index.ts'
import { type BucketRow, bucketStartMs, type Variant } from './bucket-row.ts'
import type { AggregatedResponse, AggregatedRow } from './schema.ts'

export interface AggregateInput {
  readonly deviceId: string
  readonly variant: Variant
  readonly interval: Interval
  readonly range: Range
  readonly isInverter: boolean
  /** A bucket that ends later is still growing. */
  readonly now: number
}

/** Typical size of a row, and of the rest of the document. */
const ROW_BYTES = 320
const HEADER_BYTES = 512

/** The text of a row with its comma. */
interface RowText {
  readonly start: number
  readonly text: Buffer
}

/**
 * The response of the aggregate endpoints, encoded without a generic serializer. A year of hours is two megabytes of
 * the same thirteen keys, so each row becomes text when it arrives, while the database sends the next ones, and the
 * rows never exist all at once.
 */
export class AggregateJson implements AggregatedResponse, EncodedResponse {
  readonly device_id: string
  readonly interval: Interval
  readonly start: string
  readonly end: string
  private readonly input: AggregateInput
  /** The document up to the comma of its last row. */
  private readonly writer: JsonWriter
  /** Of each row: the instant of its bucket, and where its text begins. */
  private readonly instants: number[] = []
  private readonly offsets: number[] = []
  private encoded: Buffer | undefined

  constructor(input: AggregateInput) {
    this.device_id = input.deviceId
    this.interval = input.interval
    this.start = iso(input.range.from)
    this.end = iso(input.range.to)
    this.input = input
    this.writer = new JsonWriter(HEADER_BYTES + bucketCount(input.interval, input.range) * ROW_BYTES)
    const { device_id, interval, start, end } = this
    this.writer.ascii(`${JSON.stringify({ device_id, interval, start, end }).slice(0, -1)},"data":[`)
  }

  /** Adds a rolled-up bucket after the others. */
  add(bucket: BucketRow): void {
    this.write(bucket, false)
  }

  /** Puts buckets that were computed from samples in the place of all rows of `stale`; both are ascending. */
  replace(stale: readonly Range[], computed: readonly BucketRow[]): void {
    const [first] = stale
    if (!first) return
    const kept = this.takeFrom(first.from).filter(
      ({ start }) => !stale.some(({ from, to }) => start >= from && start < to),
    )
    let next = 0
    for (const bucket of computed) {
      for (let row = kept[next]; row && row.start < bucketStartMs(bucket); row = kept[next]) {
        this.append(row)
        next += 1
      }
      this.write(bucket, true)
    }
    for (const row of kept.slice(next)) this.append(row)
  }

  /** Removes the rows from an instant on. */
  private takeFrom(instant: number): RowText[] {
    let count = this.instants.length
    while (count > 0 && at(this.instants, count - 1) >= instant) count -= 1
    const begins = this.offsets.splice(count)
    const [first = this.writer.size] = begins
    const texts = this.writer.cut(first)
    return this.instants.splice(count).map((start, row) => ({
      start,
      text: texts.subarray(at(begins, row) - first, (begins[row + 1] ?? Number.POSITIVE_INFINITY) - first),
    }))
  }

  private append({ start, text }: RowText): void {
    this.begin(start)
    this.writer.bytesOf(text)
  }

  private begin(start: number): void {
    this.instants.push(start)
    this.offsets.push(this.writer.size)
  }

  private write(bucket: BucketRow, isComputed: boolean): void {
    const start = bucketStartMs(bucket)
    this.begin(start)
    this.writer.part(TIMESTAMP)
    writeHour(this.writer, start)
    writeFigures(this.writer, toRow(bucket, this.input, isComputed))
  }

  get data(): AggregatedResponse['data'] {
    return this.toJSON().data
  }

  toJSON(): AggregatedResponse {
    return JSON.parse(this.toBuffer().toString()) as AggregatedResponse
  }

  /** The JSON text, which is ASCII only; nothing can be added after it. */
  toBuffer(): Buffer {
    this.encoded ??= this.finish()
    return this.encoded
  }

  private finish(): Buffer {
    const { writer } = this
    // Without the comma of the last row.
    if (this.offsets.length > 0) writer.cut(writer.size - 1)
    writer.part(END)
    return writer.toBuffer()
  }
}

const toKwh = (energyWh: number | null): number | null => (energyWh === null ? null : energyWh / 1000)
const roundOrNull = (value: number | null): number | null => (value === null ? null : round6(value))

type FiguresOfRow = Omit<AggregatedRow, 'timestamp'>

/**
 * Applies the four rules of the interface to a bucket; see core/netting/counter/aggregate.ts. `isComputed`: from
 * samples, because a part of the bucket is not rolled up.
 */
export function toRow(
  bucket: BucketRow,
  { variant, interval, isInverter, now }: Omit<AggregateInput, 'deviceId' | 'range'>,
  isComputed: boolean,
): FiguresOfRow {
  const [, energyWh, hasReading, reactiveVarh, voltageAvg, currentAvg, powerAvg, factorAvg] = bucket
  const from = bucketStartMs(bucket)
  const range = { from, to: bucketEnd(interval, from) }
  const total = aggregateRow({
    variant,
    energyWh,
    hasReading,
    powerKw: directedPower(powerAvg, { variant, isInverter }),
    hours: (range.to - range.from) / HOUR_MS,
  })
  const { isEstimated } = total
  const energy = toKwh(total.energyWh)
  const voltage = roundOrNull(voltageAvg)
  const current = roundOrNull(currentAvg)
  const powerFactor = roundOrNull(factorAvg)
  const isUnrolled = variant === 'production' && isComputed
  return {
    voltage_avg: voltage,
    current_avg: current,
    power_avg: roundOrNull(powerAvg),
    energy_kwh: energy,
    power_factor_avg: powerFactor,
    total_energy: energy,
    total_reactive_energy: variant === 'production' ? null : toKwh(reactiveVarh),
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

const END = textPart(']}')
const ROW_ENDS = {
  complete: textPart('complete"},'),
  partial: textPart('partial"},'),
  missing: textPart('missing"},'),
  suspect: textPart('suspect"},'),
} as const
const HOUR_END = textPart(':00:00.000Z","voltage_avg":')
const TIMESTAMP = textPart('{"timestamp":"')
const CURRENT_AVG = textPart(',"current_avg":')
const POWER_AVG = textPart(',"power_avg":')
const ENERGY = textPart(',"energy_kwh":')
const FACTOR_AVG = textPart(',"power_factor_avg":')
const TOTAL_ENERGY = textPart(',"total_energy":')
const REACTIVE = textPart(',"total_reactive_energy":')
const FACTOR = textPart(',"power_factor":')
const VOLTAGE = textPart(',"voltage":')
const CURRENT = textPart(',"current":')
const ESTIMATED = textPart(',"is_estimated":true,"data_quality":"')
const NOT_ESTIMATED = textPart(',"is_estimated":false,"data_quality":"')

/** Writes what follows the time in a row. */
function writeFigures(writer: JsonWriter, row: FiguresOfRow): void {
  writer.number(row.voltage_avg)
  writer.part(CURRENT_AVG)
  writer.number(row.current_avg)
  writer.part(POWER_AVG)
  writer.number(row.power_avg)
  writer.part(ENERGY)
  writer.number(row.energy_kwh)
  writer.part(FACTOR_AVG)
  writer.number(row.power_factor_avg)
  writer.part(TOTAL_ENERGY)
  writer.number(row.total_energy)
  writer.part(REACTIVE)
  writer.number(row.total_reactive_energy)
  writer.part(FACTOR)
  writer.number(row.power_factor)
  writer.part(VOLTAGE)
  writer.number(row.voltage)
  writer.part(CURRENT)
  writer.number(row.current)
  writer.part(row.is_estimated ? ESTIMATED : NOT_ESTIMATED)
  writer.part(ROW_ENDS[row.data_quality])
}

let cachedDay = Number.NaN
let cachedDate = textPart('')

/** The same text as `iso` for whole hours. Consecutive hours share a date, which is formatted once. */
function writeHour(writer: JsonWriter, hourStart: number): void {
  const day = Math.floor(hourStart / DAY_MS)
  if (day !== cachedDay) {
    cachedDay = day
    cachedDate = textPart(iso(hourStart).slice(0, 11))
  }
  writer.part(cachedDate)
  writer.twoDigits((hourStart - day * DAY_MS) / HOUR_MS)
  writer.part(HOUR_END)
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

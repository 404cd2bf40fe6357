import { aggregateRow } from '../../../../core/netting/counter/aggregate.ts'
import { type CounterQuality, qualityOfBucket } from '../../../../core/netting/counter/quality.ts'
import { HOUR_MS, hoursOf, iso, type Range } from '../../../../kernel/time.ts'
import { textPart } from '../../../../platform/bytes/byte-writer.ts'
import { JsonWriter } from '../../../../platform/bytes/json-writer.ts'
import type { EncodedResponse } from '../../../../platform/http/encoded-response.ts'
import { directedPower } from '../aggregate-json.ts'
import type { Variant } from '../bucket-row.ts'

import type { HourTable } from './hour-table.ts'
import type { DeviceHours } from './schema.ts'

interface HoursInput {
  readonly devices: readonly { readonly id: string; readonly isInverter: boolean }[]
  readonly table: HourTable
  readonly range: Range
  readonly variant: Variant
  readonly total: number
  readonly skip: number
  readonly limit: number
  /** An hour that ends later is still growing. */
  readonly now: number
}

interface Hour {
  readonly energyKwh: number | null
  readonly isEstimated: boolean
  readonly quality: CounterQuality
}

const NO_HOUR: Hour = { energyKwh: null, isEstimated: false, quality: 'missing' }

/** Applies the rules of the aggregate of a device to an hour. */
function hourOf({ table, variant, range, devices, now }: HoursInput, row: number, column: number): Hour {
  const cell = table.at(row, column)
  if (!cell) return NO_HOUR
  const { energyWh, hasReading, isSuspect, isWhole } = cell
  const isInverter = devices[row]?.isInverter === true
  const powerKw = directedPower(cell.powerKw, { variant, isInverter })
  const { energyWh: total, isEstimated } = aggregateRow({ variant, energyWh, hasReading, powerKw, hours: 1 })
  const hasEnded = range.from + (column + 1) * HOUR_MS <= now
  return {
    energyKwh: total === null ? null : total / 1000,
    isEstimated,
    quality: qualityOfBucket({ isSuspect, hasReading, isWhole: isWhole && !isEstimated && hasEnded }),
  }
}

const HEADER_BYTES = 1_024
/** Typical size of an hour of a device. */
const HOUR_BYTES = 32
const DEVICE_BYTES = 128

const COMMA = textPart(',')
const ESTIMATED = textPart('],"is_estimated":[')
const QUALITY = textPart('],"data_quality":[')
const DEVICE_END = textPart(']}')
const TRUE = textPart('true')
const FALSE = textPart('false')
const QUALITIES = {
  complete: textPart('"complete"'),
  partial: textPart('"partial"'),
  missing: textPart('"missing"'),
  suspect: textPart('"suspect"'),
} as const

/** The hours of many devices, encoded without a generic serializer; `toJSON` returns the same as objects. */
export class HoursJson implements DeviceHours, EncodedResponse {
  readonly start: string
  readonly end: string
  readonly timestamps: string[]
  readonly total: number
  readonly skip: number
  readonly limit: number
  private readonly input: HoursInput

  constructor(input: HoursInput) {
    this.start = iso(input.range.from)
    this.end = iso(input.range.to)
    this.timestamps = hoursOf(input.range).map(iso)
    this.total = input.total
    this.skip = input.skip
    this.limit = input.limit
    this.input = input
  }

  get devices(): DeviceHours['devices'] {
    return this.input.devices.map(({ id }, row) => {
      const hours = this.hoursOfRow(row)
      return {
        device_id: id,
        total_energy: hours.map(({ energyKwh }) => energyKwh),
        is_estimated: hours.map(({ isEstimated }) => isEstimated),
        data_quality: hours.map(({ quality }) => quality),
      }
    })
  }

  private header() {
    const { start, end, timestamps } = this
    return { start, end, timestamps }
  }

  private footer() {
    const { total, skip, limit } = this
    return { total, skip, limit }
  }

  private hoursOfRow(row: number): Hour[] {
    return Array.from({ length: this.input.table.hours }, (_, column) => hourOf(this.input, row, column))
  }

  toJSON(): DeviceHours {
    return { ...this.header(), devices: this.devices, ...this.footer() }
  }

  /** The JSON text, which is ASCII only. */
  toBuffer(): Buffer {
    const { devices, table } = this.input
    const writer = new JsonWriter(HEADER_BYTES + devices.length * (DEVICE_BYTES + table.hours * HOUR_BYTES))
    writer.ascii(`${JSON.stringify(this.header()).slice(0, -1)},"devices":[`)
    for (const [row, { id }] of devices.entries()) {
      if (row > 0) writer.part(COMMA)
      writer.ascii(`{"device_id":"${id}","total_energy":[`)
      this.writeHours(writer, this.hoursOfRow(row))
    }
    writer.ascii(`],${JSON.stringify(this.footer()).slice(1)}`)
    return writer.toBuffer()
  }

  private writeHours(writer: JsonWriter, hours: readonly Hour[]): void {
    for (let index = 0; index < hours.length; index++) {
      if (index > 0) writer.part(COMMA)
      writer.number(hours[index]?.energyKwh ?? null)
    }
    writer.part(ESTIMATED)
    for (let index = 0; index < hours.length; index++) {
      if (index > 0) writer.part(COMMA)
      writer.part(hours[index]?.isEstimated === true ? TRUE : FALSE)
    }
    writer.part(QUALITY)
    for (let index = 0; index < hours.length; index++) {
      if (index > 0) writer.part(COMMA)
      writer.part(QUALITIES[hours[index]?.quality ?? 'missing'])
    }
    writer.part(DEVICE_END)
  }
}

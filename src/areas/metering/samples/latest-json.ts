import { unitOf } from '../../../core/register-map/units.ts'
import { iso } from '../../../kernel/time.ts'
import { type Part, textPart } from '../../../platform/bytes/byte-writer.ts'
import { JsonWriter } from '../../../platform/bytes/json-writer.ts'
import type { EncodedResponse } from '../../../platform/http/encoded-response.ts'
import type { DeviceState } from './newest-of-metrics-store.ts'
import type { LatestValues } from './schema.ts'

export interface LatestValue {
  readonly metric: string
  readonly at: number
  readonly value: number
}

interface LatestInput {
  readonly now: number
  readonly devices: readonly { readonly state: DeviceState; readonly values: readonly LatestValue[] }[]
  readonly total: number
  /** Ids of the request that are no device. */
  readonly unknown: readonly string[]
}

const HEADER_BYTES = 256
/** Typical sizes. */
const DEVICE_BYTES = 128
const VALUE_BYTES = 128

const COMMA = textPart(',')
const DEVICE = textPart('{"device_id":"')
const ONLINE = textPart('","is_online":true,"last_seen":')
const OFFLINE = textPart('","is_online":false,"last_seen":')
const LAST_SEEN = textPart('"')
const VALUES = textPart('","values":[')
const NEVER_SEEN = textPart('null,"values":[')
const DEVICE_END = textPart(']}')
const CURRENT = textPart('","quality":"current"}')
const OLD = textPart('","quality":"old"}')

/** What surrounds the number of a metric. */
interface MetricParts {
  readonly before: Part
  readonly after: Part
}

function partsOf(metric: string): MetricParts {
  return {
    before: textPart(`{"metric":${JSON.stringify(metric)},"value":`),
    after: textPart(`,"unit":${JSON.stringify(unitOf(metric))},"timestamp":"`),
  }
}

const isCurrent = (now: number, { offline_threshold_s }: DeviceState, at: number): boolean =>
  at >= now - offline_threshold_s * 1000

/**
 * The latest values of many devices, encoded without a generic serializer: a thousand devices have the same few metrics
 * and mostly the same instants, whose texts are made once. `toJSON` returns the same as objects.
 */
export class LatestJson implements LatestValues, EncodedResponse {
  readonly timestamp: string
  readonly total: number
  readonly not_found_device_ids: string[]
  private readonly input: LatestInput

  constructor(input: LatestInput) {
    this.timestamp = iso(input.now)
    this.total = input.total
    this.not_found_device_ids = [...input.unknown]
    this.input = input
  }

  get devices(): LatestValues['devices'] {
    const { now, devices } = this.input
    return devices.map(({ state, values }) => ({
      device_id: state.id,
      is_online: state.is_online,
      last_seen: state.lastSeen === undefined ? null : iso(state.lastSeen),
      values: values.map(({ metric, at, value }) => ({
        metric,
        value,
        unit: unitOf(metric),
        timestamp: iso(at),
        quality: isCurrent(now, state, at) ? 'current' : 'old',
      })),
    }))
  }

  private footer() {
    const { total, not_found_device_ids } = this
    return { total, not_found_device_ids }
  }

  toJSON(): LatestValues {
    return { timestamp: this.timestamp, devices: this.devices, ...this.footer() }
  }

  /** The JSON text in UTF-8. */
  toBuffer(): Buffer {
    const { now, devices } = this.input
    const count = devices.reduce((sum, { values }) => sum + values.length, 0)
    const writer = new JsonWriter(HEADER_BYTES + devices.length * DEVICE_BYTES + count * VALUE_BYTES)
    const metrics = new Map<string, MetricParts>()
    let instant = { at: Number.NaN, text: textPart('') }
    const textOf = (at: number): Part => {
      if (at !== instant.at) instant = { at, text: textPart(iso(at)) }
      return instant.text
    }
    writer.ascii(`{"timestamp":"${this.timestamp}","devices":[`)
    for (const [row, { state, values }] of devices.entries()) {
      if (row > 0) writer.part(COMMA)
      writer.part(DEVICE)
      writer.ascii(state.id)
      writer.part(state.is_online ? ONLINE : OFFLINE)
      if (state.lastSeen === undefined) writer.part(NEVER_SEEN)
      else {
        writer.part(LAST_SEEN)
        writer.part(textOf(state.lastSeen))
        writer.part(VALUES)
      }
      for (const [index, { metric, at, value }] of values.entries()) {
        if (index > 0) writer.part(COMMA)
        const parts = metrics.get(metric) ?? partsOf(metric)
        metrics.set(metric, parts)
        writer.part(parts.before)
        writer.number(value)
        writer.part(parts.after)
        writer.part(textOf(at))
        writer.part(isCurrent(now, state, at) ? CURRENT : OLD)
      }
      writer.part(DEVICE_END)
    }
    writer.ascii(`],${JSON.stringify(this.footer()).slice(1)}`)
    return writer.toBuffer()
  }
}

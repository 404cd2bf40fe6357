import { isRecord } from '../../../kernel/checked.ts'
import { METRIC_NAME_MAX_LENGTH, SAMPLE_METRICS_MAX } from '../../../kernel/limits.ts'
import { instantOf } from '../../../kernel/time.ts'
import { MQTT_READINGS_PER_MESSAGE_MAX } from '../limits.ts'
import { decodeOta, isOta, OTA_FILTERS } from './ota.ts'
import {
  type Decoded,
  type Dialect,
  type Message,
  type Reading,
  type Refused,
  type Sequence,
  Undecodable,
} from './types.ts'
import {
  findValueProblem,
  type NameTable,
  OWN_NAMES,
  parseJson,
  parseObject,
  ValueCollector,
} from './values.ts'

/** Short names for gateways; the names of kernel/metrics.ts are accepted unchanged. */
export const CANONICAL_NAMES: NameTable = {
  import_energy: { metric: 'import_active_energy' },
  export_energy: { metric: 'export_active_energy' },
  production_energy: { metric: 'production_active_energy' },
  inductive_energy: { metric: 'inductive_reactive_energy' },
  capacitive_energy: { metric: 'capacitive_reactive_energy' },
  charge_energy: { metric: 'battery_charge_energy' },
  discharge_energy: { metric: 'battery_discharge_energy' },
  power: { metric: 'active_power' },
  soc: { metric: 'state_of_charge' },
}

/** The names under which a text may hold a decimal number: the short ones and those of kernel/metrics.ts. */
const NUMBER_NAMES: NameTable = { ...OWN_NAMES, ...CANONICAL_NAMES }

const GOOD_QUALITIES = new Set([undefined, null, 'good', 'valid', 'ok', 192, 0])
/** A sequence number: a whole number from 0 to 2^53 - 1. */
const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const truncateName = (device: string): string => device.slice(0, METRIC_NAME_MAX_LENGTH)

/** Describes a quality in a dead letter; nested values are not printed. */
const describeQuality = (q: unknown): string =>
  typeof q === 'object' ? 'the quality is no word' : `quality ${String(q).slice(0, 50)}`

/** True when all values are storable numbers under their final names, as most gateways send them. */
function isStorableAsIs(v: Record<string, unknown>): v is Record<string, number> {
  let count = 0
  for (const name in v) {
    const value = v[name]
    count += 1
    if (typeof value !== 'number' || Object.hasOwn(CANONICAL_NAMES, name)) return false
    if (findValueProblem(name, value) !== undefined) return false
  }
  return count <= SAMPLE_METRICS_MAX
}

class TelemetryReader {
  readonly readings: Reading[] = []
  readonly refused: Refused[] = []

  addDevice(device: string, list: unknown): void {
    const points = Array.isArray(list) ? list : [list]
    for (const point of points) {
      if (this.readings.length >= MQTT_READINGS_PER_MESSAGE_MAX) {
        throw new Undecodable(
          'too_many_readings',
          `a message has at most ${MQTT_READINGS_PER_MESSAGE_MAX} readings`,
        )
      }
      this.takePoint(device, point)
    }
  }

  private takePoint(device: string, point: unknown): void {
    const v = isRecord(point) ? point['v'] : undefined
    if (!isRecord(point) || !isRecord(v)) {
      return void this.refuse('wrong_shape', `${truncateName(device)}: a point has no "v" with the values`)
    }
    const { ts, q } = point
    if (!GOOD_QUALITIES.has(q as string)) {
      return void this.refuse('bad_quality', `${truncateName(device)}: ${describeQuality(q)}`)
    }
    const at = ts === undefined ? undefined : instantOf(ts)
    if (ts !== undefined && at === undefined) {
      return void this.refuse('bad_time', `${truncateName(device)}: "ts" is no instant`)
    }
    this.readings.push(
      at === undefined
        ? { device, values: this.valuesOf(v), raw: v }
        : { device, at, values: this.valuesOf(v), raw: v },
    )
  }

  private valuesOf(v: Record<string, unknown>): Reading['values'] {
    if (isStorableAsIs(v)) return v
    const list = new ValueCollector()
    list.addAll(v, NUMBER_NAMES)
    list.refuseTexts(v, NUMBER_NAMES)
    this.refused.push(...list.refused)
    return list.toValues()
  }

  private refuse(reason: Refused['reason'], detail: string): void {
    this.refused.push({ reason, detail })
  }
}

function sequenceOf(document: Record<string, unknown>): Sequence | undefined {
  const { seq, sent_at: sent } = document
  if (seq === undefined || seq === null) return undefined
  if (!isSeq(seq)) throw new Undecodable('wrong_shape', '"seq" is not a whole number from 0 on')
  const sentAt = instantOf(sent)
  return { seq, ...(sentAt !== undefined && { sentAt }) }
}

function decodeTelemetry(message: Message): Decoded {
  const document = parseObject(message.payload)
  const { devices } = document
  if (!isRecord(devices)) throw new Undecodable('wrong_shape', '"devices" is not an object of devices')
  const sequence = sequenceOf(document)
  const reader = new TelemetryReader()
  for (const device in devices) reader.addDevice(device, devices[device])
  return { readings: reader.readings, refused: reader.refused, ...(sequence && { sequence }) }
}

const ONLINE = new Set(['online', 'true', '1'])
const OFFLINE = new Set(['offline', 'false', '0', ''])

/** Decodes `{"online": true, "firmware_version": "1.2"}`, or a bare word, as last wills often are. */
function decodeStatus({ payload }: Message): Decoded {
  const text = payload.toString('utf8').trim()
  const word = text.replace(/^"|"$/g, '').toLowerCase()
  if (ONLINE.has(word)) return { status: { isOnline: true } }
  if (OFFLINE.has(word)) return { status: { isOnline: false } }
  const document = parseJson(payload)
  if (!isRecord(document)) throw new Undecodable('wrong_shape', 'the status is neither a word nor an object')
  const state = document['online'] ?? document['state'] ?? document['status']
  const isOnline = ONLINE.has(String(state).toLowerCase())
  if (!isOnline && !OFFLINE.has(String(state).toLowerCase())) {
    throw new Undecodable('wrong_shape', 'the status says neither online nor offline')
  }
  const version = document['firmware_version']
  return {
    status: { isOnline, ...(typeof version === 'string' && { firmwareVersion: version.slice(0, 100) }) },
  }
}

/** Topics that the service publishes itself. */
const IGNORED_TOPICS = /^(ack$|hello$|cmd\/|config\/)/

/** Our own topics: docs/integrate/mqtt.md. */
export const canonical: Dialect = {
  name: 'canonical',
  filters: ['telemetry', 'status', 'hello', ...OTA_FILTERS],
  claims: (topic) =>
    topic === 'telemetry' || topic === 'status' || isOta(topic) || IGNORED_TOPICS.test(topic),
  decode(message) {
    if (message.topic === 'telemetry') return decodeTelemetry(message)
    if (message.topic === 'status') return decodeStatus(message)
    if (isOta(message.topic)) return decodeOta(message)
    return {}
  },
}

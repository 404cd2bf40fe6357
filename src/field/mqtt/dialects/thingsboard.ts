import { isRecord } from '../../../kernel/checked.ts'
import { METRIC_NAME_MAX_LENGTH, SAMPLES_PER_REQUEST_MAX } from '../../../kernel/limits.ts'
import { ATTRIBUTE_DEVICES_MAX, DEVICE_ATTRIBUTES_MAX } from '../limits.ts'
import {
  CHUNK_FILTER,
  decodeChunkRequest,
  isFirmwareOnly,
  readFirmwareState,
  requestsFirmware,
} from './ota.ts'
import type { Decoded, DecoderMemory, Dialect, Message, Reading, Refused } from './types.ts'
import { Undecodable } from './types.ts'
import { OWN_NAMES, parseJson, parseObject, ValueCollector } from './values.ts'

const DEVICE_NAME_MAX = 200

type Json = Record<string, unknown>

/** The readings, firmware state and refused parts of a message. */
class TelemetryBatch {
  readonly readings: Reading[] = []
  firmware: Decoded['firmware'] | undefined
  readonly refused: Refused[] = []

  /** Adds a sample of the form `{key: value, …}` or `{ts, values: {key: value, …}}`. */
  add(device: string | null, sample: unknown): void {
    const where = device === null ? 'the sample' : `a sample of ${device}`
    if (!isRecord(sample)) {
      this.refused.push({ reason: 'wrong_shape', detail: `${where} is not an object` })
      return
    }
    const { ts, values } = sample
    if (!isRecord(values)) this.#add({ device, raw: sample })
    else if (ts === undefined) this.#add({ device, raw: values })
    else if (typeof ts === 'number' && Number.isSafeInteger(ts)) this.#add({ device, at: ts, raw: values })
    else this.refused.push({ reason: 'bad_time', detail: `ts of ${where} is not in whole milliseconds` })
  }

  #add({ raw, ...reading }: Omit<Reading, 'values' | 'raw'> & { raw: Json }): void {
    this.firmware = readFirmwareState(reading, raw) ?? this.firmware
    if (isFirmwareOnly(raw)) return
    const list = new ValueCollector()
    // ThingsBoard defines no units: a name of kernel/metrics has its unit.
    list.addAll(raw, OWN_NAMES)
    this.refused.push(...list.refused)
    this.readings.push({ ...reading, values: list.toValues(), raw })
  }

  /** The decoded message; throws Undecodable when no part of it can be used. */
  decoded(): Decoded {
    const [first] = this.refused
    if (this.readings.length === 0 && first) throw new Undecodable(first.reason, first.detail)
    const { readings, refused, firmware } = this
    return { readings, refused, ...(firmware && { firmware }) }
  }
}

function refuseTooMany(count: number): void {
  if (count > SAMPLES_PER_REQUEST_MAX) {
    throw new Undecodable('too_many_readings', `a message holds at most ${SAMPLES_PER_REQUEST_MAX} samples`)
  }
}

function decodeDeviceTelemetry(payload: Buffer): Decoded {
  const json = parseJson(payload)
  const samples = Array.isArray(json) ? json : [json]
  refuseTooMany(samples.length)
  const batch = new TelemetryBatch()
  for (const sample of samples) batch.add(null, sample)
  return batch.decoded()
}

function decodeGatewayTelemetry(payload: Buffer): Decoded {
  const devices = Object.entries(parseObject(payload))
  const batch = new TelemetryBatch()
  let count = 0
  for (const [device, value] of devices) {
    const samples = Array.isArray(value) ? value : [value]
    count += samples.length
    refuseTooMany(count)
    for (const sample of samples) batch.add(device, sample)
  }
  return batch.decoded()
}

function readDeviceName(json: Json): string {
  const { device } = json
  if (typeof device === 'string' && device !== '' && device.length <= DEVICE_NAME_MAX) return device
  throw new Undecodable('wrong_shape', 'device is missing')
}

function decodeConnect(payload: Buffer): Decoded {
  const json = parseObject(payload)
  const device = readDeviceName(json)
  const { type } = json
  return {
    availability: [{ device, isOnline: true }],
    inventory: [{ device, ...(typeof type === 'string' && { model: type.slice(0, DEVICE_NAME_MAX) }) }],
  }
}

const decodeDisconnect = (payload: Buffer): Decoded => ({
  availability: [{ device: readDeviceName(parseObject(payload)), isOnline: false }],
})

type Attributes = ReadonlyMap<string, unknown>

const ATTRIBUTES = 'thingsboard/attributes'

/** Attributes of all devices of the gateway; the empty name is the sender itself. */
const storedAttributes = (memory: DecoderMemory): Map<string, Attributes> =>
  (memory.get(ATTRIBUTES) as Map<string, Attributes> | undefined) ?? new Map()

const attributesOf = (memory: DecoderMemory, device: string): Attributes =>
  storedAttributes(memory).get(device) ?? new Map()

/** Sets an entry as the most recent one, and evicts the oldest beyond the limit. */
function setBounded<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}

const isStorable = (value: unknown) =>
  typeof value !== 'object' && String(value).length <= METRIC_NAME_MAX_LENGTH

/** Stores client attributes, which are no measurements, so that the device can request them. */
function storeAttributes(memory: DecoderMemory, device: string, json: Json): void {
  const devices = storedAttributes(memory)
  const all = new Map(devices.get(device))
  for (const [key, value] of Object.entries(json)) {
    if (key.length <= METRIC_NAME_MAX_LENGTH && isStorable(value))
      setBounded(all, key, value, DEVICE_ATTRIBUTES_MAX)
  }
  setBounded(devices, device, all, ATTRIBUTE_DEVICES_MAX)
  memory.set(ATTRIBUTES, devices)
}

function deviceAttributes({ payload, memory }: Message): Decoded {
  storeAttributes(memory, '', parseObject(payload))
  return {}
}

function gatewayAttributes({ payload, memory }: Message): Decoded {
  for (const [device, json] of Object.entries(parseObject(payload))) {
    if (isRecord(json) && device.length <= DEVICE_NAME_MAX) storeAttributes(memory, device, json)
  }
  return {}
}

const splitKeys = (keys: unknown): string[] =>
  typeof keys === 'string' ? keys.split(',').map((key) => key.trim()) : []

/** Responds with client attributes. The only shared attributes are those of the firmware during an update. */
function respondToDevice({ payload, memory }: Message, topic: string): Decoded {
  const known = attributesOf(memory, '')
  const json = parseObject(payload)
  const wanted = splitKeys(json['clientKeys']).filter((key) => known.has(key))
  const all = Object.fromEntries(wanted.map((key) => [key, known.get(key)]))
  const client = wanted.length > 0 ? all : undefined
  const keys = splitKeys(json['sharedKeys'])
  if (requestsFirmware(keys)) return { firmware: { kind: 'attributes', topic, keys, client } }
  return { replies: [{ topic, payload: JSON.stringify({ ...(client && { client }) }) }] }
}

function respondToGateway({ payload, memory }: Message): Decoded {
  const json = parseObject(payload)
  const device = readDeviceName(json)
  const { id, key, keys, client } = json
  if (typeof id !== 'number') throw new Undecodable('wrong_shape', 'id is missing')
  const known = client === true ? attributesOf(memory, device) : new Map<string, unknown>()
  const wanted = (Array.isArray(keys) ? keys : []).filter((word): word is string => known.has(word as string))
  const response =
    typeof key === 'string'
      ? { ...(known.has(key) && { value: known.get(key) }) }
      : { values: Object.fromEntries(wanted.map((word) => [word, known.get(word)])) }
  return {
    replies: [
      { topic: 'v1/gateway/attributes/response', payload: JSON.stringify({ id, device, ...response }) },
    ],
  }
}

/**
 * Ignored topics: RPC, other firmware topics, claiming, provisioning, and topics that only the service
 * publishes.
 */
const IGNORED_TOPICS =
  /^(v1\/devices\/me\/(rpc\/|claim$|attributes\/response\/)|v2\/(fw|sw|r|a\/res|prov)(\/|$)|v1\/gateway\/(rpc|claim|attributes\/response)$|provision\/)/

const DEVICE_REQUEST = /^(?:v1\/devices\/me\/attributes\/request|v2\/a\/req)\/(\d{1,10})$/

const BY_TOPIC: Readonly<Record<string, (message: Message) => Decoded>> = {
  'v1/devices/me/telemetry': ({ payload }) => decodeDeviceTelemetry(payload),
  'v2/t': ({ payload }) => decodeDeviceTelemetry(payload),
  'v2/t/j': ({ payload }) => decodeDeviceTelemetry(payload),
  'v1/devices/me/attributes': deviceAttributes,
  'v2/a': deviceAttributes,
  'v2/a/j': deviceAttributes,
  'v1/gateway/telemetry': ({ payload }) => decodeGatewayTelemetry(payload),
  'v1/gateway/connect': ({ payload }) => decodeConnect(payload),
  'v1/gateway/disconnect': ({ payload }) => decodeDisconnect(payload),
  'v1/gateway/attributes': gatewayAttributes,
  'v1/gateway/attributes/request': respondToGateway,
}

/** ThingsBoard's device and gateway API. */
export const thingsboard: Dialect = {
  name: 'thingsboard',
  filters: [
    ...['v1/devices/me/telemetry', 'v1/devices/me/attributes', 'v1/devices/me/attributes/request/+'],
    ...['v2/t', 'v2/t/+', 'v2/a', 'v2/a/+', 'v2/a/req/+', CHUNK_FILTER],
    ...['v1/gateway/telemetry', 'v1/gateway/connect', 'v1/gateway/disconnect'],
    ...['v1/gateway/attributes', 'v1/gateway/attributes/request'],
  ],
  claims: (topic) => /^(v1\/devices\/me|v1\/gateway|v2|provision)\//.test(topic),
  decode(message) {
    const { topic } = message
    const read = Object.hasOwn(BY_TOPIC, topic) ? BY_TOPIC[topic] : undefined
    if (read) return read(message)
    const id = DEVICE_REQUEST.exec(topic)?.[1]
    if (id !== undefined) {
      const base = topic.startsWith('v2/') ? 'v2/a/res' : 'v1/devices/me/attributes/response'
      return respondToDevice(message, `${base}/${id}`)
    }
    const chunk = decodeChunkRequest(message)
    if (chunk) return chunk
    if (IGNORED_TOPICS.test(topic)) return {}
    throw new Undecodable('unknown_topic', `${topic} is no topic of ThingsBoard that is read here`)
  },
}

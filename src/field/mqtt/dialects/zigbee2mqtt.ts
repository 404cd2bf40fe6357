import { isRecord } from '../../../kernel/checked.ts'
import { ZIGBEE_DEVICES_MAX } from '../../../kernel/limits.ts'
import { parseAnyInstant } from '../../../kernel/time.ts'
import type { Availability, Decoded, Dialect, InventoryItem, Reading } from './types.ts'
import { Undecodable } from './types.ts'
import { type NameTable, parseJson, parseObject, ValueCollector } from './values.ts'

/** Properties of plugs and meters with the names and units that zigbee2mqtt uses for all vendors. */
export const ZIGBEE2MQTT_NAMES: NameTable = {
  energy: { metric: 'import_active_energy' },
  produced_energy: { metric: 'export_active_energy' },
  energy_produced: { metric: 'export_active_energy' },
  power: { metric: 'active_power', exponent: -3 },
  power_phase_a: { metric: 'active_power_l1', exponent: -3 },
  power_phase_b: { metric: 'active_power_l2', exponent: -3 },
  power_phase_c: { metric: 'active_power_l3', exponent: -3 },
  power_reactive: { metric: 'reactive_power', exponent: -3 },
  power_apparent: { metric: 'apparent_power', exponent: -3 },
  power_factor: { metric: 'power_factor' },
  ac_frequency: { metric: 'frequency' },
  voltage: { metric: 'voltage' },
  voltage_phase_a: { metric: 'voltage_l1' },
  voltage_phase_b: { metric: 'voltage_l2' },
  voltage_phase_c: { metric: 'voltage_l3' },
  current: { metric: 'current' },
  current_phase_a: { metric: 'current_l1' },
  current_phase_b: { metric: 'current_l2' },
  current_phase_c: { metric: 'current_l3' },
  temperature: { metric: 'temperature' },
}

/**
 * Battery voltage in mV has the same name as mains voltage in V; no mains voltage of a Zigbee device is
 * higher than this.
 */
const MAINS_VOLTAGE_MAX = 1000
const BATTERY_VOLTAGE = { metric: 'voltage', exponent: -3 }

function namesFor(state: Record<string, unknown>): NameTable {
  const { voltage } = state
  const isBattery = 'battery' in state || (typeof voltage === 'number' && voltage > MAINS_VOLTAGE_MAX)
  return isBattery ? { ...ZIGBEE2MQTT_NAMES, voltage: BATTERY_VOLTAGE } : ZIGBEE2MQTT_NAMES
}

/** Properties that describe the device and not a measurement. */
const IGNORED = /^(last_seen|elapsed|update_available|update\..*|device\..*)$/

/** `last_seen`, if sent: ISO 8601 or milliseconds. It identifies a state that is sent again. */
function readTime(state: Record<string, unknown>): Pick<Reading, 'at'> {
  const { last_seen: seen } = state
  if (typeof seen === 'number' && Number.isSafeInteger(seen) && seen > 0) return { at: seen }
  const instant = typeof seen === 'string' ? parseAnyInstant(seen) : undefined
  return instant ? { at: instant.at } : {}
}

function decodeState(device: string, state: Record<string, unknown>): Decoded {
  const list = new ValueCollector()
  list.addAll(state, namesFor(state), (name) => IGNORED.test(name))
  const reading = { device, ...readTime(state), values: list.toValues(), raw: state }
  return { readings: [reading], refused: list.refused }
}

/** Decodes one property per topic (`output: attribute`): `{friendly name}/{property}` with a bare value. */
function decodeAttribute(path: string, value: unknown): Decoded {
  const slash = path.lastIndexOf('/')
  if (slash <= 0) throw new Undecodable('wrong_shape', 'the state is not a JSON object')
  const property = path.slice(slash + 1)
  if (typeof value !== 'number' && typeof value !== 'boolean') return {}
  return decodeState(path.slice(0, slash), { [property]: value })
}

const TEXT_MAX = 200
/** Removes control characters and lone surrogates, and truncates; undefined when nothing remains. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const clean = value.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, TEXT_MAX)
  return clean === '' ? undefined : clean
}

/** Decodes `{"state": "online"}`, or the bare word (before version 1.17, or if configured). */
function readOnline(payload: Buffer): boolean {
  const word = payload.toString('utf8')
  if (word === 'online' || word === 'offline') return word === 'online'
  const { state } = parseObject(payload)
  if (state !== 'online' && state !== 'offline')
    throw new Undecodable('wrong_shape', 'state is neither online nor offline')
  return state === 'online'
}

function toInventoryItem(entry: unknown): InventoryItem | undefined {
  if (!isRecord(entry) || entry['type'] === 'Coordinator') return undefined
  const ieeeAddress = text(entry['ieee_address'])
  const device = text(entry['friendly_name']) ?? ieeeAddress
  if (ieeeAddress === undefined || device === undefined) return undefined
  const definition = isRecord(entry['definition']) ? entry['definition'] : {}
  const vendor = text(definition['vendor']) ?? text(entry['manufacturer'])
  const model = text(definition['model']) ?? text(entry['model_id'])
  return {
    device,
    ieeeAddress,
    isSupported: entry['supported'] === true,
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(definition['exposes'] !== undefined && { exposes: definition['exposes'] }),
  }
}

/** Decodes the complete list of devices without the coordinator; a device that is not listed has left. */
function decodeDevices(payload: Buffer): Decoded {
  const list = parseJson(payload)
  if (!Array.isArray(list)) throw new Undecodable('wrong_shape', 'bridge/devices is not an array')
  if (list.length > ZIGBEE_DEVICES_MAX) {
    throw new Undecodable('too_many_readings', `a Zigbee gateway has at most ${ZIGBEE_DEVICES_MAX} devices`)
  }
  const inventory = list.map(toInventoryItem).filter((item) => item !== undefined)
  return { inventory, isInventoryWhole: true }
}

function decodeInfo(payload: Buffer): Decoded {
  const { version, coordinator } = parseObject(payload)
  const firmwareVersion = text(version)
  const ieeeAddress = isRecord(coordinator) ? text(coordinator['ieee_address']) : undefined
  return {
    status: {
      isOnline: true,
      ...(firmwareVersion !== undefined && { firmwareVersion }),
      ...(ieeeAddress !== undefined && { ieeeAddress }),
    },
  }
}

/** Decodes availability from an event; a list of all devices follows each event. */
function decodeEvent(payload: Buffer): Decoded {
  const { type, data } = parseObject(payload)
  const device = isRecord(data) ? text(data['friendly_name']) : undefined
  if (device === undefined) return {}
  const availability = (isOnline: boolean): readonly Availability[] => [{ device, isOnline }]
  if (type === 'device_leave') return { availability: availability(false) }
  if (type === 'device_announce' || type === 'device_joined') return { availability: availability(true) }
  return {}
}

const BRIDGE: Readonly<Record<string, (payload: Buffer) => Decoded>> = {
  state: (payload) => ({ status: { isOnline: readOnline(payload) } }),
  info: decodeInfo,
  devices: decodeDevices,
  event: decodeEvent,
  // Ignored: load, queue and message rate of zigbee2mqtt itself.
  health: (payload) => {
    parseObject(payload)
    return {}
  },
}

/** Topics of commands to devices. */
const COMMAND = /\/(set|get)(\/[^/]+)?$/
const AVAILABILITY = '/availability'
const BASE_TOPIC = 'zigbee2mqtt/'
const BRIDGE_PREFIX = 'bridge/'

/** zigbee2mqtt with its default base topic; the name of a device is its friendly name. */
export const zigbee2mqtt: Dialect = {
  name: 'zigbee2mqtt',
  filters: ['zigbee2mqtt/#'],
  claims: (topic) => topic.startsWith(BASE_TOPIC),
  decode({ topic, payload }) {
    const path = topic.slice(BASE_TOPIC.length)
    if (path.startsWith(BRIDGE_PREFIX)) {
      const kind = path.slice(BRIDGE_PREFIX.length)
      const read = Object.hasOwn(BRIDGE, kind) ? BRIDGE[kind] : undefined
      return read ? read(payload) : {}
    }
    if (path === '' || COMMAND.test(path)) return {}
    if (path.endsWith(AVAILABILITY)) {
      return {
        availability: [{ device: path.slice(0, -AVAILABILITY.length), isOnline: readOnline(payload) }],
      }
    }
    // An empty message clears the retained state of a removed device.
    if (payload.length === 0) return {}
    const json = parseJson(payload)
    return isRecord(json) ? decodeState(path, json) : decodeAttribute(path, json)
  },
}

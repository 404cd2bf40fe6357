import { ZIGBEE_DEVICES_MAX } from '../../../kernel/limits.ts'
import { parseAnyInstant } from '../../../kernel/time.ts'
import type { Availability, Decoded, Dialect, InventoryItem, Reading } from './types.ts'
import { Undecodable } from './types.ts'
import { isRecord, type NameTable, parseJson, parseObject, ValueList } from './values.ts'

/** The properties of plugs and meters that zigbee2mqtt names alike for all vendors, with the units it gives them. */
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

/** The voltage of a battery is in mV under the same name as that of the mains in V; no mains of a Zigbee device is beyond. */
const MAINS_VOLTAGE_MAX = 1000
const BATTERY_VOLTAGE = { metric: 'voltage', exponent: -3 }

function namesFor(state: Record<string, unknown>): NameTable {
  const { voltage } = state
  const isBattery = 'battery' in state || (typeof voltage === 'number' && voltage > MAINS_VOLTAGE_MAX)
  return isBattery ? { ...ZIGBEE2MQTT_NAMES, voltage: BATTERY_VOLTAGE } : ZIGBEE2MQTT_NAMES
}

/** What zigbee2mqtt says about the device itself, beside what it measures. */
const MEANINGLESS = /^(last_seen|elapsed|update_available|update\..*|device\..*)$/

/** `last_seen` when it is sent: then a state that is sent again is known by its time. ISO 8601 or milliseconds. */
function timeIn(state: Record<string, unknown>): Pick<Reading, 'at'> {
  const { last_seen: seen } = state
  if (typeof seen === 'number' && Number.isSafeInteger(seen) && seen > 0) return { at: seen }
  const instant = typeof seen === 'string' ? parseAnyInstant(seen) : undefined
  return instant ? { at: instant.at } : {}
}

function stateOf(device: string, state: Record<string, unknown>): Decoded {
  const list = new ValueList()
  list.takeAll(state, namesFor(state), (name) => MEANINGLESS.test(name))
  const reading = { device, ...timeIn(state), values: list.toValues(), raw: state }
  return { readings: [reading], refused: list.refused }
}

/** Each property on a topic of its own (`output: attribute`): `{friendly name}/{property}` with a bare value. */
function attributeOf(path: string, value: unknown): Decoded {
  const slash = path.lastIndexOf('/')
  if (slash <= 0) throw new Undecodable('wrong_shape', 'the state is not a JSON object')
  const property = path.slice(slash + 1)
  if (typeof value !== 'number' && typeof value !== 'boolean') return {}
  return stateOf(path.slice(0, slash), { [property]: value })
}

const TEXT_MAX = 200
/** Without what no name has and no database takes: control characters and halves of characters. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const clean = value.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, TEXT_MAX)
  return clean === '' ? undefined : clean
}

/** `{"state": "online"}`, before version 1.17 and where it is so configured the bare word. */
function isOnlineIn(payload: Buffer): boolean {
  const word = payload.toString('utf8')
  if (word === 'online' || word === 'offline') return word === 'online'
  const { state } = parseObject(payload)
  if (state !== 'online' && state !== 'offline')
    throw new Undecodable('wrong_shape', 'state is neither online nor offline')
  return state === 'online'
}

function itemOf(entry: unknown): InventoryItem | undefined {
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

/** The whole list, the coordinator left out: a device that is not on it has left. */
function devicesOf(payload: Buffer): Decoded {
  const list = parseJson(payload)
  if (!Array.isArray(list)) throw new Undecodable('wrong_shape', 'bridge/devices is not an array')
  if (list.length > ZIGBEE_DEVICES_MAX) {
    throw new Undecodable('too_many_readings', `a Zigbee gateway has at most ${ZIGBEE_DEVICES_MAX} devices`)
  }
  const inventory = list.map(itemOf).filter((item) => item !== undefined)
  return { inventory, isInventoryWhole: true }
}

function infoOf(payload: Buffer): Decoded {
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

/** A list of all devices follows each of these; only who is there right now is told by the event alone. */
function eventOf(payload: Buffer): Decoded {
  const { type, data } = parseObject(payload)
  const device = isRecord(data) ? text(data['friendly_name']) : undefined
  if (device === undefined) return {}
  const availability = (isOnline: boolean): readonly Availability[] => [{ device, isOnline }]
  if (type === 'device_leave') return { availability: availability(false) }
  if (type === 'device_announce' || type === 'device_joined') return { availability: availability(true) }
  return {}
}

const BRIDGE: Readonly<Record<string, (payload: Buffer) => Decoded>> = {
  state: (payload) => ({ status: { isOnline: isOnlineIn(payload) } }),
  info: infoOf,
  devices: devicesOf,
  event: eventOf,
  // Understood; its figures (load, queue, messages per second) are zigbee2mqtt's own.
  health: (payload) => {
    parseObject(payload)
    return {}
  },
}

/** What is told to devices, by us or by others. */
const COMMAND = /\/(set|get)(\/[^/]+)?$/
const AVAILABILITY = '/availability'
const BASE = 'zigbee2mqtt/'
const OF_BRIDGE = 'bridge/'

/** zigbee2mqtt with its base topic as it comes; a device is called by its friendly name. */
export const zigbee2mqtt: Dialect = {
  name: 'zigbee2mqtt',
  filters: ['zigbee2mqtt/#'],
  claims: (topic) => topic.startsWith(BASE),
  decode({ topic, payload }) {
    const path = topic.slice(BASE.length)
    if (path.startsWith(OF_BRIDGE)) {
      const kind = path.slice(OF_BRIDGE.length)
      const read = Object.hasOwn(BRIDGE, kind) ? BRIDGE[kind] : undefined
      return read ? read(payload) : {}
    }
    if (path === '' || COMMAND.test(path)) return {}
    if (path.endsWith(AVAILABILITY)) {
      return {
        availability: [{ device: path.slice(0, -AVAILABILITY.length), isOnline: isOnlineIn(payload) }],
      }
    }
    // Retained states of a device that was removed are cleared by an empty message.
    if (payload.length === 0) return {}
    const json = parseJson(payload)
    return isRecord(json) ? stateOf(path, json) : attributeOf(path, json)
  },
}

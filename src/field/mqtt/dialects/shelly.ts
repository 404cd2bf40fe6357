import { isRecord } from '../../../kernel/checked.ts'
import type { Decoded, Dialect, Reading, Refused } from './types.ts'
import { Undecodable } from './types.ts'
import { type NameTable, parseJson, parseObject, ValueCollector } from './values.ts'

/**
 * Mappings by component and field, as in `EM.GetStatus` and similar methods. Power in W and VA, energy in
 * Wh.
 */
export const SHELLY_NAMES: NameTable = {
  'em.a_current': { metric: 'current_l1' },
  'em.b_current': { metric: 'current_l2' },
  'em.c_current': { metric: 'current_l3' },
  'em.total_current': { metric: 'current' },
  'em.a_voltage': { metric: 'voltage_l1' },
  'em.b_voltage': { metric: 'voltage_l2' },
  'em.c_voltage': { metric: 'voltage_l3' },
  'em.a_act_power': { metric: 'active_power_l1', exponent: -3 },
  'em.b_act_power': { metric: 'active_power_l2', exponent: -3 },
  'em.c_act_power': { metric: 'active_power_l3', exponent: -3 },
  'em.total_act_power': { metric: 'active_power', exponent: -3 },
  'em.total_aprt_power': { metric: 'apparent_power', exponent: -3 },
  'em.a_freq': { metric: 'frequency' },
  'emdata.total_act': { metric: 'import_active_energy', exponent: -3 },
  'emdata.total_act_ret': { metric: 'export_active_energy', exponent: -3 },
  'em1.current': { metric: 'current' },
  'em1.voltage': { metric: 'voltage' },
  'em1.act_power': { metric: 'active_power', exponent: -3 },
  'em1.aprt_power': { metric: 'apparent_power', exponent: -3 },
  'em1.pf': { metric: 'power_factor' },
  'em1.freq': { metric: 'frequency' },
  'em1data.total_act_energy': { metric: 'import_active_energy', exponent: -3 },
  'em1data.total_act_ret_energy': { metric: 'export_active_energy', exponent: -3 },
  'pm1.current': { metric: 'current' },
  'pm1.voltage': { metric: 'voltage' },
  'pm1.apower': { metric: 'active_power', exponent: -3 },
  'pm1.aprtpower': { metric: 'apparent_power', exponent: -3 },
  'pm1.pf': { metric: 'power_factor' },
  'pm1.freq': { metric: 'frequency' },
  'pm1.aenergy.total': { metric: 'import_active_energy', exponent: -3 },
  'pm1.ret_aenergy.total': { metric: 'export_active_energy', exponent: -3 },
  'switch.current': { metric: 'current' },
  'switch.voltage': { metric: 'voltage' },
  'switch.apower': { metric: 'active_power', exponent: -3 },
  'switch.pf': { metric: 'power_factor' },
  'switch.freq': { metric: 'frequency' },
  'switch.aenergy.total': { metric: 'import_active_energy', exponent: -3 },
  'switch.ret_aenergy.total': { metric: 'export_active_energy', exponent: -3 },
  'switch.temperature.tC': { metric: 'temperature' },
  'temperature.tC': { metric: 'temperature' },
}

/**
 * Measuring components. `em` and `emdata` are one three-phase meter; the others are one meter per channel.
 */
const MEASURING = /^(em|emdata|em1|em1data|pm1|switch|temperature):(\d{1,3})$/
const THREE_PHASE: ReadonlySet<string> = new Set(['em', 'emdata'])

/** Mappings by component. */
const TABLES: ReadonlyMap<string, NameTable> = new Map(
  ['em', 'emdata', 'em1', 'em1data', 'pm1', 'switch', 'temperature'].map((kind) => [kind, namesOf(kind)]),
)

function namesOf(kind: string): NameTable {
  const names = Object.entries(SHELLY_NAMES).filter(([name]) => name.startsWith(`${kind}.`))
  return Object.fromEntries(names.map(([name, meaning]) => [name.slice(kind.length + 1), meaning]))
}

/** Bookkeeping fields, and energy of the last minutes, which the register contains already. */
const IGNORED = /^(id|errors\.\d+|(?:ret_)?aenergy\.(?:by_minute\.\d+|minute_ts)|temperature\.tF|tF)$/

interface Meter {
  readonly list: ValueCollector
  readonly raw: Record<string, unknown>
}

/** The values of a status by meter: `{prefix}` for a three-phase meter, otherwise `{prefix}:{channel}`. */
function readMeters(prefix: string, status: Record<string, unknown>): Map<string, Meter> {
  const meters = new Map<string, Meter>()
  for (const [component, fields] of Object.entries(status)) {
    const [, kind = '', channel = ''] = MEASURING.exec(component) ?? []
    if (kind === '' || !isRecord(fields)) continue
    // A second three-phase component is a meter of its own.
    const device = THREE_PHASE.has(kind) && channel === '0' ? prefix : `${prefix}:${channel}`
    const meter = meters.get(device) ?? { list: new ValueCollector(), raw: {} }
    meters.set(device, meter)
    meter.raw[component] = fields
    addComponent(meter.list, kind, fields)
  }
  return meters
}

/** Adds known names by the table of the component, and others under their own names. */
function addComponent(list: ValueCollector, kind: string, fields: Record<string, unknown>): void {
  list.addAll(fields, TABLES.get(kind) ?? {}, (name) => IGNORED.test(name))
}

function decodeStatus(prefix: string, status: Record<string, unknown>, at?: number): Decoded {
  const readings: Reading[] = []
  const refused: Refused[] = []
  for (const [device, { list, raw }] of readMeters(prefix, status)) {
    const rawByTopic = Object.fromEntries(
      Object.entries(raw).map(([component, fields]) => [`status/${component}`, fields]),
    )
    readings.push({ device, ...(at !== undefined && { at }), values: list.toValues(), raw, rawByTopic })
    refused.push(...list.refused)
  }
  return { readings, refused }
}

/** `ts` is in seconds, with a fraction. */
function decodeNotification(prefix: string, payload: Buffer): Decoded {
  const { method, params } = parseObject(payload)
  if (method !== 'NotifyStatus' && method !== 'NotifyFullStatus') return {}
  if (!isRecord(params)) throw new Undecodable('wrong_shape', 'params is not an object')
  const { ts } = params
  if (ts === undefined || ts === null) return decodeStatus(prefix, params)
  if (typeof ts !== 'number' || !Number.isFinite(ts)) throw new Undecodable('bad_time', 'ts is not a number')
  return decodeStatus(prefix, params, Math.round(ts * 1000))
}

function decodeOnline(device: string, payload: Buffer): Decoded {
  const isOnline = parseJson(payload)
  if (typeof isOnline !== 'boolean') throw new Undecodable('wrong_shape', 'online is neither true nor false')
  return { availability: [{ device, isOnline }] }
}

const TOPIC = /^(.+)\/(?:status\/([a-z0-9_]+(?::\d+)?)|(online)|(events)\/rpc)$/
/** First topic levels of other dialects, below which any level may look like a component. */
const OTHER_DIALECTS =
  /^(zigbee2mqtt|tele|stat|cmnd|tasmota|homeassistant|v1|v2|provision|spBv1\.0|cmd|config|ota)\//

/** Shelly devices of generation 2 and later. */
export const shelly: Dialect = {
  name: 'shelly',
  // By default the prefix of a device is one level.
  filters: ['+/status/+', '+/online', '+/events/rpc'],
  claims: (topic) => TOPIC.test(topic) && !OTHER_DIALECTS.test(topic),
  decode({ topic, payload }) {
    const [, prefix = '', component, online, events] = TOPIC.exec(topic) ?? []
    if (online) return decodeOnline(prefix, payload)
    if (events) return decodeNotification(prefix, payload)
    if (component && MEASURING.test(component))
      return decodeStatus(prefix, { [component]: parseObject(payload) })
    return {}
  },
}

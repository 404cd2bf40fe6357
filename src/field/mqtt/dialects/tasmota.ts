import { parseAnyInstant } from '../../../kernel/time.ts'
import type { Decoded, Dialect, Reading } from './types.ts'
import { Undecodable } from './types.ts'
import { isRecord, type NameTable, parseObject, ValueList } from './values.ts'

/** Total counts on for ever; Today, Yesterday and Period begin again and are not kept. */
export const TASMOTA_NAMES: NameTable = {
  'ENERGY.Total': { metric: 'import_active_energy' },
  'ENERGY.ImportActive': { metric: 'import_active_energy' },
  'ENERGY.ExportActive': { metric: 'export_active_energy' },
  'ENERGY.Power': { metric: 'active_power', exponent: -3 },
  'ENERGY.ApparentPower': { metric: 'apparent_power', exponent: -3 },
  'ENERGY.ReactivePower': { metric: 'reactive_power', exponent: -3 },
  'ENERGY.Factor': { metric: 'power_factor' },
  'ENERGY.Frequency': { metric: 'frequency' },
  'ENERGY.Voltage': { metric: 'voltage' },
  'ENERGY.Current': { metric: 'current' },
  'ENERGY.Power.0': { metric: 'active_power_l1', exponent: -3 },
  'ENERGY.Power.1': { metric: 'active_power_l2', exponent: -3 },
  'ENERGY.Power.2': { metric: 'active_power_l3', exponent: -3 },
  'ENERGY.Voltage.0': { metric: 'voltage_l1' },
  'ENERGY.Voltage.1': { metric: 'voltage_l2' },
  'ENERGY.Voltage.2': { metric: 'voltage_l3' },
  'ENERGY.Current.0': { metric: 'current_l1' },
  'ENERGY.Current.1': { metric: 'current_l2' },
  'ENERGY.Current.2': { metric: 'current_l3' },
}

/** Per phase; their sums are what the meter as a whole shows. */
const SUMMED = ['Total', 'ImportActive', 'ExportActive', 'Power', 'ApparentPower', 'ReactivePower'] as const
/** One frequency is enough, and it is the same on every phase. */
const FIRST = ['Frequency'] as const

const FORGOTTEN = /^ENERGY\.(Today|Yesterday|Period|ExportToday|ExportYesterday)(\.\d+)?$/

const numbersIn = (value: unknown): number[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
    ? value
    : undefined

/** Adds decimals as printed: 0.1 + 0.2 shall be 0.3. */
const sum = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((total, number) => total + number, 0) * 1e6) / 1e6

function takePhases(energy: Record<string, unknown>, list: ValueList): void {
  for (const name of SUMMED) {
    const phases = numbersIn(energy[name])
    if (phases) list.take(`ENERGY.${name}`, sum(phases), TASMOTA_NAMES)
  }
  for (const name of FIRST) {
    const phases = numbersIn(energy[name])
    if (phases) list.take(`ENERGY.${name}`, phases[0], TASMOTA_NAMES)
  }
}

/** `Time` is the local clock without its offset: Turkey-local unless an offset is there. */
function timeIn(sensors: Record<string, unknown>): Pick<Reading, 'at'> {
  const { Time } = sensors
  if (Time === undefined) return {}
  const instant = typeof Time === 'string' ? parseAnyInstant(Time) : undefined
  if (!instant) throw new Undecodable('bad_time', 'Time is not an instant')
  return { at: instant.at }
}

function sensorsOf(device: string, sensors: unknown): Decoded {
  if (!isRecord(sensors)) throw new Undecodable('wrong_shape', 'the sensors are not an object')
  const list = new ValueList()
  const { ENERGY: energy } = sensors
  if (isRecord(energy)) takePhases(energy, list)
  list.takeAll(sensors, TASMOTA_NAMES, (name) => name === 'Time' || FORGOTTEN.test(name))
  const reading = { device, ...timeIn(sensors), values: list.toValues(), raw: sensors }
  return { readings: [reading], refused: list.refused }
}

const TOPIC = /^(tele|stat)\/(.+)\/([^/]+)$/

/** Tasmota with its default topics, `tele/{topic}/SENSOR`; the device is called like its topic. */
export const tasmota: Dialect = {
  name: 'tasmota',
  filters: ['tele/#', 'stat/#'],
  claims: (topic) => /^(tele|stat|cmnd|tasmota\/discovery)\//.test(topic),
  decode({ topic, payload }) {
    const [, prefix, device = '', kind = ''] = TOPIC.exec(topic) ?? []
    if (prefix === 'tele' && kind === 'SENSOR') return sensorsOf(device, parseObject(payload))
    if (prefix === 'tele' && kind === 'LWT') {
      return { availability: [{ device, isOnline: payload.toString('utf8') === 'Online' }] }
    }
    // The answer to the command Status 8 (or 10).
    if (prefix === 'stat' && /^STATUS(8|10)$/.test(kind)) {
      return sensorsOf(device, parseObject(payload)['StatusSNS'])
    }
    return {}
  },
}

import { isRecord } from '../../../kernel/checked.ts'
import { parseAnyInstant } from '../../../kernel/time.ts'
import type { Decoded, Dialect, Reading } from './types.ts'
import { Undecodable } from './types.ts'
import { type NameTable, parseObject, ValueCollector } from './values.ts'

/** `Total` is cumulative; `Today`, `Yesterday` and `Period` restart and are ignored. */
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

/** Fields that are sent per phase; their sum is the value of the meter. */
const SUMMED = ['Total', 'ImportActive', 'ExportActive', 'Power', 'ApparentPower', 'ReactivePower'] as const
/** Fields of which the first phase is used: the frequency is the same on every phase. */
const FIRST = ['Frequency'] as const

const IGNORED = /^ENERGY\.(Today|Yesterday|Period|ExportToday|ExportYesterday)(\.\d+)?$/

const readNumbers = (value: unknown): number[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
    ? value
    : undefined

/** Sums decimals, rounded to millionths: 0.1 + 0.2 is 0.3. */
const sum = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((total, number) => total + number, 0) * 1e6) / 1e6

function addPhases(energy: Record<string, unknown>, list: ValueCollector): void {
  for (const name of SUMMED) {
    const phases = readNumbers(energy[name])
    if (phases) list.addMapped(`ENERGY.${name}`, sum(phases), TASMOTA_NAMES)
  }
  for (const name of FIRST) {
    const phases = readNumbers(energy[name])
    if (phases) list.addMapped(`ENERGY.${name}`, phases[0], TASMOTA_NAMES)
  }
}

/** `Time` is local time without an offset: Turkey-local unless an offset is present. */
function readTime(sensors: Record<string, unknown>): Pick<Reading, 'at'> {
  const { Time } = sensors
  if (Time === undefined) return {}
  const instant = typeof Time === 'string' ? parseAnyInstant(Time) : undefined
  if (!instant) throw new Undecodable('bad_time', 'Time is not an instant')
  return { at: instant.at }
}

function decodeSensors(device: string, sensors: unknown): Decoded {
  if (!isRecord(sensors)) throw new Undecodable('wrong_shape', 'the sensors are not an object')
  const list = new ValueCollector()
  const { ENERGY: energy } = sensors
  if (isRecord(energy)) addPhases(energy, list)
  list.addAll(sensors, TASMOTA_NAMES, (name) => name === 'Time' || IGNORED.test(name))
  const reading = { device, ...readTime(sensors), values: list.toValues(), raw: sensors }
  return { readings: [reading], refused: list.refused }
}

const TOPIC = /^(tele|stat)\/(.+)\/([^/]+)$/

/** Tasmota with its default topics, `tele/{topic}/SENSOR`; the name of the device is its topic. */
export const tasmota: Dialect = {
  name: 'tasmota',
  filters: ['tele/#', 'stat/#'],
  claims: (topic) => /^(tele|stat|cmnd|tasmota\/discovery)\//.test(topic),
  decode({ topic, payload }) {
    const [, prefix, device = '', kind = ''] = TOPIC.exec(topic) ?? []
    if (prefix === 'tele' && kind === 'SENSOR') return decodeSensors(device, parseObject(payload))
    if (prefix === 'tele' && kind === 'LWT') {
      return { availability: [{ device, isOnline: payload.toString('utf8') === 'Online' }] }
    }
    // The response to the command Status 8 (or 10).
    if (prefix === 'stat' && /^STATUS(8|10)$/.test(kind)) {
      return decodeSensors(device, parseObject(payload)['StatusSNS'])
    }
    return {}
  },
}

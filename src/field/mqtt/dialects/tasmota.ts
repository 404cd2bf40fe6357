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
  'ANALOG.CTEnergy.Energy': { metric: 'import_active_energy' },
  'ANALOG.CTEnergy.Power': { metric: 'active_power', exponent: -3 },
  'ANALOG.CTEnergy.Voltage': { metric: 'voltage' },
  'ANALOG.CTEnergy.Current': { metric: 'current' },
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

/** The fields of sensors that contain a temperature. */
const TEMPERATURE = /^(Temperature\d*|DewPoint|OBJTMP|AMBTMP)$/
const FAHRENHEIT_DEPTH_MAX = 4

const toCelsius = (fahrenheit: number): number => Math.round(((fahrenheit - 32) / 1.8) * 1000) / 1000

/**
 * The sensors with their temperatures in °C: the firmware converts all of them (SetOption8) and names the unit once.
 */
function inCelsius(sensors: Record<string, unknown>, depth = 1): Record<string, unknown> {
  const convert = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value === 'number' && TEMPERATURE.test(name)) return [name, toCelsius(value)]
    if (isRecord(value) && depth < FAHRENHEIT_DEPTH_MAX) return [name, inCelsius(value, depth + 1)]
    const temperatures = TEMPERATURE.test(name) ? readNumbers(value) : undefined
    return [name, temperatures?.map(toCelsius) ?? value]
  }
  return Object.fromEntries(Object.entries(sensors).map(convert))
}

const CT_INPUT = /^CTEnergy\d*$/

/**
 * Adds the current transformer at an analog input as the meter of the device. Several of them are circuits of their
 * own and keep their names, as does one beside a meter.
 */
function addTransformer({ ENERGY: energy, ANALOG: analog }: Record<string, unknown>, list: ValueCollector) {
  if (isRecord(energy) || !isRecord(analog)) return undefined
  const inputs = Object.keys(analog).filter((name) => CT_INPUT.test(name))
  // Versions before the numbered inputs send the values without a name.
  const isUnnamed = inputs.length === 0 && 'Energy' in analog && 'Current' in analog
  if (!isUnnamed && inputs.length !== 1) return undefined
  const values = isUnnamed ? analog : analog[inputs[0] ?? '']
  if (!isRecord(values)) return undefined
  for (const name of TRANSFORMER_FIELDS)
    list.addMapped(`ANALOG.CTEnergy.${name}`, values[name], TASMOTA_NAMES)
  const prefix = isUnnamed ? 'ANALOG.' : `ANALOG.${inputs[0]}.`
  return new Set(TRANSFORMER_FIELDS.map((name) => prefix + name))
}
const TRANSFORMER_FIELDS = ['Energy', 'Power', 'Voltage', 'Current'] as const
/** Several inputs, or one beside a meter, must not get the names of the meter. */
const NAMES_OF_OTHERS: NameTable = Object.fromEntries(
  Object.entries(TASMOTA_NAMES).filter(([name]) => !name.startsWith('ANALOG.')),
)

function decodeSensors(device: string, sent: unknown): Decoded {
  if (!isRecord(sent)) throw new Undecodable('wrong_shape', 'the sensors are not an object')
  const sensors = sent['TempUnit'] === 'F' ? inCelsius(sent) : sent
  const list = new ValueCollector()
  const { ENERGY: energy } = sensors
  if (isRecord(energy)) addPhases(energy, list)
  const added = addTransformer(sensors, list)
  list.addAll(
    sensors,
    NAMES_OF_OTHERS,
    (name) => name === 'Time' || IGNORED.test(name) || added?.has(name) === true,
  )
  const reading = { device, ...readTime(sensors), values: list.toValues(), raw: sent }
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

/**
 * The metrics with common names in all parts of the product (samples, register maps, alarms, exports,
 * sockets). Other metrics are stored as extra values.
 */

/** Cumulative registers, kWh and kvarh. The order gives each its bit in roll-ups; new ones go to the end. */
export const REGISTERS = [
  'import_active_energy',
  'export_active_energy',
  'production_active_energy',
  'battery_charge_energy',
  'battery_discharge_energy',
  'inductive_reactive_energy',
  'capacitive_reactive_energy',
] as const

/**
 * Extra values of a sample with which a charging session began or ended: the import register, kWh. The other
 * registers of the sample were read at the same moment.
 */
export const SESSION_BEGIN_ENERGY = 'session_begin_energy'
export const SESSION_END_ENERGY = 'session_end_energy'

/** Instantaneous values: V, A, kW (consumption positive), kvar, kVA, Hz, % and °C. */
export const GAUGES = [
  'voltage',
  'voltage_l1',
  'voltage_l2',
  'voltage_l3',
  'current',
  'current_l1',
  'current_l2',
  'current_l3',
  'active_power',
  'active_power_l1',
  'active_power_l2',
  'active_power_l3',
  'reactive_power',
  'apparent_power',
  'power_factor',
  'frequency',
  'state_of_charge',
  'temperature',
] as const

/** All metrics, in the order of the columns. */
export const METRICS = [...REGISTERS, ...GAUGES] as const

export type Register = (typeof REGISTERS)[number]

const registers: ReadonlySet<string> = new Set(REGISTERS)
export const isRegister = (metric: string): metric is Register => registers.has(metric)

const MILLIONTHS = 1e6
/** The largest register, 9 TWh: beyond it the millionths are not an exact number. */
export const REGISTER_MAX = Number.MAX_SAFE_INTEGER / MILLIONTHS

/**
 * Converts a register to its stored form: whole millionths of a kWh (kvarh); further decimals are rounded
 * half up.
 */
export const toMillionths = (value: number): number => Math.round(value * MILLIONTHS)
/** Converts stored millionths to the nearest number, which is printed as it was sent. */
export const fromMillionths = (millionths: number): number => millionths / MILLIONTHS

/** The largest value; beyond it the sums of averages would exceed the range of a number. */
export const VALUE_MAX = 1e100

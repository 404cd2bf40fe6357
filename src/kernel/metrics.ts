/**
 * The metrics that every part of the product names alike (samples, register maps, alarms, exports, sockets).
 * What is not listed here is kept beside them as an extra value.
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

/** What is measured at an instant: V, A, kW (consumption positive), kvar, kVA, Hz, % and °C. */
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

/** All of them, in the order of the columns. */
export const METRICS = [...REGISTERS, ...GAUGES] as const

export type Register = (typeof REGISTERS)[number]

const registers: ReadonlySet<string> = new Set(REGISTERS)
export const isRegister = (metric: string): metric is Register => registers.has(metric)

const MILLIONTHS = 1e6
/** Beyond this a register in millionths is no longer an exact number: 9 TWh. */
export const REGISTER_MAX = Number.MAX_SAFE_INTEGER / MILLIONTHS

/** A register as it is stored: whole millionths of a kWh (kvarh); further decimals are rounded half up. */
export const toMillionths = (value: number): number => Math.round(value * MILLIONTHS)
/** The nearest number to the stored millionths: prints as it was sent. */
export const fromMillionths = (millionths: number): number => millionths / MILLIONTHS

/** What no instrument shows: beyond it the sums behind an average would leave the range of a number. */
export const VALUE_MAX = 1e100

export const DEFAULT_MEASURAND = 'Energy.Active.Import.Register'

/** Measurands of OCPP that have a metric in kernel/metrics; others are stored under their own names. */
export const METRICS: Readonly<Record<string, string>> = {
  'Energy.Active.Import.Register': 'import_active_energy',
  'Energy.Active.Export.Register': 'export_active_energy',
  'Energy.Reactive.Import.Register': 'inductive_reactive_energy',
  'Energy.Reactive.Export.Register': 'capacitive_reactive_energy',
  'Power.Active.Import': 'active_power',
  'Power.Reactive.Import': 'reactive_power',
  'Power.Factor': 'power_factor',
  'Current.Import': 'current',
  Voltage: 'voltage',
  Frequency: 'frequency',
  Temperature: 'temperature',
  SoC: 'state_of_charge',
}

/**
 * Exported measurands with the imported ones that they are subtracted from: one metric has both, consumption
 * positive.
 */
export const EXPORTED: Readonly<Record<string, string>> = {
  'Power.Active.Export': 'Power.Active.Import',
  'Power.Reactive.Export': 'Power.Reactive.Import',
}

type Quantity =
  | 'energy'
  | 'reactive_energy'
  | 'apparent_energy'
  | 'power'
  | 'reactive_power'
  | 'offer'
  | 'current'
  | 'voltage'
  | 'frequency'
  | 'temperature'
  | 'percent'

/** A power of ten, or a conversion function. */
export type Conversion = number | ((value: number) => number)

/** Conversions to our units by the unit in lower case; the first of a quantity is the default. */
export const UNITS: Readonly<Record<Quantity, Readonly<Record<string, Conversion>>>> = {
  energy: { wh: -3, kwh: 0, mwh: 3 },
  reactive_energy: { varh: -3, kvarh: 0 },
  apparent_energy: { vah: -3, kvah: 0 },
  power: { w: -3, kw: 0, mw: 3 },
  reactive_power: { var: -3, kvar: 0 },
  // Stations send the power they offer in W or in VA.
  offer: { w: -3, kw: 0, va: -3, kva: 0, a: 0 },
  current: { a: 0, ma: -3 },
  voltage: { v: 0, mv: -3, kv: 3 },
  frequency: { hz: 0 },
  temperature: {
    celsius: 0,
    // As the 1.6 specification spells it.
    celcius: 0,
    c: 0,
    k: (kelvin) => round6(kelvin - 273.15),
    fahrenheit: (fahrenheit) => round6(((fahrenheit - 32) * 5) / 9),
  },
  percent: { percent: 0, '%': 0 },
}

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * The quantity of a measurand; `other` where OCPP defines no unit, so that the unit of a station means
 * nothing.
 */
export function quantityOf(measurand: string): Quantity | 'other' {
  if (measurand.startsWith('Energy.Reactive')) return 'reactive_energy'
  if (measurand.startsWith('Energy.Apparent')) return 'apparent_energy'
  if (measurand.startsWith('Energy')) return 'energy'
  if (measurand.startsWith('Power.Active')) return 'power'
  if (measurand.startsWith('Power.Reactive')) return 'reactive_power'
  if (measurand === 'Power.Offered') return 'offer'
  if (measurand.startsWith('Current')) return 'current'
  return ownValue(BY_NAME, measurand) ?? 'other'
}

/**
 * The entry of a table by its own key: a station may send any text, also the name of an inherited property.
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

const BY_NAME: Readonly<Record<string, Quantity>> = {
  Voltage: 'voltage',
  Frequency: 'frequency',
  Temperature: 'temperature',
  SoC: 'percent',
}

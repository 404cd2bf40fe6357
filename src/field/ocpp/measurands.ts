export const DEFAULT_MEASURAND = 'Energy.Active.Import.Register'

/** Measurands of OCPP that kernel/metrics has a name for; others are kept under their own. */
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

/** What flows back, by what it counts against: one metric holds both, consumption positive. */
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

/** A power of ten, or the conversion. */
export type Conversion = number | ((value: number) => number)

/** To our units, by the unit in small letters; the first is meant where a station says none. */
export const UNITS: Readonly<Record<Quantity, Readonly<Record<string, Conversion>>>> = {
  energy: { wh: -3, kwh: 0, mwh: 3 },
  reactive_energy: { varh: -3, kvarh: 0 },
  apparent_energy: { vah: -3, kvah: 0 },
  power: { w: -3, kw: 0, mw: 3 },
  reactive_power: { var: -3, kvar: 0 },
  // Stations name the power they offer in either way.
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

/** `other`: OCPP has no unit for it, so whatever a station writes there says nothing. */
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

/** Stations may send any word, also one that every object has a property for. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

const BY_NAME: Readonly<Record<string, Quantity>> = {
  Voltage: 'voltage',
  Frequency: 'frequency',
  Temperature: 'temperature',
  SoC: 'percent',
}

interface PointMeaning {
  readonly metric: string
  readonly unit?: string
  readonly scale?: number
  readonly isCounter?: true
}

const PHASES = [
  ['AphA', 'current_l1'],
  ['AphB', 'current_l2'],
  ['AphC', 'current_l3'],
  ['PhVphA', 'voltage_l1'],
  ['PhVphB', 'voltage_l2'],
  ['PhVphC', 'voltage_l3'],
] as const

const SHARED: Readonly<Record<string, PointMeaning>> = {
  ...Object.fromEntries(PHASES.map(([point, metric]) => [point, { metric }])),
  A: { metric: 'current' },
  Hz: { metric: 'frequency' },
  VA: { metric: 'apparent_power' },
  VAR: { metric: 'reactive_power', unit: 'var' },
  VAr: { metric: 'reactive_power', unit: 'var' },
  PF: { metric: 'power_factor', unit: '%' },
}

/**
 * Models 101 to 103 and 111 to 113. Power counts consumption as positive, so the output of an inverter is
 * negative.
 */
const INVERTER: Readonly<Record<string, PointMeaning>> = {
  ...SHARED,
  W: { metric: 'active_power', unit: 'W', scale: -1 },
  WH: { metric: 'production_active_energy', unit: 'Wh', isCounter: true },
  DCW: { metric: 'dc_power', unit: 'W' },
  DCV: { metric: 'dc_voltage', unit: 'V' },
  DCA: { metric: 'dc_current', unit: 'A' },
  TmpCab: { metric: 'temperature', unit: 'C' },
  St: { metric: 'operating_state' },
}

/** Models 201 to 204 and 211 to 214. */
const METER: Readonly<Record<string, PointMeaning>> = {
  ...SHARED,
  PhV: { metric: 'voltage' },
  W: { metric: 'active_power', unit: 'W' },
  WphA: { metric: 'active_power_l1', unit: 'W' },
  WphB: { metric: 'active_power_l2', unit: 'W' },
  WphC: { metric: 'active_power_l3', unit: 'W' },
  TotWhImp: { metric: 'import_active_energy', unit: 'Wh', isCounter: true },
  TotWhExp: { metric: 'export_active_energy', unit: 'Wh', isCounter: true },
}

/** The metric for a point of a SunSpec model; undefined when the product has none. */
export function metricOfPoint(model: number, point: string): PointMeaning | undefined {
  const names = isInverter(model) ? INVERTER : isMeter(model) ? METER : {}
  return Object.hasOwn(names, point) ? names[point] : undefined
}

const isInverter = (model: number): boolean =>
  (model >= 101 && model <= 103) || (model >= 111 && model <= 113)
const isMeter = (model: number): boolean => (model >= 201 && model <= 204) || (model >= 211 && model <= 214)

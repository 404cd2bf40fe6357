import type { MeasurementRole } from '../../../core/netting/types.ts'

/** The cumulative registers of a sample that can become facts, by their column. */
export type Register =
  | 'import_active_energy'
  | 'export_active_energy'
  | 'production_active_energy'
  | 'battery_charge_energy'
  | 'battery_discharge_energy'

export type KwhColumn =
  | 'production_kwh'
  | 'consumption_kwh'
  | 'self_consumption_kwh'
  | 'import_kwh'
  | 'export_kwh'
  | 'battery_kwh'
export const KWH_COLUMNS: readonly KwhColumn[] = [
  'production_kwh',
  'consumption_kwh',
  'self_consumption_kwh',
  'import_kwh',
  'export_kwh',
  'battery_kwh',
]

/**
 * The registers that can provide a quantity, in order of preference. The first that the device has is used.
 */
type Choice = readonly Register[]

/** A column is the energy of one register (`plus`) less that of another (`minus`). */
export interface Formula {
  readonly column: KwhColumn
  readonly plus: Choice
  readonly minus?: Choice
}

/** [inferred] A plain meter at a generator counts what it generates as export. */
const PRODUCED: Choice = ['production_active_energy', 'export_active_energy']
const IMPORTED: Choice = ['import_active_energy']
const EXPORTED: Choice = ['export_active_energy']
const boundary: readonly Formula[] = [
  { column: 'import_kwh', plus: IMPORTED },
  { column: 'export_kwh', plus: EXPORTED },
]

/**
 * The columns that a measurement role fills and the registers they are read from. For a battery, positive
 * means discharge to the bus.
 */
export const FORMULAS: Readonly<Record<MeasurementRole, readonly Formula[]>> = {
  main_production: [{ column: 'production_kwh', plus: PRODUCED }],
  main_consumption: [{ column: 'consumption_kwh', plus: IMPORTED }],
  osb_eb_consumption: [{ column: 'consumption_kwh', plus: IMPORTED }],
  pcc_import_export: boundary,
  battery: [
    {
      column: 'battery_kwh',
      plus: ['battery_discharge_energy', 'export_active_energy'],
      minus: ['battery_charge_energy', 'import_active_energy'],
    },
  ],
  self_consumption: [{ column: 'self_consumption_kwh', plus: [...IMPORTED, 'production_active_energy'] }],
  aux_production: [{ column: 'production_kwh', plus: PRODUCED }],
  aux_consumption: [{ column: 'consumption_kwh', plus: IMPORTED }],
  check_meter: boundary,
}

/** The properties of a register in the register map of a device's template. */
export interface RegisterTraits {
  readonly isIntervalDelta: boolean
  /** Width of the register in millionths of a kWh, after which it begins at 0 again. */
  readonly rolloverAt: number | undefined
}

/** Reads a register map leniently: unknown or missing entries are ignored. Undefined when there is no map. */
export function traitsOf(registerMap: unknown): ReadonlyMap<string, RegisterTraits> | undefined {
  const registers = (registerMap as { registers?: unknown } | null)?.registers
  if (!Array.isArray(registers)) return undefined
  const traits = new Map<string, RegisterTraits>()
  for (const register of registers as readonly Readonly<Record<string, unknown>>[]) {
    const { metric, kind, counter_max: width } = register ?? {}
    if (typeof metric !== 'string') continue
    traits.set(metric, {
      isIntervalDelta: kind === 'interval_delta',
      rolloverAt: typeof width === 'number' && width > 0 ? Math.round(width * 1_000_000) : undefined,
    })
  }
  return traits
}

/** Every register that a role may read. */
export const registersOf = (role: MeasurementRole): Register[] => [
  ...new Set(FORMULAS[role].flatMap(({ plus, minus = [] }) => [...plus, ...minus])),
]

/**
 * [inferred] Returns the alternative that a device uses: the one that its register map names, otherwise the
 * one that has readings.
 */
export function chooseRegister(
  choice: readonly Register[],
  traits: ReadonlyMap<string, RegisterTraits> | undefined,
  hasReadings: (register: Register) => boolean,
): Register | undefined {
  return choice.find((register) => traits?.has(register)) ?? choice.find(hasReadings)
}

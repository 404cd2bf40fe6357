import type { StoredFact } from '../../../core/netting/role-sets.ts'
import type { DataQuality, FactSource, MeasurementRole } from '../../../core/netting/types.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { type CopiedFields, textsOfFields } from '../../../platform/db/copied-fields.ts'

/**
 * The facts of one facility, source and role as the database returns them: each column as one text, with commas between
 * its hours. A month of a group has ten thousand rows, and parsing each cell in the driver is slow.
 */
export interface FactText {
  readonly facility_id: string
  readonly source: FactSource
  readonly measurement_role: MeasurementRole
  /** Each as the number of hours since the first hour of the range that was read. */
  readonly hours: string
  /** Empty for an hour that is complete; null: all of them are. */
  readonly qualities: string | null
  /** Percent; empty for 100, null: all of them are. */
  readonly completeness: string | null
  /** Null, as the columns of energy: empty in every hour. */
  readonly role_sets: string | null
  /** Energy in Wh. */
  readonly production: string | null
  readonly consumption: string | null
  readonly self_consumption: string | null
  readonly import: string | null
  readonly export: string | null
  readonly battery: string | null
}

/** The columns of the statement that reads facts, in their order. */
export const FACT_COLUMNS = [
  ...([
    'facility_id',
    'source',
    'measurement_role',
    'hours',
    'qualities',
    'completeness',
    'role_sets',
  ] as const),
  ...(['production', 'consumption', 'self_consumption', 'import', 'export', 'battery'] as const),
] satisfies readonly (keyof FactText)[]

/** Returns the facts that were copied, whose fields are the columns of FACT_COLUMNS. */
export function factTextsOf(fields: CopiedFields): FactText[] {
  const texts = [...textsOfFields(fields)]
  return Array.from({ length: texts.length / FACT_COLUMNS.length }, (_, row) => {
    const start = row * FACT_COLUMNS.length
    return Object.fromEntries(
      FACT_COLUMNS.map((name, index) => [name, texts[start + index]]),
    ) as unknown as FactText
  })
}

/** The number of an hour since 1970. */
export const hourNumber = (instant: number): number => Math.floor(instant / HOUR_MS)

/** `from`: the start of the range that was read, epoch milliseconds. */
export function parseFacts(text: FactText, from: number): StoredFact[] {
  const start = hourNumber(from)
  const qualities = text.qualities?.split(',')
  const completeness = text.completeness?.split(',')
  const roleSets = text.role_sets?.split(',')
  const production = text.production?.split(',')
  const consumption = text.consumption?.split(',')
  const selfConsumption = text.self_consumption?.split(',')
  const imported = text.import?.split(',')
  const exported = text.export?.split(',')
  const battery = text.battery?.split(',')
  return text.hours.split(',').map((hours, index) => {
    const roleSet = roleSets?.[index]
    return {
      facilityId: text.facility_id,
      hour: (start + Number(hours)) * HOUR_MS,
      source: text.source,
      role: text.measurement_role,
      productionKwh: kwh(production?.[index]),
      consumptionKwh: kwh(consumption?.[index]),
      selfConsumptionKwh: kwh(selfConsumption?.[index]),
      importKwh: kwh(imported?.[index]),
      exportKwh: kwh(exported?.[index]),
      batteryKwh: kwh(battery?.[index]),
      dataQuality: (qualities?.[index] || 'complete') as DataQuality,
      completenessPct: Number(completeness?.[index] || 100),
      roleSet: roleSet ? Number(roleSet) : null,
    }
  })
}

const kwh = (text: string | undefined): Kwh | null => (text ? wh(BigInt(text)) : null)

import type { StoredFact } from '../../../core/netting/role-sets.ts'
import type { DataQuality, FactSource, MeasurementRole } from '../../../core/netting/types.ts'
import { at } from '../../../kernel/checked.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'

/**
 * The facts of one facility, source and role as the database returns them: each column as one text, with commas between
 * its hours. A month of a group has ten thousand rows, and parsing each cell in the driver is slow.
 */
export interface FactText {
  readonly facility_id: string
  readonly source: FactSource
  readonly measurement_role: MeasurementRole
  /** Seconds since 1970. */
  readonly hours: string
  readonly qualities: string
  readonly completeness: string
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

export function parseFacts(text: FactText): StoredFact[] {
  const qualities = text.qualities.split(',')
  const completeness = text.completeness.split(',')
  const roleSets = text.role_sets?.split(',')
  const production = text.production?.split(',')
  const consumption = text.consumption?.split(',')
  const selfConsumption = text.self_consumption?.split(',')
  const imported = text.import?.split(',')
  const exported = text.export?.split(',')
  const battery = text.battery?.split(',')
  return text.hours.split(',').map((seconds, index) => {
    const roleSet = roleSets?.[index]
    return {
      facilityId: text.facility_id,
      hour: Number(seconds) * 1000,
      source: text.source,
      role: text.measurement_role,
      productionKwh: kwh(production?.[index]),
      consumptionKwh: kwh(consumption?.[index]),
      selfConsumptionKwh: kwh(selfConsumption?.[index]),
      importKwh: kwh(imported?.[index]),
      exportKwh: kwh(exported?.[index]),
      batteryKwh: kwh(battery?.[index]),
      dataQuality: at(qualities, index) as DataQuality,
      completenessPct: Number(at(completeness, index)),
      roleSet: roleSet ? Number(roleSet) : null,
    }
  })
}

const kwh = (text: string | undefined): Kwh | null => (text ? wh(BigInt(text)) : null)

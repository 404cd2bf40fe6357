import type { StoredFact } from '../../../core/netting/role-sets.ts'
import type { DataQuality, FactSource, MeasurementRole } from '../../../core/netting/types.ts'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'

/**
 * The facts of one facility, source and role as the database returns them: one text with one line for each hour. A
 * month of a group has ten thousand rows, and parsing each cell in the driver is slow.
 */
export interface FactText {
  readonly facility_id: string
  readonly source: FactSource
  readonly measurement_role: MeasurementRole
  readonly rows: string
}

export const parseFacts = (text: FactText): StoredFact[] =>
  text.rows.split('\n').map((line) => parseFact(text, line))

const kwh = (text: string | undefined): Kwh | null => (text ? parseKwh(text) : null)

function parseFact({ facility_id, source, measurement_role }: FactText, line: string): StoredFact {
  const [
    seconds,
    quality,
    completeness,
    roleSet,
    production,
    consumption,
    selfConsumption,
    imported,
    exported,
    battery,
  ] = line.split(',')
  return {
    facilityId: facility_id,
    hour: Number(seconds) * 1000,
    source,
    role: measurement_role,
    productionKwh: kwh(production),
    consumptionKwh: kwh(consumption),
    selfConsumptionKwh: kwh(selfConsumption),
    importKwh: kwh(imported),
    exportKwh: kwh(exported),
    batteryKwh: kwh(battery),
    dataQuality: quality as DataQuality,
    completenessPct: Number(completeness),
    roleSet: roleSet ? Number(roleSet) : null,
  }
}

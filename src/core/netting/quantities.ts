import { byteAt } from '../../kernel/checked.ts'
import { add, type Kwh, larger, smaller, subtract, ZERO_KWH } from '../../kernel/decimal.ts'
import { floorHour, HOUR_MS, type Range } from '../../kernel/time.ts'
import { type ChosenValue, type FacilityValues, type Kind, NO_VALUE, worseQuality } from './sources.ts'
import type { AssignmentInput, DataQuality, MeasurementRole, MemberRole } from './types.ts'

/** The contribution of one facility to one hour, before netting. Null: unknown. */
export interface Quantities {
  readonly productionKwh: Kwh | null
  readonly consumptionKwh: Kwh | null
  /** Energy that storage fed to the grid: never paid. */
  readonly storageExportKwh: Kwh
  /** The facility has storage and exported, and the share of the storage is unknown. */
  readonly isDischargeUnknown: boolean
  /** Production used behind the facility's own meter; null where production or export is unknown. */
  readonly selfConsumptionKwh: Kwh | null
  readonly productionQuality: DataQuality
  readonly consumptionQuality: DataQuality
}

/** The meter roles in force, as bits. Only these choose a formula, never the data that happen to be there. */
const ROLE_BITS: Readonly<Partial<Record<MeasurementRole, number>>> = {
  main_production: 1,
  main_consumption: 2,
  pcc_import_export: 4,
  osb_eb_consumption: 8,
}
const [PRODUCTION, CONSUMPTION, BOUNDARY, ZONE] = [1, 2, 4, 8] as const

/**
 * The roles of each facility for each hour of the window. [inferred] An assignment that is in force during
 * any part of an hour counts for the whole hour: a meter mounted at 10:20 counts from 10:00.
 */
export function rolesByHour(assignments: readonly AssignmentInput[], window: Range): Map<string, Uint8Array> {
  const hours = (window.to - window.from) / HOUR_MS
  const roles = new Map<string, Uint8Array>()
  for (const { facilityId, role, from, to } of assignments) {
    const bits = roles.get(facilityId) ?? new Uint8Array(hours)
    roles.set(facilityId, bits)
    const bit = ROLE_BITS[role] ?? 0
    const end = Math.min(to ?? window.to, window.to)
    for (let hour = Math.max(floorHour(from), window.from); hour < end; hour += HOUR_MS) {
      const hourIndex = (hour - window.from) / HOUR_MS
      bits[hourIndex] = byteAt(bits, hourIndex) | bit
    }
  }
  return roles
}

/** Which energies the meters of a facility give by its roles, as bits of `rolesByHour`. */
export const roleExpectations = (roles: number) => ({
  production: (roles & (PRODUCTION | BOUNDARY)) !== 0,
  consumption: (roles & (CONSUMPTION | BOUNDARY | ZONE)) !== 0,
})

/** One facility in one hour: its roles, the values of its meters, and its role in the group. */
export interface FacilityHour {
  readonly roles: number
  readonly values: FacilityValues
  readonly hourIndex: number
  readonly memberRole: MemberRole
  readonly hasStorage: boolean
  /** Export counts as storage export while the discharge is unknown. Default: true. */
  readonly strictStorageExport?: boolean
}

export function quantitiesOf(at: FacilityHour): Quantities {
  const production = productionOf(at)
  const consumption = consumptionOf(at)
  const exported = at.roles & BOUNDARY ? read(at, 'export').valueKwh : null
  return {
    productionKwh: production.valueKwh,
    consumptionKwh: consumption.valueKwh,
    ...storageExportOf(at, exported),
    selfConsumptionKwh:
      production.valueKwh === null || exported === null
        ? null
        : larger(subtract(production.valueKwh, exported), ZERO_KWH),
    productionQuality: production.quality,
    consumptionQuality: consumption.quality,
  }
}

/** A negative value counts as zero; that of a battery is its charge, which is no discharge. */
const read = ({ values, hourIndex }: FacilityHour, kind: Kind): ChosenValue => {
  const reading = values[kind]?.at(hourIndex)
  if (!reading || reading.valueKwh === null) return NO_VALUE
  return reading.valueKwh < 0n ? { ...reading, valueKwh: ZERO_KWH } : reading
}

/**
 * U, the production. A pure producer behind a boundary meter offers its export: its own use is not sold to
 * others.
 */
function productionOf(at: FacilityHour): ChosenValue {
  const hasBoundary = (at.roles & BOUNDARY) !== 0
  if (at.roles & PRODUCTION)
    return read(at, hasBoundary && at.memberRole === 'production' ? 'export' : 'production')
  return hasBoundary ? read(at, 'export') : NO_VALUE
}

/** T, the consumption before netting. Same point: T = A + B - C of the official method. */
function consumptionOf(at: FacilityHour): ChosenValue {
  if (at.roles & (CONSUMPTION | ZONE)) {
    const main = at.roles & CONSUMPTION ? read(at, 'consumption') : NO_VALUE
    return main.valueKwh === null && at.roles & ZONE ? read(at, 'zoneConsumption') : main
  }
  if (!(at.roles & BOUNDARY)) return NO_VALUE
  const drawn = read(at, 'import')
  return at.roles & PRODUCTION ? addBehindMeter(drawn, read(at, 'production'), read(at, 'export')) : drawn
}

function addBehindMeter(drawn: ChosenValue, produced: ChosenValue, exported: ChosenValue): ChosenValue {
  if (drawn.valueKwh === null || produced.valueKwh === null || exported.valueKwh === null) return NO_VALUE
  return {
    valueKwh: larger(subtract(add(drawn.valueKwh, produced.valueKwh), exported.valueKwh), ZERO_KWH),
    source: drawn.source,
    quality: worseQuality(drawn.quality, worseQuality(produced.quality, exported.quality)),
  }
}

/**
 * [inferred] Discharge that leaves over the boundary meter in the same hour is storage export. Where the
 * facility has storage and its discharge is not known, the whole export counts as such, unless the tenant has
 * chosen that none of it does. Without a boundary meter no export is known, and none is assumed.
 */
function storageExportOf(
  at: FacilityHour,
  exported: Kwh | null,
): Pick<Quantities, 'storageExportKwh' | 'isDischargeUnknown'> {
  const none = { storageExportKwh: ZERO_KWH, isDischargeUnknown: false }
  if (exported === null || exported <= 0n) return none
  const battery = read(at, 'battery').valueKwh
  if (battery !== null) return { ...none, storageExportKwh: smaller(exported, battery) }
  if (!at.hasStorage) return none
  return {
    storageExportKwh: at.strictStorageExport === false ? ZERO_KWH : exported,
    isDischargeUnknown: true,
  }
}

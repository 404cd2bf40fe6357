import { sql } from 'kysely'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { type BillingPeriod, localDate, periodRange, type Range } from '../../../kernel/time.ts'
import type {
  DataQuality,
  EligibilityStatus,
  FactInput,
  FactSource,
  MeasurementRole,
  MemberInput,
} from '../../../netting-core/types.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'

const groupColumns = ['id', 'name', 'is_active', 'group_status', 'eligibility_status'] as const

const groups = ({ db, tenantId }: TenantDb, id: string) =>
  db.selectFrom('netting_group').select(groupColumns).where('tenant_id', '=', tenantId).where('id', '=', id)

export const findGroup = (db: TenantDb, id: string) => groups(db, id).executeTakeFirst()

/** Calculations of one group wait for each other; who refers to the group does not wait. */
export const lockGroup = (tx: TenantTx, id: string) => groups(tx, id).forNoKeyUpdate().executeTakeFirst()

export type GroupRow = NonNullable<Awaited<ReturnType<typeof findGroup>>>

/**
 * The eligibility status that decides a period. It is the group's current one; the status in force at the end of the
 * period will come from the log of evaluations.
 */
export const statusInForce = (group: GroupRow): EligibilityStatus =>
  group.eligibility_status as EligibilityStatus

/** Every membership of a group that touches a period. */
export async function listMembers(
  { db, tenantId }: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<MemberInput[]> {
  const { from, to } = periodRange(billingPeriod)
  const rows = await db
    .selectFrom('group_member as m')
    .innerJoin('facility as f', (join) =>
      join.onRef('f.tenant_id', '=', 'm.tenant_id').onRef('f.id', '=', 'm.facility_id'),
    )
    .select(['m.facility_id', 'f.name', 'm.member_role', 'm.valid_from', 'm.valid_to', 'f.abone_grubu'])
    .select(['f.tariff_supply_type', 'f.is_multi_time', 'f.producer_tariff_group', 'f.source_type'])
    .select(['f.retail_or_zone_operator_id', 'f.distribution_company_id', 'f.grid_operator_id', 'f.has_ess'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.group_id', '=', groupId)
    .where('m.valid_from', '<', localDate(to))
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', localDate(from))]))
    .execute()
  const withInverter = await facilitiesWithStorageInverter(
    { db, tenantId },
    rows.map((row) => row.facility_id),
  )
  return rows.map((row) => ({
    facilityId: row.facility_id,
    facilityName: row.name,
    role: row.member_role as MemberInput['role'],
    validFrom: row.valid_from,
    validTo: row.valid_to,
    aboneGrubu: row.abone_grubu as MemberInput['aboneGrubu'],
    tariffSupplyType: row.tariff_supply_type as MemberInput['tariffSupplyType'],
    isMultiTime: row.is_multi_time,
    producerTariffGroup: row.producer_tariff_group as MemberInput['producerTariffGroup'],
    sourceType: row.source_type as MemberInput['sourceType'],
    gridOperatorId: row.retail_or_zone_operator_id ?? row.distribution_company_id ?? row.grid_operator_id,
    hasStorage: row.has_ess || withInverter.has(row.facility_id),
  }))
}

/** Facilities at which a device that is an ess_inverter was ever assigned. */
async function facilitiesWithStorageInverter(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (facilityIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('meter_assignment as a')
    .innerJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'a.tenant_id').onRef('d.id', '=', 'a.device_id'),
    )
    .select('a.facility_id')
    .where('a.tenant_id', '=', tenantId)
    .where('a.facility_id', 'in', facilityIds)
    .where('d.inverter_type', '=', 'ess_inverter')
    .execute()
  return new Set(rows.flatMap((row) => row.facility_id ?? []))
}

interface FactRow {
  facility_id: string
  hour: number
  source: FactSource
  measurement_role: MeasurementRole
  production_kwh: string | null
  consumption_kwh: string | null
  self_consumption_kwh: string | null
  import_kwh: string | null
  export_kwh: string | null
  battery_kwh: string | null
  data_quality: DataQuality
  completeness_pct: string
}

const kwh = (text: string | null): Kwh | null => (text === null ? null : parseKwh(text))

/** Facts of facilities in a range, of all sources; a row with source missing carries no value and is left out. */
export async function listFacts(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  { from, to }: Range,
): Promise<FactInput[]> {
  if (facilityIds.length === 0 || from >= to) return []
  const { rows } = await sql<FactRow>`
    select facility_id, (extract(epoch from hour) * 1000)::float8 as hour, source, measurement_role,
      production_kwh, consumption_kwh, self_consumption_kwh, import_kwh, export_kwh, battery_kwh,
      data_quality, completeness_pct
    from hourly_energy
    where tenant_id = ${tenantId} and facility_id = any(${facilityIds}::uuid[])
      and hour >= ${new Date(from)} and hour < ${new Date(to)} and source <> 'missing'`.execute(db)
  return rows.map((row) => ({
    facilityId: row.facility_id,
    hour: row.hour,
    source: row.source,
    role: row.measurement_role,
    productionKwh: kwh(row.production_kwh),
    consumptionKwh: kwh(row.consumption_kwh),
    selfConsumptionKwh: kwh(row.self_consumption_kwh),
    importKwh: kwh(row.import_kwh),
    exportKwh: kwh(row.export_kwh),
    batteryKwh: kwh(row.battery_kwh),
    dataQuality: row.data_quality,
    completenessPct: Number(row.completeness_pct),
  }))
}

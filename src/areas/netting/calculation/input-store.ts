import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { StoredFact } from '../../../core/netting/role-sets.ts'
import type { MemberInput } from '../../../core/netting/types.ts'
import { type BillingPeriod, iso, localDate, periodRange, type Range } from '../../../kernel/time.ts'
import { type CopiedFields, copyFields } from '../../../platform/db/copied-fields.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Facility } from '../../../platform/db/types.ts'
import { type FactText, hourNumber, parseFacts } from './fact-text.ts'
import type { Account } from './ledger-store.ts'
import { FACILITIES_PER_READ } from './limits.ts'

const groupColumns = [
  'id',
  'name',
  'is_active',
  'group_status',
  'eligibility_status',
  'correction_mode',
  'correction_quiet_minutes',
  'scope_id',
  'responsible_supplier_id',
] as const

const groups = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'netting_group').select(groupColumns).where('id', '=', id)

export const findGroup = (db: TenantDb, id: string) => groups(db, id).executeTakeFirst()

/**
 * Locks a group: calculations of one group are serialized. A statement that only references the group does
 * not wait for the lock.
 */
export const lockGroup = (tx: TenantTx, id: string) => groups(tx, id).forNoKeyUpdate().executeTakeFirst()

/** Sets how long this transaction may be idle; the connection has a much shorter limit. */
export const allowIdle = ({ db }: TenantTx, ms: number) =>
  sql`select set_config('idle_in_transaction_session_timeout', ${String(ms)}, true)`.execute(db)

export type GroupRow = NonNullable<Awaited<ReturnType<typeof findGroup>>>

/**
 * The accounts of facilities in a year, without a lock. A transaction that writes movements to them uses
 * `lockAccounts`.
 */
export async function listAccounts(
  tenant: TenantDb,
  facilityIds: readonly string[],
  year: number,
): Promise<Account[]> {
  if (facilityIds.length === 0) return []
  return selectRows(tenant, 'limit_account')
    .select(['id', 'facility_id as facilityId', 'year'])
    .where('facility_id', 'in', facilityIds)
    .where('year', '=', year)
    .execute()
}

const FACILITY_COLUMNS = [
  ...(['f.name', 'f.abone_grubu', 'f.tariff_supply_type', 'f.is_multi_time', 'f.voltage_level'] as const),
  ...(['f.producer_tariff_group', 'f.source_type', 'f.has_ess'] as const),
  ...(['f.retail_or_zone_operator_id', 'f.distribution_company_id', 'f.grid_operator_id'] as const),
] as const

/** What the calculation reads of a facility itself. */
export type FacilityInput = Omit<MemberInput, 'role' | 'validFrom' | 'validTo'>

type FacilityRow = Pick<Selectable<Facility>, FacilityField> & { readonly facility_id: string }
type FacilityField = (typeof FACILITY_COLUMNS)[number] extends `f.${infer Name}`
  ? Name & keyof Facility
  : never

const facilityInput = (row: FacilityRow, withInverter: ReadonlySet<string>): FacilityInput => ({
  facilityId: row.facility_id,
  facilityName: row.name,
  aboneGrubu: row.abone_grubu as MemberInput['aboneGrubu'],
  tariffSupplyType: row.tariff_supply_type as MemberInput['tariffSupplyType'],
  isMultiTime: row.is_multi_time,
  voltageLevel: row.voltage_level as NonNullable<MemberInput['voltageLevel']> | null,
  producerTariffGroup: row.producer_tariff_group as MemberInput['producerTariffGroup'],
  sourceType: row.source_type as MemberInput['sourceType'],
  gridOperatorId: row.retail_or_zone_operator_id ?? row.distribution_company_id ?? row.grid_operator_id,
  hasStorage: row.has_ess || withInverter.has(row.facility_id),
})

/** Returns every membership of a group that overlaps a period. */
export async function listMembers(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<MemberInput[]> {
  const { from, to } = periodRange(billingPeriod)
  const rows = await selectRows(tenant, 'group_member as m')
    .innerJoin('facility as f', (join) =>
      join.onRef('f.tenant_id', '=', 'm.tenant_id').onRef('f.id', '=', 'm.facility_id'),
    )
    .select(['m.facility_id', 'm.member_role', 'm.valid_from', 'm.valid_to', ...FACILITY_COLUMNS])
    .where('m.group_id', '=', groupId)
    .where('m.valid_from', '<', localDate(to))
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', localDate(from))]))
    .execute()
  const withInverter = await facilitiesWithStorageInverter(
    tenant,
    rows.map((row) => row.facility_id),
  )
  return rows.map((row) => ({
    ...facilityInput(row, withInverter),
    role: row.member_role as MemberInput['role'],
    validFrom: row.valid_from,
    validTo: row.valid_to,
  }))
}

/** Returns facilities without a membership. */
export async function listFacilities(
  tenant: TenantDb,
  facilityIds: readonly string[],
): Promise<FacilityInput[]> {
  if (facilityIds.length === 0) return []
  const rows = await selectRows(tenant, 'facility as f')
    .select(['f.id as facility_id', ...FACILITY_COLUMNS])
    .where('f.id', 'in', [...facilityIds])
    .orderBy('f.id')
    .execute()
  const withInverter = await facilitiesWithStorageInverter(tenant, facilityIds)
  return rows.map((row) => facilityInput(row, withInverter))
}

/**
 * Returns the facilities to which a device with the type ess_inverter was ever assigned: itself, at one of their
 * metering points, or in a subregion in which they are the only facility, as the facts of a meter are attributed.
 */
async function facilitiesWithStorageInverter(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (facilityIds.length === 0) return new Set()
  const { rows } = await sql<{ facility_id: string }>`
    select distinct assigned.facility_id from (
      select coalesce(a.facility_id, p.facility_id, (
          select min(f.id::text)::uuid from facility f
          where f.tenant_id = ${tenantId} and f.subregion_id = a.subregion_id having count(*) = 1
        )) as facility_id
      from meter_assignment a
      join device d on d.tenant_id = ${tenantId} and d.id = a.device_id
      left join metering_point p on p.tenant_id = ${tenantId} and p.id = a.metering_point_id
      where a.tenant_id = ${tenantId} and d.inverter_type = 'ess_inverter'
    ) as assigned
    where assigned.facility_id = any(${facilityIds}::uuid[])`.execute(db)
  return new Set(rows.map((row) => row.facility_id))
}

/** The values of all rows of a group, in their order, which is the same for each column; null where there is none. */
const listOf = (value: RawBuilder<unknown>) =>
  sql`case when count(${value}) > 0 then string_agg(coalesce((${value})::text, ''), ',') end`
const whOf = (column: string) => listOf(sql`(${sql.ref(column)} * 1000)::bigint`)

/**
 * The facts of facilities in a range from all sources, whose columns are in the order of FACT_COLUMNS. Rows with the
 * source `missing` have no value and are excluded. Usual values are left out: a fact has 10 bytes instead of 30. The
 * statement has no parameters, because COPY takes none.
 */
const factTexts = (tenantId: number, facilityIds: readonly string[], { from, to }: Range) => sql<FactText>`
  select facility_id::text as facility_id, source, measurement_role,
    ${listOf(sql`extract(epoch from hour)::bigint / 3600 - ${sql.lit(hourNumber(from))}`)} as hours,
    ${listOf(sql`nullif(data_quality, 'complete')`)} as qualities,
    ${listOf(sql`nullif(completeness_pct, 100)`)} as completeness, ${listOf(sql`role_set`)} as role_sets,
    ${whOf('production_kwh')} as production, ${whOf('consumption_kwh')} as consumption,
    ${whOf('self_consumption_kwh')} as self_consumption,
    ${whOf('import_kwh')} as import, ${whOf('export_kwh')} as export, ${whOf('battery_kwh')} as battery
  from hourly_energy
  where tenant_id = ${sql.lit(tenantId)} and facility_id = any(${sql.lit(`{${facilityIds.join(',')}}`)}::uuid[])
    and hour >= ${sql.lit(iso(from))} and hour < ${sql.lit(iso(to))} and source <> 'missing'
  group by facility_id, source, measurement_role`

function* readsOf(facilityIds: readonly string[], { from, to }: Range): Generator<readonly string[]> {
  if (from >= to) return
  for (let start = 0; start < facilityIds.length; start += FACILITIES_PER_READ) {
    yield facilityIds.slice(start, start + FACILITIES_PER_READ)
  }
}

/**
 * Copies the facts of facilities in a range, in pieces of `FACILITIES_PER_READ` facilities. `spares`: buffers of
 * earlier pieces, which are taken out and used for later ones.
 */
export async function* copyFacts(
  tx: TenantTx,
  facilityIds: readonly string[],
  range: Range,
  spares: ArrayBuffer[],
): AsyncGenerator<CopiedFields> {
  for (const ids of readsOf(facilityIds, range)) {
    yield await copyFields(tx, factTexts(tx.tenantId, ids, range).compile(tx.db).sql, spares.pop())
  }
}

/** Reads the same facts where no transaction is open, which may be answered by a replica. */
export async function* readFactTexts(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  range: Range,
): AsyncGenerator<readonly FactText[]> {
  for (const ids of readsOf(facilityIds, range)) {
    const { rows } = await factTexts(tenantId, ids, range).execute(db)
    yield rows
  }
}

/** The same facts as a list. */
export async function listFacts(
  tenant: TenantDb,
  facilityIds: readonly string[],
  range: Range,
): Promise<StoredFact[]> {
  const facts: StoredFact[] = []
  for await (const texts of readFactTexts(tenant, facilityIds, range)) {
    for (const text of texts) for (const fact of parseFacts(text, range.from)) facts.push(fact)
  }
  return facts
}

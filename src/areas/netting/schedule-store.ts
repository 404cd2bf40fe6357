import { sql } from 'kysely'
import { localDate, type Range } from '../../kernel/time.ts'
import type { SystemDb, TenantDb } from '../../platform/db/tenant.ts'
import { selectRows } from '../../platform/db/tenant-rows.ts'

/** The key of a group or a facility of any tenant. */
export interface TenantKey {
  readonly tenantId: number
  readonly id: string
}

export interface KeyPage {
  /** The last key of the previous page. */
  readonly after: TenantKey | undefined
  readonly limit: number
}

const afterKey = (after: TenantKey | undefined) =>
  after ? sql`and (o.tenant_id, o.id) > (${after.tenantId}, ${after.id}::uuid)` : sql``
const keyOf = (row: { tenant_id: number; id: string }): TenantKey => ({ tenantId: row.tenant_id, id: row.id })

/** The jobs of an inactive tenant pause. */
const ofActiveTenant = sql`exists (select 1 from tenant t where t.id = o.tenant_id and t.is_active)`

/** Returns the groups of all active tenants that may be calculated, by key. */
export async function listActiveGroups({ db }: SystemDb, { after, limit }: KeyPage): Promise<TenantKey[]> {
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select o.tenant_id, o.id from netting_group o
    where o.is_active and o.group_status <> 'inactive' and ${ofActiveTenant} ${afterKey(after)}
    order by o.tenant_id, o.id limit ${limit}`.execute(db)
  return rows.map(keyOf)
}

const assigned = (range: Range) => sql`
  from meter_assignment a
  left join metering_point p on (p.tenant_id, p.id) = (a.tenant_id, a.metering_point_id)
  where a.tenant_id = o.tenant_id
    and (coalesce(a.facility_id, p.facility_id) = o.id
      or (a.facility_id is null and p.facility_id is null and a.subregion_id = o.subregion_id))
    and a.valid_from < ${new Date(range.to)} and (a.valid_to is null or a.valid_to > ${new Date(range.from)})`

/** Returns the facilities of all active tenants that have facts in a range: with a meter or a membership, by key. */
export async function listMeasuredFacilities(
  { db }: SystemDb,
  range: Range,
  { after, limit }: KeyPage,
): Promise<TenantKey[]> {
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select o.tenant_id, o.id from facility o
    where ${ofActiveTenant} and (exists (select 1 ${assigned(range)})
      or exists (select 1 from osos_installation i
        where i.tenant_id = o.tenant_id and i.facility_id = o.id)
      or exists (select 1 from metering_point p
        where p.tenant_id = o.tenant_id and p.facility_id = o.id and p.osos_installation_id is not null)
      or exists (select 1 from group_member m
        where m.tenant_id = o.tenant_id and m.facility_id = o.id and m.valid_from <= ${localDate(range.to)}
          and (m.valid_to is null or m.valid_to > ${localDate(range.from)}))) ${afterKey(after)}
    order by o.tenant_id, o.id limit ${limit}`.execute(db)
  return rows.map(keyOf)
}

/** Returns the facilities that a device was assigned to in a range. */
export async function listFacilitiesOf(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  range: Range,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from facility o
    where o.tenant_id = ${tenantId} and exists (select 1 ${assigned(range)} and a.tenant_id = ${tenantId} and a.device_id = (
      select id from device where tenant_id = ${tenantId} and key = ${deviceKey}))
    order by o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** True when a group was evaluated for the period that runs at or after an instant. */
export async function wasEvaluatedSince(
  tenant: TenantDb,
  groupId: string,
  instant: number,
): Promise<boolean> {
  const run = await selectRows(tenant, 'eligibility_run')
    .select('seq')
    .where('group_id', '=', groupId)
    .where('billing_period', 'is', null)
    .where('evaluated_at', '>=', new Date(instant))
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}

import { sql } from 'kysely'
import { floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { findNearestInstants } from '../../metering/history/index.ts'

/** The hours of facilities that have to be derived again (table fact_rebuild). */

/** All hours; the queue restricts a range to the hours with data. */
export const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

export interface RebuildRequest {
  readonly facilityIds: readonly string[]
  /** The hours whose facts may change; a part of an hour counts as the whole hour. */
  readonly range: Range
  readonly now: number
}

/**
 * Queues hours of facilities in the transaction of the change. Hours before the first data of a facility and after the
 * current hour need no facts yet and are left out. Returns the queued range of each facility.
 */
export async function queueRebuilds(
  tx: TenantTx,
  { facilityIds, range, now }: RebuildRequest,
): Promise<Map<string, Range>> {
  const queued = new Map<string, Range>()
  const to = Math.min(Math.ceil(range.to / HOUR_MS) * HOUR_MS, floorHour(now))
  for (const facilityId of [...new Set(facilityIds)].sort()) {
    const first = await firstData(tx, facilityId)
    if (first === undefined) continue
    const from = Math.max(floorHour(range.from), floorHour(first))
    if (from < to) queued.set(facilityId, { from, to })
  }
  await insertRebuilds(tx, queued, now)
  return queued
}

/** Queues exactly these hours, also before the first data of a facility. */
export async function insertRebuilds(
  { db, tenantId }: TenantTx,
  ranges: ReadonlyMap<string, Range>,
  now: number,
): Promise<void> {
  const rows = [...ranges].map(([facility_id, { from, to }]) => ({
    tenant_id: tenantId,
    facility_id,
    from_hour: new Date(from),
    to_hour: new Date(to),
    queued_at: new Date(now),
  }))
  if (rows.length > 0) await db.insertInto('fact_rebuild').values(rows).execute()
}

const OLDEST = { metric: undefined, at: Number.NEGATIVE_INFINITY, isAfter: true, count: 1, found: [] }

/** The first fact, official reading or sample of a facility; undefined without any. */
export async function firstData({ db, tenantId }: TenantDb, facilityId: string): Promise<number | undefined> {
  const ofFacility = sql`d.tenant_id = ${tenantId} and d.id in (
          select a.device_id from meter_assignment a
          left join metering_point p on (p.tenant_id, p.id) = (a.tenant_id, a.metering_point_id)
          where a.tenant_id = ${tenantId} and (coalesce(a.facility_id, p.facility_id) = ${facilityId}
            or (a.facility_id is null and a.metering_point_id is null and a.subregion_id = (
              select f.subregion_id from facility f where f.tenant_id = ${tenantId} and f.id = ${facilityId}))))`
  const { rows } = await sql<{ first: Date | null; keys: number[] | null }>`
    select (select array_agg(d.key) from device d where ${ofFacility}) as keys, least(
      (select min(hour) from hourly_energy where tenant_id = ${tenantId} and facility_id = ${facilityId}),
      (select min(r.hour) from osos_reading r where r.tenant_id = ${tenantId} and r.installation_id in (
        select i.id from osos_installation i where i.tenant_id = ${tenantId} and i.facility_id = ${facilityId}
        union select p.osos_installation_id from metering_point p
          where p.tenant_id = ${tenantId} and p.facility_id = ${facilityId} and p.osos_installation_id is not null)),
      (select min(s.first) from (
        select (select m.ts from measurement m where m.tenant_id = ${tenantId} and m.device_key = d.key
          order by m.ts limit 1) as first
        from device d where ${ofFacility}) as s)
    ) as first`.execute(db)
  const { first = null, keys = null } = rows[0] ?? {}
  const sides = (keys ?? []).map((deviceKey) => ({ ...OLDEST, deviceKey }))
  const compressed = await findNearestInstants({ db, tenantId }, sides)
  const instants = [first?.getTime(), ...compressed].filter((instant) => instant !== undefined)
  return instants.length === 0 ? undefined : Math.min(...instants)
}

export const hasRebuilds = async (tenant: TenantDb, facilityIds: readonly string[]): Promise<boolean> =>
  facilityIds.length > 0 &&
  (await selectRows(tenant, 'fact_rebuild')
    .select('id')
    .where('facility_id', 'in', facilityIds)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The oldest queued hours of a facility that overlap a range. */
export async function firstRebuild(
  tenant: TenantDb,
  facilityId: string,
  within: Range | undefined,
): Promise<Range | undefined> {
  let query = selectRows(tenant, 'fact_rebuild')
    .select(['from_hour', 'to_hour'])
    .where('facility_id', '=', facilityId)
  if (within) {
    query = query.where('from_hour', '<', new Date(within.to)).where('to_hour', '>', new Date(within.from))
  }
  const row = await query.orderBy('from_hour').orderBy('id').limit(1).executeTakeFirst()
  if (!row) return undefined
  const [from, to] = [row.from_hour.getTime(), row.to_hour.getTime()]
  return within ? { from: Math.max(from, within.from), to: Math.min(to, within.to) } : { from, to }
}

/**
 * Takes hours of a facility from the queue. It precedes the build in its transaction: a change that commits later is
 * not seen by the build, and its own row stays.
 */
export async function takeRebuilds(
  { db, tenantId }: TenantTx,
  facilityId: string,
  { from, to }: Range,
): Promise<void> {
  const [start, end] = [new Date(from), new Date(to)]
  await sql`
    with taken as (
      delete from fact_rebuild where tenant_id = ${tenantId} and facility_id = ${facilityId}
        and from_hour < ${end} and to_hour > ${start}
      returning tenant_id, facility_id, from_hour, to_hour, queued_at)
    insert into fact_rebuild (tenant_id, facility_id, from_hour, to_hour, queued_at)
    select tenant_id, facility_id, from_hour, ${start}::timestamptz, queued_at
    from taken where from_hour < ${start}
    union all
    select tenant_id, facility_id, ${end}::timestamptz, to_hour, queued_at
    from taken where to_hour > ${end}`.execute(db)
}

/** The members of a group with queued hours in a range. */
export async function listQueuedMembers(
  { db, tenantId }: TenantDb,
  groupId: string,
  { from, to }: Range,
): Promise<string[]> {
  const { rows } = await sql<{ facility_id: string }>`
    select distinct q.facility_id from fact_rebuild q
    where q.tenant_id = ${tenantId} and q.from_hour < ${new Date(to)} and q.to_hour > ${new Date(from)}
      and q.facility_id in (select m.facility_id from group_member m
        where m.tenant_id = ${tenantId} and m.group_id = ${groupId})
    order by 1`.execute(db)
  return rows.map((row) => row.facility_id)
}

/** The facilities of all tenants with queued hours, by key. */
export async function listQueuedFacilities(
  { db }: SystemDb,
  { after, limit }: { readonly after: QueuedFacility | undefined; readonly limit: number },
): Promise<QueuedFacility[]> {
  const { rows } = await sql<{ tenant_id: number; facility_id: string }>`
    select distinct tenant_id, facility_id from fact_rebuild
    where (tenant_id, facility_id) > (${after?.tenantId ?? -1}, ${after?.id ?? NIL}::uuid)
    order by tenant_id, facility_id limit ${limit}`.execute(db)
  return rows.map(({ tenant_id: tenantId, facility_id: id }) => ({ tenantId, id }))
}
const NIL = '00000000-0000-0000-0000-000000000000'

export interface QueuedFacility {
  readonly tenantId: number
  readonly id: string
}

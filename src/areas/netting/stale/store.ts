import { sql } from 'kysely'
import { type BillingPeriod, floorHour, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { STALE_RANGES_MAX } from '../limits.ts'
import type { StaleHours, StaleReason } from './stale-hours.ts'

/** A calculated period of a group whose input has changed since its current runs. */
export interface StalePeriod extends StaleHours {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
}

/** The ids of the marks of a group. The caller holds the lock on the group and has not read the input yet. */
export async function listMarks(tenant: TenantDb, groupId: string): Promise<string[]> {
  const rows = await selectRows(tenant, 'stale_mark').select('id').where('group_id', '=', groupId).execute()
  return rows.map(({ id }) => id)
}

const rangeOf = ({ from, to }: Range) => sql`tstzrange(${new Date(from)}, ${new Date(to)})`

/** Removes hours from marks, after a run that has read everything that the marks stand for. */
export async function removeHours(
  { db, tenantId }: TenantTx,
  markIds: readonly string[],
  window: Range,
): Promise<void> {
  if (markIds.length === 0) return
  await sql`delete from stale_mark where tenant_id = ${tenantId} and id = any(${markIds}::bigint[])
    and hours <@ ${rangeOf(window)}`.execute(db)
  await sql`update stale_mark set hours = hours - tstzmultirange(${rangeOf(window)})
    where tenant_id = ${tenantId} and id = any(${markIds}::bigint[]) and hours && ${rangeOf(window)}`.execute(
    db,
  )
}

/** Marks hours of groups whose opening balances a run of another group or period has changed. */
export async function markBalances(
  { db, tenantId }: TenantTx,
  groups: readonly { readonly groupId: string; readonly hours: Range }[],
): Promise<void> {
  if (groups.length === 0) return
  await sql`insert into stale_mark (tenant_id, group_id, reason, hours)
    select ${tenantId}::int, g.id, 'BALANCE_CHANGED', range_agg(tstzrange(g.from_hour, g.to_hour))
    from unnest(${groups.map(({ groupId }) => groupId)}::uuid[],
      ${groups.map(({ hours }) => new Date(hours.from))}::timestamptz[],
      ${groups.map(({ hours }) => new Date(hours.to))}::timestamptz[]) as g (id, from_hour, to_hour)
    group by g.id`.execute(db)
}

interface StaleRow {
  hours: number
  ranges: [from: number, to: number][]
  since: Date
  noticed_at: Date | null
  is_noticed: boolean
  reasons: StaleReason[]
}

interface StaleQuery {
  readonly groupIds: readonly string[]
  /** The first and the last period; without them every period. */
  readonly from?: BillingPeriod
  readonly to?: BillingPeriod
}

/** The columns of stale hours over `stale`, which has the columns that `staleSums` selects. */
const staleColumns = sql`s.since, s.noticed_at, s.is_noticed, s.reasons,
      (select sum(extract(epoch from upper(h) - lower(h)) / 3600)::int from unnest(s.hours) as h) as hours,
      (select jsonb_agg(jsonb_build_array(extract(epoch from lower(h))::bigint, extract(epoch from upper(h))::bigint)
          order by lower(h))
        from (select h from unnest(s.hours) as h order by lower(h) limit ${STALE_RANGES_MAX}) as first) as ranges`
const staleSums = sql`range_agg(k.hours * c.hours) as hours, min(k.changed_at) as since,
        max(k.noticed_at) as noticed_at, bool_and(k.noticed_at is not null) as is_noticed,
        array_agg(distinct k.reason order by k.reason) as reasons`

const toStale = (row: StaleRow): StaleHours => ({
  hours: row.hours,
  ranges: row.ranges.map(([start, end]) => ({ from_hour: iso(start * 1000), to_hour: iso(end * 1000) })),
  since: row.since,
  noticedAt: row.is_noticed ? (row.noticed_at?.getTime() ?? null) : null,
  reasons: row.reasons,
})

/** Returns the stale ones of some current runs of a group. */
export async function readStaleRuns(
  { db, tenantId }: TenantDb,
  groupId: string,
  runIds: readonly string[],
): Promise<(StaleHours & { readonly runId: string })[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql<StaleRow & { id: string }>`
    with c as (
      select r.id, tstzmultirange(tstzrange(r.from_hour, r.to_hour)) as hours from calculation_run r
      where r.tenant_id = ${tenantId} and r.is_current and r.id = any(${runIds}::uuid[])),
    stale as (
      select c.id, ${staleSums} from c
      join stale_mark k on k.tenant_id = ${tenantId} and k.group_id = ${groupId} and k.hours && c.hours
      group by c.id)
    select s.id, ${staleColumns} from stale s`.execute(db)
  return rows.map((row) => ({ runId: row.id, ...toStale(row) }))
}

/** Returns the stale periods of groups, by group and period: the marks, as far as current runs cover them. */
export async function readStale(
  { db, tenantId }: TenantDb,
  { groupIds, from, to }: StaleQuery,
): Promise<StalePeriod[]> {
  if (groupIds.length === 0) return []
  const { rows } = await sql<StaleRow & { group_id: string; billing_period: BillingPeriod }>`
    with calculated as (
      select r.group_id, r.billing_period, range_agg(tstzrange(r.from_hour, r.to_hour)) as hours
      from calculation_run r
      where r.tenant_id = ${tenantId} and r.is_current and r.group_id = any(${groupIds}::uuid[])
        and r.billing_period >= coalesce(${from ?? null}::date, r.billing_period)
        and r.billing_period <= coalesce(${to ?? null}::date, r.billing_period)
        and exists (select 1 from stale_mark k where k.tenant_id = ${tenantId} and k.group_id = r.group_id)
      group by r.group_id, r.billing_period),
    stale as (
      select c.group_id, c.billing_period, ${staleSums}
      from calculated c
      join stale_mark k on k.tenant_id = ${tenantId} and k.group_id = c.group_id and k.hours && c.hours
      group by c.group_id, c.billing_period)
    select s.group_id, s.billing_period, ${staleColumns}
    from stale s order by s.group_id, s.billing_period`.execute(db)
  return rows.map((row) => ({
    groupId: row.group_id,
    billingPeriod: row.billing_period,
    ...toStale(row),
  }))
}

/** Whether a row of `netting_group` has stale results: a mark on hours of a current run. */
export const isStale = ({ tenantId }: TenantDb) => sql<boolean>`exists (
    select 1 from stale_mark k
    join calculation_run r on r.tenant_id = ${tenantId} and r.group_id = k.group_id and r.is_current
      and k.hours && tstzrange(r.from_hour, r.to_hour)
    where k.tenant_id = ${tenantId} and k.group_id = netting_group.id)`

/** True where a period has marks that the job has not noticed yet. */
export async function listNewMarks(tenant: TenantDb, groupId: string): Promise<string[]> {
  const rows = await selectRows(tenant, 'stale_mark')
    .select('id')
    .where('group_id', '=', groupId)
    .where('noticed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Records that the job has noticed marks, and removes what cannot concern a result: hours after the present,
 * an hour later, because every run that calculates them begins after the change; and marks without a current
 * run, a day later, because no run takes a day.
 */
export async function noticeMarks(
  { db, tenantId }: TenantTx,
  { groupId, markIds, now }: { groupId: string; markIds: readonly string[]; now: number },
): Promise<void> {
  const hourAgo = new Date(now - HOUR_MS)
  const past = rangeOf({ from: 0, to: floorHour(now) })
  const old = sql`tenant_id = ${tenantId} and group_id = ${groupId} and noticed_at < ${hourAgo}`
  await sql`update stale_mark set noticed_at = ${new Date(now)}
    where tenant_id = ${tenantId} and id = any(${markIds}::bigint[])`.execute(db)
  await sql`delete from stale_mark where ${old} and not hours && ${past}`.execute(db)
  await sql`update stale_mark set hours = hours * tstzmultirange(${past})
    where ${old} and not hours <@ ${past}`.execute(db)
  await sql`delete from stale_mark k where k.tenant_id = ${tenantId} and k.group_id = ${groupId}
    and k.noticed_at < ${new Date(now - 24 * HOUR_MS)} and not exists (
      select 1 from calculation_run r where r.tenant_id = ${tenantId} and r.group_id = ${groupId} and r.is_current
        and tstzrange(r.from_hour, r.to_hour) && k.hours)`.execute(db)
}

/** Active groups of all active tenants with marks, or with an automatic correction that was interrupted, by key. */
export async function listMarkedGroups(
  { db }: SystemDb,
  { after, limit }: { after: { tenantId: number; id: string } | undefined; limit: number },
): Promise<{ tenantId: number; id: string }[]> {
  const next = after ? sql`and (g.tenant_id, g.id) > (${after.tenantId}, ${after.id}::uuid)` : sql``
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select g.tenant_id, g.id from netting_group g
    where g.is_active and exists (select 1 from tenant t where t.id = g.tenant_id and t.is_active) and (
      exists (select 1 from stale_mark k where k.tenant_id = g.tenant_id and k.group_id = g.id)
      or exists (select 1 from correction_chain c where c.tenant_id = g.tenant_id and c.group_id = g.id
        and c.state = 'open' and c.cause = 'stale')) ${next}
    order by g.tenant_id, g.id limit ${limit}`.execute(db)
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }))
}

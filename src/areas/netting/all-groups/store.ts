import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { BulkBody, BulkGroupsQuery, BulkQuery, GROUP_RESULTS } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'bulk_calculation_group.warnings': readonly Warning[]
    'bulk_calculation_group.error': Message
  }
}

const columns = [
  'b.id',
  'b.action',
  'b.billing_period',
  'b.reason',
  'b.requested_by',
  'b.created_at',
  'b.finished_at',
] as const

/** The number of groups by status. */
const counts = (tenantId: number) => sql<Readonly<Record<string, number>>>`(
  select coalesce(jsonb_object_agg(status, n), '{}') from (
    select i.status, count(*) as n from bulk_calculation_group i
    where i.tenant_id = ${tenantId} and i.bulk_id = b.id group by i.status) as by_status)`

const bulks = (tenant: TenantDb) =>
  selectRows(tenant, 'bulk_calculation as b').select(columns).select(counts(tenant.tenantId).as('counts'))

export type BulkRow = Awaited<ReturnType<typeof find>> & object

export const find = (tenant: TenantDb, id: string) => bulks(tenant).where('b.id', '=', id).executeTakeFirst()

export const list = (tenant: TenantDb, query: BulkQuery) =>
  readList(bulks(tenant).orderBy('b.created_at', 'desc').orderBy('b.id'), query)

/** Serializes new bulk requests of a tenant. */
export const lockBulks = (tx: TenantTx) => lockResource(tx, `bulk ${tx.tenantId}`)

export async function countOpen(tenant: TenantDb): Promise<number> {
  const { count } = await selectRows(tenant, 'bulk_calculation')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the oldest finished requests beyond a number. */
export const deleteOldest = ({ db, tenantId }: TenantTx, kept: number) =>
  sql`delete from bulk_calculation where tenant_id = ${tenantId} and finished_at is not null and id in (
    select id from bulk_calculation where tenant_id = ${tenantId} order by created_at desc, id offset ${kept})`.execute(
    db,
  )

/** The ids of the active groups, or of those of the given ones that exist. */
export async function listGroups(
  tenant: TenantDb,
  ids: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  let rows = selectRows(tenant, 'netting_group').select('id').orderBy('id').limit(limit)
  rows = ids ? rows.where('id', 'in', ids) : rows.where('is_active', '=', true)
  return (await rows.execute()).map(({ id }) => id)
}

interface NewBulk extends Pick<BulkBody, 'action' | 'billing_period'> {
  readonly reason: string | null
  readonly requestedBy: string
  readonly groupIds: readonly string[]
  readonly at: number
}

export async function create({ db, tenantId }: TenantTx, bulk: NewBulk): Promise<string> {
  const { id } = await db
    .insertInto('bulk_calculation')
    .values({
      tenant_id: tenantId,
      action: bulk.action,
      billing_period: bulk.billing_period,
      reason: bulk.reason,
      requested_by: bulk.requestedBy,
      created_at: new Date(bulk.at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into bulk_calculation_group (tenant_id, bulk_id, group_id)
    select ${tenantId}::int, ${id}::uuid, unnest(${bulk.groupIds}::uuid[])`.execute(db)
  return id
}

/** Ordered by the name of the group. */
export const listGroupResults = (
  tenant: TenantDb,
  bulkId: string,
  { status, search, ...page }: BulkGroupsQuery,
) =>
  readList(
    selectRows(tenant, 'bulk_calculation_group as i')
      .innerJoin('netting_group as g', (join) =>
        join.onRef('g.tenant_id', '=', 'i.tenant_id').onRef('g.id', '=', 'i.group_id'),
      )
      .select(['i.group_id', 'g.name', 'i.status', 'i.run_ids', 'i.warnings'])
      .select(['i.error_code', 'i.error', 'i.finished_at'])
      .where('i.bulk_id', '=', bulkId)
      .where(matchesSearch(search, ['g.name']))
      .$if(status !== undefined, (rows) => rows.where('i.status', '=', status ?? ''))
      .orderBy('g.name')
      .orderBy('i.group_id'),
    page,
  )

/** A waiting group of a bulk request. */
export interface WaitingGroup {
  readonly tenantId: number
  readonly bulkId: string
  readonly groupId: string
}

interface WaitingPage {
  readonly after: WaitingGroup | undefined
  readonly limit: number
  /** All tenants when undefined. */
  readonly tenantId: number | undefined
}

/** The waiting groups, by key. */
export async function listWaiting(
  { db }: SystemDb,
  { after, limit, tenantId }: WaitingPage,
): Promise<WaitingGroup[]> {
  const ofTenant = tenantId === undefined ? sql`` : sql`and b.tenant_id = ${tenantId}`
  const next = after
    ? sql`and (i.tenant_id, i.bulk_id, i.group_id) > (${after.tenantId}, ${after.bulkId}::uuid, ${after.groupId}::uuid)`
    : sql``
  const { rows } = await sql<{ tenant_id: number; bulk_id: string; group_id: string }>`
    select i.tenant_id, i.bulk_id, i.group_id from bulk_calculation b
    join bulk_calculation_group i on i.tenant_id = b.tenant_id and i.bulk_id = b.id and i.status = 'waiting'
    where b.finished_at is null and exists (select 1 from tenant t where t.id = b.tenant_id and t.is_active) ${ofTenant} ${next}
    order by i.tenant_id, i.bulk_id, i.group_id limit ${limit}`.execute(db)
  return rows.map((row) => ({ tenantId: row.tenant_id, bulkId: row.bulk_id, groupId: row.group_id }))
}

export interface GroupResult {
  readonly status: (typeof GROUP_RESULTS)[number]
  readonly runIds: readonly string[]
  readonly warnings: readonly Warning[]
  readonly error?: { readonly code: string; readonly content: Message }
}

/** Records the result of a group; the last one finishes the request. */
export async function record(
  tx: TenantTx,
  { bulkId, groupId }: Pick<WaitingGroup, 'bulkId' | 'groupId'>,
  result: GroupResult,
  at: number,
): Promise<void> {
  await updateRows(tx, 'bulk_calculation_group')
    .set({
      status: result.status,
      run_ids: [...result.runIds],
      warnings: toJson<JsonColumns['bulk_calculation_group.warnings']>(result.warnings),
      error_code: result.error?.code ?? null,
      error: result.error ? toJson(result.error.content) : null,
      finished_at: new Date(at),
    })
    .where('bulk_id', '=', bulkId)
    .where('group_id', '=', groupId)
    .execute()
  await sql`update bulk_calculation set finished_at = ${new Date(at)}
    where tenant_id = ${tx.tenantId} and id = ${bulkId} and not exists (
      select 1 from bulk_calculation_group i
      where i.tenant_id = ${tx.tenantId} and i.bulk_id = ${bulkId} and i.status = 'waiting')`.execute(tx.db)
}

/** The runs of a correction of the same request that was completed after the bulk request, before a crash. */
export async function findCompleted(
  tenant: TenantDb,
  chain: { groupId: string; billingPeriod: string; reason: string; since: Date },
): Promise<string[] | undefined> {
  const row = await selectRows(tenant, 'correction_chain as c')
    .select(
      sql<string[]>`array(select r.id from calculation_run r where r.tenant_id = ${tenant.tenantId}
        and r.parent_run_id = c.root_run_id order by r.billing_period)`.as('run_ids'),
    )
    .where('c.group_id', '=', chain.groupId)
    .where('c.billing_period', '=', chain.billingPeriod)
    .where('c.reason', '=', chain.reason)
    .where('c.cause', '=', 'request')
    .where('c.state', '=', 'done')
    .where('c.started_at', '>=', chain.since)
    .limit(1)
    .executeTakeFirst()
  return row?.run_ids
}

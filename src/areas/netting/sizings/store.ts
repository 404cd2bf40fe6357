import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ScenarioChange } from '../scenarios/index.ts'
import type { Attempt } from '../shared/index.ts'
import type { SizingOutcome } from './compute-work.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'sizing.changes': readonly ScenarioChange[]
    'sizing.sizes': readonly string[]
    'sizing.error': Message
    'sizing.result': SizingOutcome
  }
}

export const lockSizings = (tx: TenantTx) => lockResource(tx, `sizings ${tx.tenantId}`)

export async function countSizings(tenant: TenantDb) {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, (count(*) filter (where state = 'waiting'))::int as waiting
    from sizing where tenant_id = ${tenant.tenantId}`.execute(tenant.db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

interface NewSizing {
  readonly name: string
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  readonly groupIds: readonly string[]
  readonly changes: readonly ScenarioChange[]
  readonly changeIndex: number
  /** In the unit of the change. */
  readonly sizes: readonly string[]
  readonly costFixedTry: string | null
  readonly costPerUnitTry: string | null
  readonly by: string
  readonly at: number
}

export async function insert({ db, tenantId }: TenantTx, sizing: NewSizing): Promise<string> {
  const { id } = await db
    .insertInto('sizing')
    .values({
      ...{ tenant_id: tenantId, name: sizing.name, from_period: sizing.from, to_period: sizing.to },
      changes: toJson<JsonColumns['sizing.changes']>(sizing.changes),
      change_index: sizing.changeIndex,
      sizes: toJson<JsonColumns['sizing.sizes']>(sizing.sizes),
      ...{ cost_fixed_try: sizing.costFixedTry, cost_per_unit_try: sizing.costPerUnitTry },
      points_total: sizing.sizes.length,
      ...{ requested_by: sizing.by, created_at: new Date(sizing.at) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into sizing_group (tenant_id, sizing_id, group_id)
    select ${tenantId}::int, ${id}::uuid, unnest(${[...sizing.groupIds]}::uuid[])`.execute(db)
  return id
}

/** The ids of the groups, in their order. */
const groupIds = (tenantId: number) => sql<string[]>`array(select g.group_id from sizing_group g
  where g.tenant_id = ${tenantId} and g.sizing_id = s.id order by g.group_id)`
/** A base run that is no longer current: a correction since the calculation, or a month that was calculated first. */
const isStale = (
  tenantId: number,
) => sql<boolean>`(s.state = 'done' and s.base_run_ids is distinct from array(
  select r.id from calculation_run r join sizing_group g
    on g.tenant_id = r.tenant_id and g.group_id = r.group_id and g.sizing_id = s.id
  where r.tenant_id = ${tenantId} and r.is_current and r.billing_period between s.from_period and s.to_period
  order by r.from_hour, r.group_id))`

const sizings = (tenant: TenantDb) =>
  selectRows(tenant, 'sizing as s')
    .select(['s.id', 's.name', 's.from_period', 's.to_period', 's.changes', 's.change_index', 's.sizes'])
    .select(['s.cost_fixed_try', 's.cost_per_unit_try', 's.state', 's.points_total', 's.points_done'])
    .select(['s.error_change', 's.error_field', 's.error', 's.input_hash', 's.result'])
    .select(['s.requested_by', 's.created_at', 's.finished_at'])
    .select(groupIds(tenant.tenantId).as('group_ids'))
    .select(isStale(tenant.tenantId).as('is_stale'))

export const find = (tenant: TenantDb, id: string) =>
  sizings(tenant).where('s.id', '=', id).executeTakeFirst()
export type SizingRow = NonNullable<Awaited<ReturnType<typeof find>>>

interface ListQuery {
  readonly search?: string | undefined
  readonly limit: number
  readonly offset: number
}

export const list = (tenant: TenantDb, { search, ...page }: ListQuery) =>
  readList(
    sizings(tenant)
      .where(matchesSearch(search, ['s.name']))
      .orderBy('s.created_at', 'desc')
      .orderBy('s.id'),
    page,
  )

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'sizing').where('id', '=', id).returning('id').executeTakeFirst()

/** The update of a sizing that waits. */
const waiting = (tx: TenantTx, id: string) =>
  updateRows(tx, 'sizing').where('id', '=', id).where('state', '=', 'waiting')

export const cancel = (tx: TenantTx, id: string, at: number) =>
  waiting(tx, id)
    .set((eb) => ({ state: 'cancelled', finished_at: new Date(at), attempt: eb('attempt', '+', 1) }))
    .returning('id')
    .executeTakeFirst()

/** The oldest sizing of a tenant that waits. */
export const oldestWaiting = (tenant: TenantDb) =>
  selectRows(tenant, 'sizing')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export async function begin(tx: TenantTx, id: string): Promise<Attempt | undefined> {
  const row = await waiting(tx, id)
    .set((eb) => ({ attempt: eb('attempt', '+', 1), points_done: 0 }))
    .returning('attempt')
    .executeTakeFirst()
  return row && { id, attempt: row.attempt }
}

const own = (tx: TenantTx, { id, attempt }: Attempt) => waiting(tx, id).where('attempt', '=', attempt)

export const progress = (tx: TenantTx, attempt: Attempt, done: number) =>
  own(tx, attempt).set({ points_done: done }).returning('id').executeTakeFirst()

interface Failure {
  readonly change: number | null
  readonly field: string | null
  readonly content: Message
  readonly at: number
}

export const fail = (tx: TenantTx, attempt: Attempt, { change, field, content, at }: Failure) =>
  own(tx, attempt)
    .set({
      ...{ state: 'failed', error_change: change, error_field: field, error: toJson(content) },
      finished_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirst()

interface Finished {
  readonly outcome: SizingOutcome
  readonly runIds: readonly string[]
  readonly inputHash: string
  readonly at: number
}

/** Stores the result. Undefined when the attempt may not write any more. */
export const finish = (tx: TenantTx, attempt: Attempt, { outcome, runIds, inputHash, at }: Finished) =>
  own(tx, attempt)
    .set({
      ...{ state: 'done', points_done: outcome.points.length, input_hash: inputHash },
      ...{ base_run_ids: [...runIds], finished_at: new Date(at) },
      result: toJson<JsonColumns['sizing.result']>(outcome),
    })
    .returning('id')
    .executeTakeFirst()

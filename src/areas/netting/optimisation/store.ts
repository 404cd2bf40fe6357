import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod, LocalDate } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Attempt } from '../shared/index.ts'
import type { Outcome } from './compute-work.ts'
import type { CreateOptimisation } from './schema.ts'
import type { Flow, Result, SetPoint } from './wire-result.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'optimisation.request': CreateOptimisation
    'optimisation.error': Message
    'optimisation.result': Result
    'optimisation.set_points': readonly SetPoint[]
    'optimisation.flows': readonly Flow[]
  }
}

export const lockOptimisations = (tx: TenantTx) => lockResource(tx, `optimisations ${tx.tenantId}`)

export async function countOptimisations(tenant: TenantDb) {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, (count(*) filter (where state = 'waiting'))::int as waiting
    from optimisation where tenant_id = ${tenant.tenantId}`.execute(tenant.db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

/** Those of the records that exist. */
export async function existing(
  tenant: TenantDb,
  table: 'netting_group' | 'facility',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectRows(tenant, table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Pairs of a facility and a group of which it is a member on one of the days from `from` to before `until`. */
export async function countMembers(
  tenant: TenantDb,
  groupIds: readonly string[],
  { from, until }: { readonly from: LocalDate; readonly until: LocalDate },
): Promise<{ readonly members: number; readonly billKinds: number }> {
  const rows = await selectRows(tenant, 'group_member')
    .select(['facility_id', 'group_id'])
    .distinct()
    .where('group_id', 'in', [...groupIds])
    .where('valid_from', '<', until)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)]))
    .execute()
  const ids = [...new Set(rows.map((row) => row.facility_id))]
  const kinds =
    ids.length === 0
      ? []
      : await selectRows(tenant, 'facility')
          .select(['abone_grubu', 'tariff_supply_type', 'is_multi_time', 'voltage_level'])
          .distinct()
          .where('id', 'in', ids)
          .execute()
  return { members: rows.length, billKinds: kinds.length }
}

/** Where facilities are: their distribution company and voltage level. */
export async function listPlaces(tenant: TenantDb, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await selectRows(tenant, 'facility')
    .select(['id', 'distribution_company_id', 'voltage_level'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

interface NewOptimisation {
  readonly request: CreateOptimisation
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  readonly groupIds: readonly string[]
  readonly by: string
  readonly at: number
}

export async function insert(
  { db, tenantId }: TenantTx,
  { request, from, to, groupIds, by, at }: NewOptimisation,
): Promise<string> {
  const { id } = await db
    .insertInto('optimisation')
    .values({
      tenant_id: tenantId,
      name: request.name,
      kind: request.kind,
      group_ids: [...groupIds],
      from_period: from,
      to_period: to,
      request: toJson<JsonColumns['optimisation.request']>(request),
      requested_by: by,
      created_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A base run that is no longer current: a correction since the calculation, or a month that was calculated first. */
const isStale = (
  tenantId: number,
) => sql<boolean>`(o.state = 'done' and o.base_run_ids is distinct from array(
  select r.id from calculation_run r
  where r.tenant_id = ${tenantId} and r.is_current and r.group_id = any(o.group_ids)
    and r.billing_period between o.from_period and o.to_period
  order by r.from_hour, r.group_id))`

const optimisations = (tenant: TenantDb) =>
  selectRows(tenant, 'optimisation as o')
    .select(['o.id', 'o.name', 'o.kind', 'o.group_ids', 'o.from_period', 'o.to_period', 'o.state'])
    .select(['o.steps_done', 'o.request', 'o.result', 'o.error_field', 'o.error'])
    .select(['o.requested_by', 'o.created_at', 'o.finished_at'])
    .select(isStale(tenant.tenantId).as('is_stale'))

export const find = (tenant: TenantDb, id: string) =>
  optimisations(tenant).where('o.id', '=', id).executeTakeFirst()
export type OptimisationRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const list = (
  tenant: TenantDb,
  {
    search,
    ...page
  }: { readonly search?: string | undefined; readonly limit: number; readonly offset: number },
) =>
  readList(
    optimisations(tenant)
      .where(matchesSearch(search, ['o.name']))
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id'),
    page,
  )

export const readParts = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'optimisation')
    .select(['state', 'set_points', 'flows'])
    .where('id', '=', id)
    .executeTakeFirst()

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'optimisation').where('id', '=', id).returning('id').executeTakeFirst()

/** The update of an optimisation that waits. */
const waiting = (tx: TenantTx, id: string) =>
  updateRows(tx, 'optimisation').where('id', '=', id).where('state', '=', 'waiting')

export const cancel = (tx: TenantTx, id: string, at: number) =>
  waiting(tx, id)
    .set((eb) => ({ state: 'cancelled', finished_at: new Date(at), attempt: eb('attempt', '+', 1) }))
    .returning('id')
    .executeTakeFirst()

export const oldestWaiting = (tenant: TenantDb) =>
  selectRows(tenant, 'optimisation')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Begins a computation and ends the right of any other one to write. Undefined when the optimisation does not wait. */
export async function begin(tx: TenantTx, id: string): Promise<Attempt | undefined> {
  const row = await waiting(tx, id)
    .set((eb) => ({ attempt: eb('attempt', '+', 1), steps_done: 0 }))
    .returning('attempt')
    .executeTakeFirst()
  return row && { id, attempt: row.attempt }
}

const own = (tx: TenantTx, { id, attempt }: Attempt) => waiting(tx, id).where('attempt', '=', attempt)

/** Records the progress. Undefined when the attempt may not write any more, as for the functions that follow. */
export const progress = (tx: TenantTx, attempt: Attempt, stepsDone: number) =>
  own(tx, attempt).set({ steps_done: stepsDone }).returning('id').executeTakeFirst()

interface Failure {
  readonly field: string | null
  readonly content: Message
  readonly at: number
}

export const fail = (tx: TenantTx, attempt: Attempt, { field, content, at }: Failure) =>
  own(tx, attempt)
    .set({ state: 'failed', error_field: field, error: toJson(content), finished_at: new Date(at) })
    .returning('id')
    .executeTakeFirst()

interface Finished {
  readonly outcome: Outcome
  readonly runIds: readonly string[]
  readonly steps: number
  readonly at: number
}

export const finish = (tx: TenantTx, attempt: Attempt, { outcome, runIds, steps, at }: Finished) =>
  own(tx, attempt)
    .set({
      state: 'done',
      steps_done: steps,
      result: toJson<JsonColumns['optimisation.result']>(outcome.result),
      set_points: toJson<JsonColumns['optimisation.set_points']>(outcome.setPoints),
      flows: toJson<JsonColumns['optimisation.flows']>(outcome.flows),
      base_run_ids: [...runIds],
      finished_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirst()

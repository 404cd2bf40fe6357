import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod, Range } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { BatteryText, ComputedMonth, MonthFigures } from './compute-work.ts'
import { SCENARIO_HOURS_BYTES_MAX } from './limits.ts'
import type { ScenarioChange } from './wire-change.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'scenario.changes': readonly ScenarioChange[]
    'scenario.batteries': readonly BatteryText[]
    'scenario.error': Message
    'scenario_month.base': MonthFigures
    'scenario_month.result': MonthFigures
    'scenario_month.members': ComputedMonth['members']
  }
}

interface Months {
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  readonly groupIds: readonly string[]
}

/** The current runs of the groups and months. */
export const listBaseRuns = (tenant: TenantDb, { from, to, groupIds }: Months) =>
  selectRows(tenant, 'calculation_run')
    .select(['id', 'group_id', 'billing_period'])
    .where('group_id', 'in', [...groupIds])
    .where('billing_period', '>=', from)
    .where('billing_period', '<=', to)
    .where('is_current', '=', true)
    .orderBy('from_hour')
    .orderBy('group_id')
    .execute()

export const listAccounts = (tenant: TenantDb, facilityIds: readonly string[]) =>
  selectRows(tenant, 'limit_account')
    .select(['id', 'facility_id', 'year'])
    .where('facility_id', 'in', [...facilityIds])
    .orderBy('id')
    .execute()

/** Day-ahead prices, the best known one of each hour. */
export async function listMarketPrices({ db }: SystemDb, { from, to }: Range) {
  const { rows } = await sql<{ ts: Date; price_try_per_mwh: string }>`
    select distinct on (ts) ts, price_try_per_mwh::text from market_price
    where market = 'ptf' and ts >= ${new Date(from)} and ts < ${new Date(to)}
    order by ts, array_position(array['corrected', 'final', 'tentative', 'unknown'], price_status)`.execute(
    db,
  )
  return rows
}

export const lockScenarios = (tx: TenantTx) => lockResource(tx, `scenarios ${tx.tenantId}`)

export async function countScenarios(tenant: TenantDb) {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, (count(*) filter (where state = 'waiting'))::int as waiting
    from scenario where tenant_id = ${tenant.tenantId}`.execute(tenant.db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

/** The names of the facilities that exist. */
export async function facilityNames(
  tenant: TenantDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await selectRows(tenant, 'facility')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Those of the groups that exist. */
export async function existingGroups(tenant: TenantDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await selectRows(tenant, 'netting_group')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

interface NewScenario extends Months {
  readonly name: string
  readonly changes: readonly ScenarioChange[]
  readonly costTry: string | null
  readonly monthsTotal: number
  readonly by: string
  readonly at: number
}

export async function insert({ db, tenantId }: TenantTx, scenario: NewScenario): Promise<string> {
  const { id } = await db
    .insertInto('scenario')
    .values({
      tenant_id: tenantId,
      name: scenario.name,
      from_period: scenario.from,
      to_period: scenario.to,
      changes: toJson<JsonColumns['scenario.changes']>(scenario.changes),
      cost_try: scenario.costTry,
      months_total: scenario.monthsTotal,
      requested_by: scenario.by,
      created_at: new Date(scenario.at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into scenario_group (tenant_id, scenario_id, group_id)
    select ${tenantId}::int, ${id}::uuid, unnest(${[...scenario.groupIds]}::uuid[])`.execute(db)
  return id
}

/** The ids of the groups, in their order. */
const groupIds = (tenantId: number) => sql<string[]>`array(select g.group_id from scenario_group g
  where g.tenant_id = ${tenantId} and g.scenario_id = s.id order by g.group_id)`
/** A base run that is no longer current: a correction since the calculation, or a month that was calculated first. */
const isStale = (
  tenantId: number,
) => sql<boolean>`(s.state = 'done' and s.base_run_ids is distinct from array(
  select r.id from calculation_run r join scenario_group g
    on g.tenant_id = r.tenant_id and g.group_id = r.group_id and g.scenario_id = s.id
  where r.tenant_id = ${tenantId} and r.is_current and r.billing_period between s.from_period and s.to_period
  order by r.from_hour, r.group_id))`

const scenarios = (tenant: TenantDb) =>
  selectRows(tenant, 'scenario as s')
    .select(['s.id', 's.name', 's.from_period', 's.to_period', 's.changes', 's.cost_try', 's.state'])
    .select(['s.months_total', 's.months_done', 's.error_change', 's.error_field', 's.error'])
    .select(['s.input_hash', 's.batteries', 's.requested_by', 's.created_at', 's.finished_at'])
    .select(groupIds(tenant.tenantId).as('group_ids'))
    .select(isStale(tenant.tenantId).as('is_stale'))

export const find = (tenant: TenantDb, id: string) =>
  scenarios(tenant).where('s.id', '=', id).executeTakeFirst()
export type ScenarioRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const list = (
  tenant: TenantDb,
  {
    search,
    ...page
  }: { readonly search?: string | undefined; readonly limit: number; readonly offset: number },
) =>
  readList(
    scenarios(tenant)
      .where(matchesSearch(search, ['s.name']))
      .orderBy('s.created_at', 'desc')
      .orderBy('s.id'),
    page,
  )

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'scenario').where('id', '=', id).returning('id').executeTakeFirst()

/** The update of a scenario that waits. */
export const waiting = (tx: TenantTx, id: string) =>
  updateRows(tx, 'scenario').where('id', '=', id).where('state', '=', 'waiting')

export const cancel = (tx: TenantTx, id: string, at: number) =>
  waiting(tx, id)
    .set((eb) => ({ state: 'cancelled', finished_at: new Date(at), attempt: eb('attempt', '+', 1) }))
    .returning('id')
    .executeTakeFirst()

/** Puts a finished scenario back; its result stays until it is replaced. */
export const restart = (tx: TenantTx, id: string) =>
  updateRows(tx, 'scenario')
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .set({
      state: 'waiting',
      finished_at: null,
      months_done: 0,
      error: null,
      error_change: null,
      error_field: null,
    })
    .returning('id')
    .executeTakeFirst()

/** The months of a result with the names of their groups, in order. */
export const listMonths = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'scenario_month as m')
    .innerJoin('netting_group as g', (join) =>
      join.onRef('g.tenant_id', '=', 'm.tenant_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['m.group_id', 'g.name as group_name', 'm.billing_period', 'm.base', 'm.result', 'm.members'])
    .where('m.scenario_id', '=', id)
    .orderBy('m.billing_period')
    .orderBy('g.name')
    .orderBy('m.group_id')
    .execute()

/** The hours of one group and month; undefined where the result has none. */
export async function readHours(
  tenant: TenantDb,
  id: string,
  { groupId, billingPeriod }: { readonly groupId: string; readonly billingPeriod: BillingPeriod },
): Promise<ComputedMonth['hours'] | undefined> {
  const row = await selectRows(tenant, 'scenario_month')
    .select('hours')
    .where('scenario_id', '=', id)
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .executeTakeFirst()
  if (!row) return undefined
  const text = await promisify(gunzip)(row.hours, { maxOutputLength: SCENARIO_HOURS_BYTES_MAX })
  return JSON.parse(text.toString('utf8')) as ComputedMonth['hours']
}

import { calculateRange } from '../../../src/areas/netting/index.ts'
import { HOUR_MS, periodStart } from '../../../src/kernel/time.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'
import type { ApiResponse, TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import { addFacts } from './energy.ts'
import { makeGroup, type TestFacility, type TestGroup } from './netting.ts'

type Db = Pick<Deps, 'database'>
type Serving = Pick<TestApi, 'call'>

export const correct = (
  api: Serving,
  { admin }: Pick<TestTenant, 'admin'>,
  { id }: Pick<TestGroup, 'id'>,
  body: object,
): Promise<ApiResponse> =>
  api.call('POST', `/api/mahsuplasma/groups/${id}/corrections`, {
    token: admin.token,
    body: { reason: 'the official reading came late', ...body },
  })

/** The kWh of an hour. */
export interface HourValues {
  readonly period: string
  /** From the start of the period; 0 by default. */
  readonly hour?: number
  readonly production?: string
  readonly consumption?: string
}

export interface MonthlyGroup {
  readonly group: TestGroup
  readonly producer: TestFacility
  readonly consumer: TestFacility
}

/** A producer and a consumer with an account for each year of `limits`. */
export async function makeMonthlyGroup(
  deps: Db,
  tenant: { readonly id: number },
  limits: Readonly<Record<number, string>>,
): Promise<MonthlyGroup> {
  const members = [{ role: 'production' as const }, { role: 'consumption' as const, limits }]
  const group = await makeGroup(deps, tenant, { members })
  const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
  return { group, producer, consumer }
}

export const addHours = (
  deps: Db,
  tenant: { readonly id: number },
  { producer, consumer }: Pick<MonthlyGroup, 'producer' | 'consumer'>,
  hours: readonly HourValues[],
): Promise<void> =>
  addFacts(
    deps,
    tenant,
    hours.flatMap(({ period, hour = 0, production, consumption }) => {
      const at = periodStart(period) + hour * HOUR_MS
      return [
        ...(production === undefined
          ? []
          : [{ facilityId: producer.id, role: 'main_production' as const, hour: at, production }]),
        ...(consumption === undefined
          ? []
          : [{ facilityId: consumer.id, role: 'main_consumption' as const, hour: at, consumption }]),
      ]
    }),
  )

/** Calculates the first hours of each period, in the given order. */
export async function calculateMonths(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  tenant: { readonly id: number },
  { groupId, periods, hours }: { groupId: string; periods: readonly string[]; hours: number },
): Promise<void> {
  for (const period of periods) {
    const from = periodStart(period)
    const range = { from, to: from + hours * HOUR_MS }
    await calculateRange(deps, tenant.id, { groupId, range, triggeredBy: 'beat', startedBy: null })
  }
}

const FULL = `raise exception 'the disk of % is full', new.billing_period`
/** The connection breaks, as when the database server is stopped. */
export const TERMINATE = 'perform pg_terminate_backend(pg_backend_pid())'

/** Makes every write of a run of the period fail; returns a function that ends that. */
export async function breakPeriod(
  { database }: Db,
  period: string,
  how = FULL,
): Promise<() => Promise<void>> {
  const name = `broken_${period.replaceAll('-', '_')}`
  await changeTriggers({ database }, [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${how}; return new; end $$`,
    `create trigger ${name} before insert on calculation_run for each row
      when (new.billing_period = '${period}') execute function ${name}()`,
  ])
  return () =>
    changeTriggers({ database }, [`drop trigger ${name} on calculation_run`, `drop function ${name}()`])
}

/** Citus repeats each statement on the nodes, here on one connection, and has a setting for triggers (ADR 0109). */
export async function changeTriggers({ database }: Db, statements: readonly string[]): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(
      "begin; set local citus.enable_unsafe_triggers = on; set local citus.multi_shard_modify_mode = 'sequential'",
    )
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } finally {
    client.release()
  }
}

/**
 * Describes faults of the ledger and the current rows of a tenant, or of the whole database. The remaining
 * limit is the initial limit plus all movements, and also the initial limit plus all movements other than
 * usage, less the usage by current runs.
 */
export async function findFaults({ database }: Db, tenantId?: number): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `with run as (select * from calculation_run where tenant_id = coalesce($1, tenant_id)),
    account as (
      select a.tenant_id, a.id, a.initial_limit_kwh as initial,
        (select coalesce(sum(amount_kwh), 0) from limit_movement m where (m.tenant_id, m.account_id) = (a.tenant_id, a.id)) as moved,
        (select coalesce(sum(amount_kwh), 0) from limit_movement m where (m.tenant_id, m.account_id) = (a.tenant_id, a.id)
          and m.calculation_run_id is null) as other,
        (select coalesce(sum(u.matched_kwh + u.bedelli_kwh), 0) from limit_usage_hour u
          join run r on (r.tenant_id, r.id) = (u.tenant_id, u.calculation_run_id)
          where (u.tenant_id, u.account_id) = (a.tenant_id, a.id) and r.is_current) as used
      from limit_account a where a.tenant_id = coalesce($1, a.tenant_id))
    select 'ledger' as fault, id::text as what, initial + moved as is, initial + other - used as should
      from account where moved <> other - used
    union all
    select 'hour twice', group_id::text, count(*), 1 from calculation_hour
      where is_current and tenant_id = coalesce($1, tenant_id) group by group_id, hour having count(*) > 1
    union all
    select 'row of a superseded run', h.id::text, 0, 0 from calculation_hour h
      join run r on (r.tenant_id, r.id) = (h.tenant_id, h.calculation_run_id) where h.is_current <> r.is_current
    union all
    select 'amount of a superseded run', h.id::text, 0, 0 from amount h
      join run r on (r.tenant_id, r.id) = (h.tenant_id, h.calculation_run_id) where h.is_current <> r.is_current
    union all
    select 'virtual meter of a superseded run', h.id::text, 0, 0 from virtual_meter_hour h
      join run r on (r.tenant_id, r.id) = (h.tenant_id, h.calculation_run_id) where h.is_current <> r.is_current
    union all
    select 'runs overlap', a.id::text, 0, 0 from run a join run b
      on a.group_id = b.group_id and a.id < b.id and a.is_current and b.is_current
        and a.from_hour < b.to_hour and b.from_hour < a.to_hour`,
    [tenantId ?? null],
  )
  return rows
}

/** Columns with an id or an instant, in which two groups with the same figures differ. */
const NAMES =
  /"(id|group_id|calculation_run_id|run_ids|created_at|input_hash|tenant_id)":("[^"]*"|\[[^\]]*\]),?/g

/**
 * The current rows of groups and the remaining limits of accounts, in a form that is equal for equal figures.
 * `names` replaces the ids of this site by names that are the same in every site.
 */
export async function readState(
  { database }: Db,
  groupIds: readonly string[],
  names: Readonly<Record<string, string>>,
): Promise<string[]> {
  const lists = await Promise.all(
    groupIds.flatMap((groupId, index) =>
      ['calculation_hour', 'virtual_meter_hour', 'amount', 'monthly_summary'].map(async (table) => {
        const { rows } = await database.pool.query(
          `select to_jsonb(t) #>> '{}' as row from ${table} t where group_id = $1 and is_current`,
          [groupId],
        )
        return rows.map(({ row }) => `${index} ${table} ${plain(row, names)}`).sort()
      }),
    ),
  )
  const { rows } = await database.pool.query(
    `select a.facility_id || ' ' || a.year || ' ' || (a.initial_limit_kwh + coalesce(sum(m.amount_kwh), 0)) as row
     from limit_account a left join limit_movement m on m.tenant_id = a.tenant_id and m.account_id = a.id
     where a.facility_id = any($1) group by a.facility_id, a.year, a.initial_limit_kwh`,
    [Object.keys(names)],
  )
  return [...lists.flat(), ...rows.map(({ row }) => plain(row, names)).sort()]
}

function plain(row: string, names: Readonly<Record<string, string>>): string {
  const text = row.replaceAll('": ', '":').replaceAll(', "', ',"').replace(NAMES, '')
  return Object.entries(names).reduce((created, [id, name]) => created.replaceAll(id, name), text)
}

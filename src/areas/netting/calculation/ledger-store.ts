import { sql } from 'kysely'
import type { MovementDraft } from '../../../core/netting/ledger.ts'
import { formatKwh, type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { insertRows } from '../../../platform/db/bulk.ts'
import { type Reason, reasonColumns } from '../../../platform/db/reason-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

export interface Account {
  readonly id: string
  readonly facilityId: string
  readonly year: number
}

/**
 * The accounts of facilities in a year, locked in the order of their ids. Every transaction that books on
 * accounts uses this order.
 */
export async function lockAccounts(
  tx: TenantTx,
  facilityIds: readonly string[],
  year: number,
): Promise<Account[]> {
  if (facilityIds.length === 0) return []
  return selectRows(tx, 'limit_account')
    .select(['id', 'facility_id as facilityId', 'year'])
    .where('facility_id', 'in', facilityIds)
    .where('year', '=', year)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** An account and the instant of the requested balance. */
export interface BalanceQuery {
  readonly accountId: string
  readonly at: number
}

/** Returns the balance of each account as of one hour (see `listBalances`), by account id. */
export const balancesAsOf = async (
  db: TenantDb,
  queries: readonly BalanceQuery[],
  excludedRunIds: readonly string[],
): Promise<Map<string, Kwh>> =>
  new Map((await listBalances(db, queries, excludedRunIds)).map(({ accountId, kwh }) => [accountId, kwh]))

/**
 * Returns the balance of accounts as of an hour each: the initial limit, plus all movements that are not usage
 * regardless of their time (manual adjustments and transfers have no effective date), less the usage of
 * earlier hours by current runs of every group. A run that ended before the hour counts by its movements, a
 * run that reaches beyond it by its hours. Runs in `excludedRunIds` are about to be superseded and do not
 * count.
 */
export async function listBalances(
  { db, tenantId }: TenantDb,
  queries: readonly BalanceQuery[],
  excludedRunIds: readonly string[],
): Promise<(BalanceQuery & { readonly kwh: Kwh })[]> {
  if (queries.length === 0) return []
  const { rows } = await sql<{ id: string; at: Date; balance: string }>`
    select a.id, asked.at, a.initial_limit_kwh
      + coalesce((
          select sum(m.amount_kwh) from limit_movement m
          left join calculation_run r on (r.tenant_id, r.id) = (m.tenant_id, m.calculation_run_id)
            and r.is_current and r.to_hour <= asked.at and r.id <> all(${excludedRunIds}::uuid[])
          where m.tenant_id = ${tenantId} and m.account_id = a.id and m.movement_type <> 'correction_reversal'
            and (m.calculation_run_id is null or r.id is not null)), 0)
      - coalesce((
          select sum(u.matched_kwh + u.bedelli_kwh) from calculation_run r
          join limit_usage_hour u on (u.tenant_id, u.calculation_run_id) = (r.tenant_id, r.id)
          where r.tenant_id = ${tenantId} and r.is_current and r.from_hour < asked.at
            and r.to_hour > asked.at and r.id <> all(${excludedRunIds}::uuid[])
            and u.account_id = a.id and u.hour < asked.at), 0) as balance
    from unnest(${queries.map(({ accountId }) => accountId)}::uuid[],
                ${queries.map(({ at }) => new Date(at))}::timestamptz[]) as asked (id, at)
    join limit_account a on a.tenant_id = ${tenantId} and a.id = asked.id`.execute(db)
  return rows.map(({ id, at, balance }) => ({ accountId: id, at: at.getTime(), kwh: parseKwh(balance) }))
}

export interface AccountUsed {
  readonly accountId: string
  readonly matchedKwh: Kwh
  readonly paidSurplusKwh: Kwh
}

/** Returns the usage of runs by account, with matched energy and paid surplus as separate values. */
export async function usageOfRuns(tenant: TenantDb, runIds: readonly string[]): Promise<AccountUsed[]> {
  if (runIds.length === 0) return []
  const rows = await selectRows(tenant, 'limit_usage_hour')
    .select((eb) => [
      'account_id',
      eb.fn.sum<string>('matched_kwh').as('matched'),
      eb.fn.sum<string>('bedelli_kwh').as('paid'),
    ])
    .where('calculation_run_id', 'in', runIds)
    .groupBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    matchedKwh: parseKwh(row.matched),
    paidSurplusKwh: parseKwh(row.paid),
  }))
}

/**
 * Returns other groups that have calculated an hour at or after `from` in which these accounts belonged to
 * their consumers, in the year of the account. A group that used nothing is included, because an account that
 * was empty may have a balance now.
 */
export async function listLaterUsers(
  { db, tenantId }: TenantDb,
  { accountIds, from, groupId }: { accountIds: readonly string[]; from: number; groupId: string },
): Promise<{ id: string; name: string }[]> {
  if (accountIds.length === 0) return []
  const dayStart = (date: string) => sql`(${sql.ref(date)}::timestamp at time zone interval '3 hours')`
  const { rows } = await sql<{ id: string; name: string }>`
    select g.id, g.name from netting_group g
    where g.tenant_id = ${tenantId} and g.id <> ${groupId} and exists (
      select 1 from limit_account a
      join group_member m on (m.tenant_id, m.facility_id) = (a.tenant_id, a.facility_id)
        and m.group_id = g.id and m.member_role <> 'production'
      join calculation_run r on (r.tenant_id, r.group_id) = (m.tenant_id, m.group_id) and r.is_current
        and r.scenario <> 'mesken_monthly' and extract(year from r.billing_period) = a.year
        and r.to_hour > greatest(${new Date(from)}, ${dayStart('m.valid_from')})
        and (m.valid_to is null or ${dayStart('m.valid_to')} > greatest(${new Date(from)}, r.from_hour))
      where a.tenant_id = ${tenantId} and a.id = any(${accountIds}::uuid[]))
    order by g.id`.execute(db)
  return rows
}

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'limit_movement.reason_content': Message
  }
}

export interface Booking {
  readonly runId: string
  readonly by: string | null
  readonly at: number
  /** The reason of a correction; null for other runs. */
  readonly reason: Reason | null
}

/** Appends the movements of a run to the ledger, in the given order. */
export async function appendMovements(
  tx: TenantTx,
  movements: readonly MovementDraft[],
  { runId, by, at, reason }: Booking,
): Promise<void> {
  if (movements.length === 0) return
  await insertRows(tx, {
    table: 'limit_movement',
    same: {
      tenant_id: tx.tenantId,
      ...reasonColumns(reason),
      calculation_run_id: runId,
      created_by: by,
      created_at: new Date(at),
    },
    columns: [
      { name: 'account_id', type: 'uuid', values: movements.map(({ accountId }) => accountId) },
      { name: 'movement_type', type: 'text', values: movements.map(({ movementType }) => movementType) },
      { name: 'amount_kwh', type: 'numeric', values: movements.map(({ amountKwh }) => formatKwh(amountKwh)) },
    ],
  })
}

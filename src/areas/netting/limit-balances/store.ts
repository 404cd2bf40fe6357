import { sql } from 'kysely'
import { type LocalDate, localDate, localYear } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/** Energy as decimal texts with 3 decimals. */
export interface AccountLimit {
  readonly account_id: string
  readonly facility_id: string
  readonly year: number
  readonly initial_limit_kwh: string
  readonly used_limit_kwh: string
  readonly remaining_limit_kwh: string
}

/** The movements that calculations book; all others change the limit itself. */
const USAGE = sql`m.movement_type in ('mahsuplasan_consumption', 'bedelli_ihtiyac_fazlasi', 'correction_reversal',
  'correction_reapply')`

/** SQL: accounts `a` with their usage and their remaining limit, by the movements of now. */
const balances = sql`
  select a.id as account_id, a.facility_id, a.year, a.initial_limit_kwh,
    -coalesce(sum(m.amount_kwh) filter (where ${USAGE}), 0.000) as used_limit_kwh,
    a.initial_limit_kwh + coalesce(sum(m.amount_kwh), 0.000) as remaining_limit_kwh
  from limit_account a
  left join limit_movement m on m.tenant_id = a.tenant_id and m.account_id = a.id`
const grouped = sql`group by a.tenant_id, a.id`

/** The limits of accounts, by account. */
export async function readAccountLimits(
  { db, tenantId }: TenantDb,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountLimit>> {
  const { rows } = await sql<AccountLimit>`${balances}
    where a.tenant_id = ${tenantId} and a.id = any(${[...accountIds]}::uuid[]) ${grouped}`.execute(db)
  return new Map(rows.map((row) => [row.account_id, row]))
}

/** The limits of facilities in the current year, by facility; one without an account is missing. */
export async function readFacilityLimits(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, AccountLimit>> {
  const { rows } = await sql<AccountLimit>`${balances}
    where a.tenant_id = ${tenantId} and a.year = ${localYear(now)}
      and a.facility_id = any(${[...facilityIds]}::uuid[]) ${grouped}`.execute(db)
  return new Map(rows.map((row) => [row.facility_id, row]))
}

export interface GroupLimit {
  readonly group_id: string
  readonly year: number
  readonly consumers: number
  readonly consumers_without_account: number
  readonly used_limit_kwh: string | null
  readonly remaining_limit_kwh: string | null
}

/**
 * The limits of the consumers of today of each group, by group. An account below zero has no limit left and counts
 * as zero, as in the dashboard.
 */
export async function readGroupLimits(
  { db, tenantId }: TenantDb,
  groupIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, GroupLimit>> {
  const today: LocalDate = localDate(now)
  const { rows } = await sql<GroupLimit>`
    select g.id as group_id, ${localYear(now)}::int as year, count(c.facility_id)::int as consumers,
      (count(c.facility_id) - count(b.account_id))::int as consumers_without_account,
      sum(b.used_limit_kwh) as used_limit_kwh,
      sum(greatest(0.000, b.remaining_limit_kwh)) filter (where b.account_id is not null) as remaining_limit_kwh
    from netting_group g
    left join group_member c on c.tenant_id = g.tenant_id and c.group_id = g.id and c.member_role <> 'production'
      and c.valid_from <= ${today}::date and (c.valid_to is null or c.valid_to > ${today}::date)
    left join (${balances} where a.tenant_id = ${tenantId} and a.year = ${localYear(now)} and a.facility_id in (
        select k.facility_id from group_member k
        where k.tenant_id = ${tenantId} and k.group_id = any(${[...groupIds]}::uuid[])) ${grouped}) b
      on b.facility_id = c.facility_id
    where g.tenant_id = ${tenantId} and g.id = any(${[...groupIds]}::uuid[])
    group by g.tenant_id, g.id`.execute(db)
  return new Map(rows.map((row) => [row.group_id, row]))
}

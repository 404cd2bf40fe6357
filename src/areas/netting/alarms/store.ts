import { sql } from 'kysely'
import { type Kwh, parseKwh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { type BillingPeriod, localDate } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { FACTS_ALARM_SPAN_MS, FACTS_MISSING_ALARM_SPAN_MS } from '../limits.ts'
import { MAIN_ROLES } from '../shared/index.ts'
import type { StoppedChain } from './corrections.ts'
import type { FactsState } from './facts.ts'
import type { FacilityLimit, PeriodState } from './period.ts'

interface Scope {
  readonly id: string
  readonly name: string
}

export interface Named {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/**
 * Returns the names and scopes of the groups and facilities with these ids. Ids are UUIDs, so one list can
 * contain both kinds.
 */
export async function readNames(
  { db, tenantId }: TenantDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const namesIn = (table: 'netting_group' | 'facility') => sql`
    select o.id, o.name,
      case when s.id is null then '[]'::jsonb
        else jsonb_build_array(jsonb_build_object('id', s.id, 'name', s.name)) end as scopes
    from ${sql.table(table)} o left join scope s on (s.tenant_id, s.id) = (o.tenant_id, o.scope_id)
    where o.tenant_id = ${tenantId} and o.id = any(${ids}::uuid[])`
  const { rows } = await sql<Named>`${namesIn('netting_group')} union all ${namesIn('facility')}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** An unknown quantity counts as 0 in the alarms on shares. */
const kwh = (text: string | null): Kwh => (text === null ? ZERO_KWH : parseKwh(text))

interface GroupPeriodAt {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly at: number
}

/**
 * Returns the state of a calculated period: its summary and the remaining limits. Undefined without a
 * summary.
 */
export async function readPeriodState(
  tenant: TenantDb,
  { groupId, billingPeriod, at }: GroupPeriodAt,
): Promise<Omit<PeriodState, 'result'> | undefined> {
  const { db, tenantId } = tenant
  const row = await db
    .selectFrom('monthly_summary')
    .select(['scenario', 'production_kwh', 'bedelsiz_kwh', 'price_gaps', 'hours_calculated'])
    .select(['hours_expected', 'completeness_pct'])
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const hoursWhole = Math.round((Number(row.completeness_pct) * row.hours_expected) / 100)
  return {
    groupId,
    billingPeriod,
    now: at,
    scenario: row.scenario,
    productionKwh: kwh(row.production_kwh),
    bedelsizKwh: kwh(row.bedelsiz_kwh),
    hoursCalculated: row.hours_calculated,
    hoursMissing: row.hours_calculated - hoursWhole,
    priceGaps: row.price_gaps,
    limits: row.scenario === 'mesken_monthly' ? [] : await readLimits(tenant, { groupId, billingPeriod, at }),
  }
}

const remaining = (tenantId: number) => sql<string>`a.initial_limit_kwh + coalesce((
  select sum(m.amount_kwh) from limit_movement m where m.tenant_id = ${tenantId} and m.account_id = a.id), 0)`

/**
 * Returns the facilities that consume in a group on the day of an instant, with their accounts of the
 * period's year.
 */
async function readLimits(
  { db, tenantId }: TenantDb,
  { groupId, billingPeriod, at }: GroupPeriodAt,
): Promise<FacilityLimit[]> {
  const today = localDate(at)
  const { rows } = await sql<{ facility_id: string; id: string | null; initial: string; remaining: string }>`
    select gm.facility_id, a.id, a.initial_limit_kwh as initial, ${remaining(tenantId)} as remaining
    from group_member gm
    left join limit_account a on (a.tenant_id, a.facility_id) = (gm.tenant_id, gm.facility_id)
      and a.year = ${Number(billingPeriod.slice(0, 4))}
    where gm.tenant_id = ${tenantId} and gm.group_id = ${groupId} and gm.member_role <> 'production'
      and gm.valid_from <= ${today} and (gm.valid_to is null or gm.valid_to > ${today})`.execute(db)
  return rows.map(({ facility_id: facilityId, id: accountId, ...kwh }) => ({
    facilityId,
    account:
      accountId === null
        ? null
        : { accountId, initialKwh: parseKwh(kwh.initial), remainingKwh: parseKwh(kwh.remaining) },
  }))
}

/** Accounts with their remaining limits. */
export async function readBalances({ db, tenantId }: TenantDb, accountIds: readonly string[]) {
  const { rows } = await sql<{
    id: string
    facility_id: string
    year: number
    initial: string
    remaining: string
  }>`
    select a.id, a.facility_id, a.year, a.initial_limit_kwh as initial, ${remaining(tenantId)} as remaining
    from limit_account a where a.tenant_id = ${tenantId} and a.id = any(${accountIds}::uuid[])`.execute(db)
  return rows.map((row) => ({
    facilityId: row.facility_id,
    year: row.year,
    account: {
      accountId: row.id,
      initialKwh: parseKwh(row.initial),
      remainingKwh: parseKwh(row.remaining),
    },
  }))
}

/** The state of the facts of a facility in the days before an instant; main roles only. */
export async function readFactsState(
  { db, tenantId }: TenantDb,
  facilityId: string,
  at: number,
): Promise<Omit<FactsState, 'issues'>> {
  const recent = new Date(at - FACTS_MISSING_ALARM_SPAN_MS)
  const { rows } = await sql<{ missing: number; partial: number; suspect: Date | null }>`
    select count(distinct hour) filter (where is_missing and hour >= ${recent})::int as missing,
      count(distinct hour) filter (where is_partial and hour < ${recent})::int as partial,
      max(hour) filter (where is_suspect) as suspect
    from (
      select hour, bool_and(num_nonnulls(production_kwh,
          consumption_kwh, import_kwh, export_kwh) = 0) as is_missing, bool_or(data_quality = 'partial') as is_partial,
        bool_or(data_quality = 'suspect') as is_suspect
      from hourly_energy
      where tenant_id = ${tenantId} and facility_id = ${facilityId}
        and hour >= ${new Date(at - FACTS_ALARM_SPAN_MS)} and hour < ${new Date(at)}
        and measurement_role = any(${[...MAIN_ROLES]})
      group by hour, measurement_role) as hours`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate without groups answers one row')
  return {
    facilityId,
    hoursMissing: row.missing,
    hoursPartial: row.partial,
    lastSuspectHour: row.suspect?.getTime() ?? null,
  }
}

/** Returns the stopped corrections of a group. */
export const readStoppedChains = (tenant: TenantDb, groupId: string): Promise<StoppedChain[]> =>
  selectRows(tenant, 'correction_chain')
    .select([
      'cause',
      'billing_period as billingPeriod',
      'failed_period as failedPeriod',
      sql<number>`cardinality(done_periods)`.as('donePeriods'),
    ])
    .where('group_id', '=', groupId)
    .where('state', '=', 'stopped')
    .$castTo<StoppedChain>()
    .execute()

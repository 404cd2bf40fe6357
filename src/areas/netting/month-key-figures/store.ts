import { sql } from 'kysely'
import type { AboneGrubu, AmountType, VoltageLevel } from '../../../core/netting/types.ts'
import type { LocalDate, Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/** The figures of a group in a month; energy and money as decimal texts of the database. Null: unknown. */
export interface Figures {
  readonly id: string
  readonly name: string
  /** Current hourly rows. */
  readonly hours: number
  readonly production_kwh: string | null
  readonly consumption_kwh: string | null
  readonly matched_kwh: string | null
  readonly bedelli_kwh: string | null
  readonly skb_kwh: string | null
  readonly bedelsiz_kwh: string | null
  readonly mesken_informational: boolean
  /**
   * For each type the sum of the priced rows, which is null without any, and the number of quantity-only
   * rows.
   */
  readonly amounts: Readonly<Partial<Record<AmountType, { priced: string | null; gaps: number }>>> | null
  /** Free energy by local date. */
  readonly free: Readonly<Record<LocalDate, string>> | null
  readonly consumers: readonly Consumer[] | null
  readonly remaining_kwh: string | null
  readonly quality_pct: string | null
  readonly month: Month | null
}

interface Consumer {
  readonly facilityId: string
  readonly facilityName: string
  readonly aboneGrubu: AboneGrubu | null
  readonly voltageLevel: VoltageLevel | null
  readonly validFrom: LocalDate
  readonly validTo: LocalDate | null
}

interface Month {
  readonly matched_kwh: string | null
  readonly net_import_kwh: string | null
  readonly bedelli_kwh: string | null
  readonly bedelsiz_kwh: string | null
  readonly bedelsiz_risk_try: string | null
}

export interface FiguresQuery {
  readonly groupId: string
  readonly billingPeriod: LocalDate
  readonly period: Range
  /** The local date after the last day of the period. */
  readonly periodEnd: LocalDate
  readonly year: number
  readonly today: LocalDate
  readonly todayRange: Range
}

/** Every subquery compares the tenant with a parameter (ADR 0103). */
interface TenantQuery extends FiguresQuery {
  readonly tenantId: number
}

const currentRows = ({ tenantId, period }: TenantQuery) => sql`
  where r.tenant_id = ${tenantId} and r.group_id = g.id and r.is_current
    and r.hour >= ${new Date(period.from)} and r.hour < ${new Date(period.to)}`

/**
 * The consumption facilities of the group in the period, and those of today, because the response contains
 * the present limit.
 */
const consumersOf = ({ tenantId, billingPeriod, periodEnd, today }: TenantQuery) => sql`
  m.tenant_id = ${tenantId} and m.group_id = g.id and m.member_role <> 'production'
    and (m.valid_from < ${periodEnd}::date and (m.valid_to is null or m.valid_to > ${billingPeriod}::date)
      or m.valid_from <= ${today}::date and (m.valid_to is null or m.valid_to > ${today}::date))`

const hourSums = (query: TenantQuery) => sql`
  select count(*)::int as hours, coalesce(bool_or(r.mesken_informational), false) as mesken_informational,
    sum(r.production_kwh) as production_kwh, sum(r.consumption_kwh) as consumption_kwh,
    sum(r.matched_kwh) as matched_kwh, sum(r.bedelli_kwh) as bedelli_kwh,
    sum(r.skb_kwh) as skb_kwh, sum(r.bedelsiz_kwh) as bedelsiz_kwh
  from calculation_hour r ${currentRows(query)}`

const amountSums = (query: TenantQuery) => sql`
  select jsonb_object_agg(amount_type, jsonb_build_object('priced', priced, 'gaps', gaps)) as amounts from (
    select r.amount_type, sum(r.amount_try)::text as priced, count(*) filter (where r.amount_try is null) as gaps
    from amount r ${currentRows(query)} group by r.amount_type) as by_type`

const freeByDay = (query: TenantQuery) => sql`
  select jsonb_object_agg(day, kwh) as free from (
    select to_char(r.hour at time zone 'UTC' + interval '3 hours', 'YYYY-MM-DD') as day,
      sum(r.bedelsiz_kwh)::text as kwh
    from calculation_hour r ${currentRows(query)} and r.bedelsiz_kwh > 0 group by 1) as by_day`

const consumerList = (query: TenantQuery) => sql`
  select jsonb_agg(jsonb_build_object(
    'facilityId', f.id, 'facilityName', f.name, 'aboneGrubu', f.abone_grubu, 'voltageLevel', f.voltage_level,
    'validFrom', m.valid_from, 'validTo', m.valid_to)) as consumers
  from group_member m join facility f on (f.tenant_id, f.id) = (m.tenant_id, m.facility_id)
  where ${consumersOf(query)}`

/**
 * Returns the present limits, independent of the period: the initial limit of each account plus all its
 * movements. An account below zero has no limit left and counts as zero.
 */
const remaining = (query: TenantQuery) => sql`
  select sum(greatest(0.000, a.initial_limit_kwh + coalesce((
    select sum(v.amount_kwh) from limit_movement v
    where (v.tenant_id, v.account_id) = (${query.tenantId}, a.id)), 0)))::text as remaining_kwh
  from limit_account a
  where a.tenant_id = ${query.tenantId} and a.year = ${query.year}
    and a.facility_id in (select m.facility_id from group_member m where ${consumersOf(query)})`

const quality = ({ tenantId, today, todayRange }: TenantQuery) => sql`
  select avg(pct)::text as quality_pct from (
    select avg(e.completeness_pct) as pct from hourly_energy e
    where e.tenant_id = ${tenantId}
      and e.hour >= ${new Date(todayRange.from)} and e.hour < ${new Date(todayRange.to)}
      and e.facility_id in (
        select m.facility_id from group_member m
        where m.tenant_id = ${tenantId} and m.group_id = g.id
          and m.valid_from <= ${today}::date and (m.valid_to is null or m.valid_to > ${today}::date))
    group by e.facility_id) as by_facility`

const residentialMonth = ({ tenantId, billingPeriod }: TenantQuery) => sql`
  select jsonb_build_object('matched_kwh', s.matched_kwh::text, 'net_import_kwh', s.net_import_kwh::text,
    'bedelli_kwh', s.bedelli_kwh::text, 'bedelsiz_kwh', s.bedelsiz_kwh::text,
    'bedelsiz_risk_try', s.amounts_try ->> 'estimated_loss_or_risk') as month
  from monthly_summary s
  where s.tenant_id = ${tenantId} and s.group_id = g.id and s.is_current
    and s.billing_period = ${billingPeriod}::date and s.scenario = 'mesken_monthly'`

/** All figures of the dashboard except the last run, in one query. */
export async function readFigures(
  { db, tenantId }: TenantDb,
  asked: FiguresQuery,
): Promise<Figures | undefined> {
  const query = { ...asked, tenantId }
  const { rows } = await sql<Figures>`
    select g.id, g.name, hour_sums.*, amounts, free, consumers, remaining_kwh, quality_pct, month
    from netting_group g
    cross join lateral (${hourSums(query)}) as hour_sums
    cross join lateral (${amountSums(query)}) as amount_sums
    cross join lateral (${freeByDay(query)}) as free_days
    cross join lateral (${consumerList(query)}) as consumer_list
    cross join lateral (${remaining(query)}) as limits
    cross join lateral (${quality(query)}) as quality
    left join lateral (${residentialMonth(query)}) as residential on true
    where g.tenant_id = ${tenantId} and g.id = ${query.groupId}`.execute(db)
  return rows[0]
}

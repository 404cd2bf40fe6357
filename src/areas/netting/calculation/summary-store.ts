import { sql } from 'kysely'
import { memberHours } from '../../../core/netting/members.ts'
import { worseQuality } from '../../../core/netting/sources.ts'
import { percentOf } from '../../../core/netting/summary.ts'
import type { DataQuality, MemberInput, Scenario, Summary } from '../../../core/netting/types.ts'
import { formatKwh, type Kwh, larger, subtract, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import { type BillingPeriod, periodRange } from '../../../kernel/time.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { listBalances } from './ledger-store.ts'
import { AMOUNT_TYPES } from './schema.ts'

type AmountTypeName = (typeof AMOUNT_TYPES)[number]

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'monthly_summary.amounts_try': Readonly<Record<AmountTypeName, string | null>>
    'monthly_summary.price_gaps': Readonly<Record<AmountTypeName, number>>
  }
}

export interface SummaryRequest {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly runId: string
  readonly scenario: Scenario
  /** Every membership that touches the period. */
  readonly members: readonly MemberInput[]
  /** Accounts of the group's consumers in the period's year. */
  readonly accountIds: readonly string[]
  readonly now: number
  /**
   * The monthly result of a residential group, which is not the sum of its hours; undefined for other groups.
   */
  readonly month: Summary | undefined
}

/**
 * Computes the summary of a period from its current rows. The previous summary is superseded, never changed.
 */
export async function refreshSummary(tx: TenantTx, request: SummaryRequest): Promise<void> {
  const { db, tenantId } = tx
  const hours = await sumHours(tx, request)
  const money = await sumAmounts(tx, request)
  const limits = await limitColumns(tx, request)
  const hoursExpected = memberHours(request.members, periodRange(request.billingPeriod))
  await db
    .updateTable('monthly_summary')
    .set({ is_current: false })
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', request.groupId)
    .where('billing_period', '=', request.billingPeriod)
    .where('is_current', '=', true)
    .execute()
  await db
    .insertInto('monthly_summary')
    .values({
      tenant_id: tenantId,
      group_id: request.groupId,
      billing_period: request.billingPeriod,
      calculation_run_id: request.runId,
      run_ids: await currentRunIds(tx, request),
      scenario: request.scenario,
      ...(request.month ? kwhColumns(request.month) : hours.kwh),
      ...money,
      ...limits,
      hours_expected: hoursExpected,
      hours_calculated: hours.calculated,
      completeness_pct: percentOf(hours.whole, hoursExpected),
      data_quality: hours.quality,
      created_at: new Date(request.now),
    })
    .execute()
}

const KWH_COLUMNS = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'net_import_kwh',
  'surplus_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
] as const
/** Null: unknown. */
type KwhColumns = Record<(typeof KWH_COLUMNS)[number], string | null>

const kwh = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))

const kwhColumns = (month: Summary): KwhColumns => ({
  production_kwh: kwh(month.productionKwh),
  consumption_kwh: kwh(month.consumptionKwh),
  matched_kwh: kwh(month.matchedKwh),
  net_import_kwh: kwh(month.netImportKwh),
  surplus_kwh: kwh(month.surplusKwh),
  bedelli_kwh: kwh(month.bedelliKwh),
  skb_kwh: kwh(month.skbKwh),
  bedelsiz_kwh: kwh(month.bedelsizKwh),
})

type GroupPeriod = Pick<SummaryRequest, 'groupId' | 'billingPeriod'>

const inPeriod = ({ tenantId }: TenantDb, { groupId, billingPeriod }: GroupPeriod) => {
  const { from, to } = periodRange(billingPeriod)
  return sql`tenant_id = ${tenantId} and group_id = ${groupId} and is_current
    and hour >= ${new Date(from)} and hour < ${new Date(to)}`
}

async function sumHours(db: TenantDb, request: GroupPeriod) {
  const sums = KWH_COLUMNS.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`)
  const { rows } = await sql<
    KwhColumns & { calculated: string; whole: string; qualities: DataQuality[] | null }
  >`
    select ${sql.join(sums)}, count(*) as calculated,
      count(*) filter (where data_quality <> 'missing') as whole,
      array_agg(distinct data_quality) as qualities
    from calculation_hour where ${inPeriod(db, request)}`.execute(db.db)
  const [row] = rows
  if (!row) throw new Error('an aggregate without groups answers one row')
  const { calculated, whole, qualities, ...kwh } = row
  return {
    kwh,
    calculated: Number(calculated),
    whole: Number(whole),
    quality: (qualities ?? ['missing']).reduce(worseQuality),
  }
}

/** Sums of the priced rows and counts of the quantity-only ones, by amount type. */
async function sumAmounts(db: TenantDb, request: GroupPeriod) {
  const { rows } = await sql<{ amount_type: string; sum: string | null; gaps: string }>`
    select amount_type, sum(amount_try)::text as sum, count(*) filter (where amount_try is null) as gaps
    from amount where ${inPeriod(db, request)} group by amount_type`.execute(db.db)
  const byType = new Map(rows.map((row) => [row.amount_type, row]))
  const each = <T>(value: (row: (typeof rows)[number] | undefined) => T) =>
    toJson(
      Object.fromEntries(AMOUNT_TYPES.map((type) => [type, value(byType.get(type))])) as Record<
        AmountTypeName,
        T
      >,
    )
  return {
    amounts_try: each((row) => row?.sum ?? null),
    price_gaps: each((row) => Number(row?.gaps ?? 0)),
  }
}

/**
 * Returns the limits left at the start and at the end of the period, and the usage by all groups between them.
 * An account below zero has no limit left and counts as zero; the usage is that of all accounts.
 */
async function limitColumns(db: TenantDb, { accountIds, billingPeriod }: SummaryRequest) {
  if (accountIds.length === 0) return {}
  const { from, to } = periodRange(billingPeriod)
  const queries = accountIds.flatMap((accountId) => [from, to].map((at) => ({ accountId, at })))
  const balances = await listBalances(db, queries, [])
  const asOf = (at: number) => balances.filter((balance) => balance.at === at).map(({ kwh }) => kwh)
  const leftOf = (balances: readonly Kwh[]) => total(balances.map((balance) => larger(balance, ZERO_KWH)))
  const opening = asOf(from)
  const closing = asOf(to)
  return {
    limit_opening_kwh: formatKwh(leftOf(opening)),
    limit_used_kwh: formatKwh(subtract(total(opening), total(closing))),
    limit_closing_kwh: formatKwh(leftOf(closing)),
  }
}

/** The current runs of a period, in time order. */
export async function currentRunIds(
  tenant: TenantDb,
  { groupId, billingPeriod }: GroupPeriod,
): Promise<string[]> {
  const rows = await selectRows(tenant, 'calculation_run')
    .select('id')
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .orderBy('from_hour')
    .execute()
  return rows.map((row) => row.id)
}

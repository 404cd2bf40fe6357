import { type BillingPeriod, parsePeriod } from '../../../kernel/time.ts'
import { readList } from '../../../platform/db/list.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Listed } from '../../../platform/http/page.ts'
import { epochMsOf } from '../shared/index.ts'
import { readStale, readStaleRuns, staleFields } from '../stale/index.ts'
import { RESULT_AMOUNT_COLUMNS, RESULT_HOUR_COLUMNS, RESULT_METER_COLUMNS } from './result-columns.ts'
import { runColumns } from './run-store.ts'
import type {
  Amount,
  AmountQuery,
  HourlyRow,
  ListedRun,
  MonthlySummary,
  RowQuery,
  Run,
  RunQuery,
  SummaryQuery,
  VirtualMeterHour,
} from './schema.ts'

const versionColumns = ['id', 'group_id', 'calculation_run_id', 'is_current'] as const
const hourColumns = [...versionColumns, ...RESULT_HOUR_COLUMNS] as const
const meterColumns = [...versionColumns, ...RESULT_METER_COLUMNS] as const
const amountColumns = [...versionColumns, ...RESULT_AMOUNT_COLUMNS] as const
const summaryColumns = [
  ...versionColumns,
  'billing_period',
  'scenario',
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'net_import_kwh',
  'surplus_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
  'amounts_try',
  'price_gaps',
  'limit_opening_kwh',
  'limit_used_kwh',
  'limit_closing_kwh',
  'hours_expected',
  'hours_calculated',
  'completeness_pct',
  'data_quality',
  'run_ids',
  'created_at',
] as const

/** A query on one of the three tables with a row for each hour and version, filtered by the request. */
function hourly<T extends 'calculation_hour' | 'virtual_meter_hour' | 'amount'>(
  { db, tenantId }: TenantDb,
  table: T,
  { groupId, query }: { groupId: string; query: RowQuery },
) {
  const from = instant(query.from)
  const to = instant(query.to)
  return db
    .selectFrom(table as 'amount')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', groupId)
    .$if(!query.include_history, (rows) => rows.where('is_current', '=', true))
    .$if(from !== undefined, (rows) => rows.where('hour', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (rows) => rows.where('hour', '<', to ?? new Date(0)))
    .orderBy('hour')
}

const instant = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(epochMsOf(text))

/** Ordered by hour. With history the versions of an hour follow each other. */
export const listHours = (db: TenantDb, groupId: string, query: RowQuery): Promise<Listed<HourlyRow>> =>
  readList(
    hourly(db, 'calculation_hour', { groupId, query })
      .select(hourColumns as never)
      .orderBy('id')
      .$castTo<HourlyRow>(),
    query,
  )

export const listVirtualMeters = (
  db: TenantDb,
  groupId: string,
  query: RowQuery,
): Promise<Listed<VirtualMeterHour>> =>
  readList(
    hourly(db, 'virtual_meter_hour', { groupId, query })
      .select(meterColumns as never)
      .orderBy('virtual_meter_type' as never)
      .orderBy('id')
      .$castTo<VirtualMeterHour>(),
    query,
  )

export const listAmounts = (db: TenantDb, groupId: string, query: AmountQuery): Promise<Listed<Amount>> =>
  readList(
    hourly(db, 'amount', { groupId, query })
      .$if(query.amount_type !== undefined, (rows) => rows.where('amount_type', '=', query.amount_type ?? ''))
      .select(amountColumns)
      .orderBy('amount_type')
      .orderBy('id')
      .$castTo<Amount>(),
    query,
  )

/** Ordered by period, latest first. With history the versions of a period follow each other, latest first. */
export async function listSummaries(
  tenant: TenantDb,
  groupId: string,
  query: SummaryQuery,
): Promise<Listed<MonthlySummary>> {
  let rows = selectRows(tenant, 'monthly_summary').where('group_id', '=', groupId)
  if (!query.include_history) rows = rows.where('is_current', '=', true)
  if (query.year !== undefined) {
    rows = rows
      .where('billing_period', '>=', `${query.year}-01-01`)
      .where('billing_period', '<=', `${query.year}-12-01`)
  }
  const { items, total } = await readList(
    rows
      .select(summaryColumns)
      .orderBy('billing_period', 'desc')
      .orderBy('is_current', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    query,
  )
  const stale = await readStale(tenant, { groupIds: [groupId] })
  const staleIn = (row: (typeof items)[number]) =>
    stale.find(({ billingPeriod }) => row.is_current && billingPeriod === row.billing_period)
  return {
    items: items.map(
      (row) =>
        ({
          ...row,
          ...staleFields(staleIn(row)),
          completeness_pct: Number(row.completeness_pct),
        }) as MonthlySummary,
    ),
    total,
  }
}

/** The audit trail, latest start first; of runs that started in the same millisecond the current one comes first. */
export async function listRuns(
  tenant: TenantDb,
  groupId: string,
  query: RunQuery,
): Promise<Listed<ListedRun>> {
  const period = query.billing_period === undefined ? undefined : parsePeriod(query.billing_period)
  let rows = selectRows(tenant, 'calculation_run').select(runColumns).where('group_id', '=', groupId)
  if (period !== undefined) rows = rows.where('billing_period', '=', period)
  const listed = rows
    .orderBy('started_at', 'desc')
    .orderBy('is_current', 'desc')
    .orderBy('id', 'desc')
    .$castTo<Run>()
  const { items, total } = await readList(listed, query)
  const runIds = items.filter((run) => run.is_current).map(({ id }) => id)
  const stale = new Map((await readStaleRuns(tenant, groupId, runIds)).map((run) => [run.runId, run]))
  return { items: items.map((run) => ({ ...run, ...staleFields(stale.get(run.id)) })), total }
}

/** The latest started run of a period, current or not. */
export const latestRun = (
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<Run | undefined> =>
  selectRows(tenant, 'calculation_run')
    .select(runColumns)
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .orderBy('started_at', 'desc')
    .orderBy('is_current', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .$castTo<Run>()
    .executeTakeFirst()

import type { BillingPeriod } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { RESULT_AMOUNT_COLUMNS, RESULT_HOUR_COLUMNS, RESULT_METER_COLUMNS } from '../calculation/index.ts'
import type { ResultText, Row } from './result-text.ts'

/** Returns the current runs of a period in time order. */
export const listRuns = (tenant: TenantDb, groupId: string, billingPeriod: BillingPeriod) =>
  selectRows(tenant, 'calculation_run')
    .select(['id', 'from_hour', 'to_hour', 'scenario', 'triggered_by', 'started_at', 'finished_at'])
    .select(['engine_version', 'input_hash', 'eligibility_run_id'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .orderBy('from_hour')
    .execute()

/** Returns the evaluations of eligibility that runs used, in the order in which they were made. */
export async function listEvaluations(
  tenant: TenantDb,
  runs: readonly { readonly eligibility_run_id: string | null }[],
) {
  const ids = [...new Set(runs.flatMap((run) => run.eligibility_run_id ?? []))]
  if (ids.length === 0) return []
  return selectRows(tenant, 'eligibility_run')
    .select(['id', 'eligibility_status', 'billing_period', 'triggered_by', 'reason', 'evaluated_at'])
    .select(['evaluated_by', 'kept_from as kept_from_run_id', 'rules'])
    .where('id', 'in', ids)
    .orderBy('seq')
    .execute()
}

type Stored = Readonly<Record<string, string | number | boolean | Date | null>>

const asText = (row: Stored): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )

/** Returns all rows of a run except reversals, which belong to the runs that it replaced. */
export async function readResult(tenant: TenantDb, runId: string): Promise<ResultText> {
  const ofRun = <T extends 'calculation_hour' | 'virtual_meter_hour' | 'amount' | 'limit_usage_hour'>(
    table: T,
  ) =>
    tenant.db
      .selectFrom(table as 'limit_usage_hour')
      .where('tenant_id', '=', tenant.tenantId)
      .where('calculation_run_id', '=', runId)
      .orderBy('hour')
  const read = async (table: Parameters<typeof ofRun>[0], columns: readonly string[]): Promise<Row[]> =>
    (
      await ofRun(table)
        .select(columns as never)
        .$castTo<Stored>()
        .execute()
    ).map(asText)
  const movements = await selectRows(tenant, 'limit_movement')
    .select(['account_id', 'movement_type', 'amount_kwh'])
    .where('calculation_run_id', '=', runId)
    .where('movement_type', '<>', 'correction_reversal')
    .orderBy('account_id')
    .orderBy('movement_type')
    .execute()
  return {
    hours: await read('calculation_hour', RESULT_HOUR_COLUMNS),
    virtual_meters: await read('virtual_meter_hour', RESULT_METER_COLUMNS),
    amounts: await read('amount', RESULT_AMOUNT_COLUMNS),
    usage: await read('limit_usage_hour', ['account_id', 'hour', 'matched_kwh', 'bedelli_kwh']),
    movements,
  }
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

export async function readSummary(tenant: TenantDb, groupId: string, billingPeriod: BillingPeriod) {
  const row = await selectRows(tenant, 'monthly_summary')
    .select([...KWH_COLUMNS, 'scenario', 'amounts_try', 'hours_calculated'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { scenario, amounts_try, hours_calculated, ...kwh } = row
  return {
    billing_period: billingPeriod,
    scenario,
    kwh,
    amounts_try,
    hours_calculated,
  }
}

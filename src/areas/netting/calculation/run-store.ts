import type {
  AmountRow,
  HourRow,
  PeriodResult,
  Scenario,
  VirtualMeterRow,
} from '../../../core/netting/types.ts'
import { formatKwh, formatPrice, formatTry, type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import type { BillingPeriod, Range } from '../../../kernel/time.ts'
import { type BulkColumn, insertRows } from '../../../platform/db/bulk.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Run, Trigger } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'calculation_run.notes': RunNotes
  }
}

export const runColumns = [
  'id',
  'group_id',
  'billing_period',
  'from_hour',
  'to_hour',
  'scenario',
  'triggered_by',
  'started_at',
  'finished_at',
  'is_current',
  'parent_run_id',
  'input_hash',
  'status',
  'eligibility_run_id',
  'stage',
] as const

/** A current run with its opening balances. */
export interface CurrentRun {
  readonly id: string
  readonly billingPeriod: BillingPeriod
  readonly window: Range
  readonly inputHash: string
  /** Opening balances by account id. */
  readonly openings: ReadonlyMap<string, Kwh>
}

/** The stage of the schedule that started the run. */
export type Stage = 'preliminary' | 'corrected' | 'daily_backfill' | 'monthly_close' | 'automatic_correction'

interface RunNotes {
  readonly stage?: Stage
  /** kWh by account id. */
  readonly opening_kwh?: Readonly<Record<string, string>>
}

const openingsOf = ({ opening_kwh: openings = {} }: RunNotes): Map<string, Kwh> =>
  new Map(Object.entries(openings).map(([id, kwh]) => [id, parseKwh(kwh)]))

/** Returns the current runs of a group from a period on, in time order. */
export async function listCurrentRuns(
  tenant: TenantDb,
  groupId: string,
  { from, to }: { from: BillingPeriod; to: BillingPeriod },
): Promise<CurrentRun[]> {
  const rows = await selectRows(tenant, 'calculation_run')
    .select(['id', 'billing_period', 'from_hour', 'to_hour', 'input_hash', 'notes'])
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('billing_period', '>=', from)
    .where('billing_period', '<=', to)
    .orderBy('from_hour')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    billingPeriod: row.billing_period,
    window: { from: row.from_hour.getTime(), to: row.to_hour.getTime() },
    inputHash: row.input_hash,
    openings: openingsOf(row.notes),
  }))
}

const VERSIONED = ['calculation_hour', 'virtual_meter_hour', 'amount'] as const

/** Marks runs and all their rows superseded. The rows stay readable with `include_history`. */
export async function supersedeRuns(tx: TenantTx, runIds: readonly string[], by: string) {
  if (runIds.length === 0) return
  await updateRows(tx, 'calculation_run')
    .set({ is_current: false, status: 'superseded', superseded_by: by })
    .where('id', 'in', runIds)
    .execute()
  for (const table of VERSIONED) {
    await tx.db
      .updateTable(table)
      .set({ is_current: false })
      .where('tenant_id', '=', tx.tenantId)
      .where('calculation_run_id', 'in', runIds)
      .where('is_current', '=', true)
      .execute()
  }
}

export interface NewRun {
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly window: Range
  readonly scenario: Scenario
  readonly triggeredBy: Trigger
  readonly startedAt: number
  readonly finishedAt: number
  /**
   * The id of the first run of the correction chain, which may be the run itself; null outside of
   * corrections.
   */
  readonly parentRunId: string | null
  readonly inputHash: string
  readonly engineVersion: string
  readonly startedBy: string | null
  readonly openings: ReadonlyMap<string, Kwh>
  /** The evaluation whose status the run used; null before the first one. */
  readonly eligibilityRunId: string | null
  readonly stage: Stage | undefined
}

export const insertRun = ({ db, tenantId }: TenantTx, run: NewRun) => {
  const notes: RunNotes = {
    ...(run.stage && { stage: run.stage }),
    opening_kwh: Object.fromEntries([...run.openings].map(([id, kwh]) => [id, formatKwh(kwh)])),
  }
  return db
    .insertInto('calculation_run')
    .values({
      tenant_id: tenantId,
      id: run.id,
      group_id: run.groupId,
      billing_period: run.billingPeriod,
      from_hour: new Date(run.window.from),
      to_hour: new Date(run.window.to),
      scenario: run.scenario,
      triggered_by: run.triggeredBy,
      started_at: new Date(run.startedAt),
      finished_at: new Date(run.finishedAt),
      parent_run_id: run.parentRunId,
      input_hash: run.inputHash,
      engine_version: run.engineVersion,
      started_by: run.startedBy,
      eligibility_run_id: run.eligibilityRunId,
      notes: toJson(notes),
    })
    .returning(runColumns)
    .$castTo<Run>()
    .executeTakeFirstOrThrow()
}

interface Owner {
  readonly runId: string
  readonly groupId: string
}

/** Writes the hourly, virtual meter and amount rows of a run. */
export async function insertResult(tx: TenantTx, { runId, groupId }: Owner, result: PeriodResult) {
  const same = { tenant_id: tx.tenantId, calculation_run_id: runId, group_id: groupId }
  await insertRows(tx, { table: 'calculation_hour', same, columns: hourColumns(result.hours) })
  await insertRows(tx, { table: 'virtual_meter_hour', same, columns: meterColumns(result.virtualMeters) })
  await insertRows(tx, { table: 'amount', same, columns: amountColumns(result.amounts) })
}

const hourOf = (rows: readonly { readonly hour: number }[]): BulkColumn => {
  const texts = new Map<number, Date>()
  const values = rows.map(({ hour }) => {
    const known = texts.get(hour) ?? new Date(hour)
    texts.set(hour, known)
    return known
  })
  return { name: 'hour', type: 'timestamptz', values }
}

type KwhField = Extract<keyof HourRow, `${string}Kwh`>
const HOUR_FIELDS: readonly (readonly [name: string, field: KwhField])[] = [
  ['production_kwh', 'productionKwh'],
  ['consumption_kwh', 'consumptionKwh'],
  ['matched_kwh', 'matchedKwh'],
  ['surplus_kwh', 'surplusKwh'],
  ['net_import_kwh', 'netImportKwh'],
  ['bedelli_kwh', 'bedelliKwh'],
  ['skb_kwh', 'skbKwh'],
  ['bedelsiz_kwh', 'bedelsizKwh'],
  ['matched_over_limit_kwh', 'matchedOverLimitKwh'],
  ['limit_before_kwh', 'limitBeforeKwh'],
  ['limit_used_kwh', 'limitUsedKwh'],
  ['limit_after_kwh', 'limitAfterKwh'],
]

const hourColumns = (rows: readonly HourRow[]): BulkColumn[] => [
  hourOf(rows),
  ...HOUR_FIELDS.map(
    ([name, field]): BulkColumn => ({
      name,
      type: 'numeric',
      values: rows.map(({ [field]: kwh }) => (kwh === null ? null : formatKwh(kwh))),
    }),
  ),
  { name: 'mesken_informational', type: 'boolean', values: rows.map((row) => row.meskenInformational) },
  { name: 'data_quality', type: 'text', values: rows.map((row) => row.dataQuality) },
]

const meterColumns = (rows: readonly VirtualMeterRow[]): BulkColumn[] => [
  hourOf(rows),
  { name: 'virtual_meter_type', type: 'text', values: rows.map((row) => row.virtualMeterType) },
  { name: 'grid_operator_id', type: 'uuid', values: rows.map((row) => row.gridOperatorId) },
  { name: 'source_kind', type: 'text', values: rows.map((row) => row.sourceKind) },
  { name: 'reason_code', type: 'text', values: rows.map((row) => row.reasonCode) },
  { name: 'energy_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.quantityKwh)) },
]

const amountColumns = (rows: readonly AmountRow[]): BulkColumn[] => [
  hourOf(rows),
  { name: 'facility_id', type: 'uuid', values: rows.map((row) => row.facilityId) },
  { name: 'amount_type', type: 'text', values: rows.map((row) => row.amountType) },
  { name: 'grid_operator_id', type: 'uuid', values: rows.map((row) => row.gridOperatorId) },
  { name: 'source_kind', type: 'text', values: rows.map((row) => row.sourceKind) },
  { name: 'step_no', type: 'integer', values: rows.map((row) => row.stepNo) },
  { name: 'quantity_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.quantityKwh)) },
  {
    name: 'unit_price_try_per_kwh',
    type: 'numeric',
    values: rows.map(({ unitPriceTryPerKwh: price }) => (price === null ? null : formatPrice(price))),
  },
  {
    name: 'amount_try',
    type: 'numeric',
    values: rows.map(({ amountTry }) => (amountTry === null ? null : formatTry(amountTry))),
  },
  { name: 'tariff_price_id', type: 'uuid', values: rows.map((row) => row.tariffPriceId) },
]

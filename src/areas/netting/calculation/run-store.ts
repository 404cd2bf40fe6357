import type { Scenario } from '../../../core/netting/types.ts'
import { formatKwh, type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import type { BillingPeriod, Range } from '../../../kernel/time.ts'
import { copyRows, type EncodedRows } from '../../../platform/db/copy-rows.ts'
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

/** A run without what is known when its last row has been computed. */
export interface NewRun {
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly window: Range
  readonly scenario: Scenario
  readonly triggeredBy: Trigger
  readonly startedAt: number
  /**
   * The id of the first run of the correction chain, which may be the run itself; null outside of
   * corrections.
   */
  readonly parentRunId: string | null
  readonly engineVersion: string
  readonly startedBy: string | null
  readonly openings: ReadonlyMap<string, Kwh>
  /** The evaluation whose status the run used; null before the first one. */
  readonly eligibilityRunId: string | null
  readonly stage: Stage | undefined
}

/** Inserts the run that its rows refer to. `completeRun` follows in the same transaction. */
export async function insertRun({ db, tenantId }: TenantTx, run: NewRun): Promise<void> {
  const notes: RunNotes = {
    ...(run.stage && { stage: run.stage }),
    opening_kwh: Object.fromEntries([...run.openings].map(([id, kwh]) => [id, formatKwh(kwh)])),
  }
  const startedAt = new Date(run.startedAt)
  await db
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
      started_at: startedAt,
      finished_at: startedAt,
      parent_run_id: run.parentRunId,
      input_hash: '',
      engine_version: run.engineVersion,
      started_by: run.startedBy,
      eligibility_run_id: run.eligibilityRunId,
      notes: toJson(notes),
    })
    .execute()
}

/** Adds to a new run what is known when its last row has been computed. */
export const completeRun = (
  tx: TenantTx,
  id: string,
  { inputHash, finishedAt }: { readonly inputHash: string; readonly finishedAt: number },
): Promise<Run> =>
  updateRows(tx, 'calculation_run')
    .set({ input_hash: inputHash, finished_at: new Date(finishedAt) })
    .where('id', '=', id)
    .returning(runColumns)
    .$castTo<Run>()
    .executeTakeFirstOrThrow()

/**
 * Inserts the rows of a run. While the server stores a piece, the engine makes the next one. `onInserted`: the server
 * has the rows, so that their buffer may be used again.
 */
export async function insertResultRows(
  tx: TenantTx,
  pieces: AsyncIterable<EncodedRows>,
  onInserted: (rows: EncodedRows) => void,
): Promise<void> {
  let stored = Promise.resolve()
  for await (const rows of pieces) {
    await stored
    stored = copyRows(tx, rows).then(() => onInserted(rows))
    // A failure is thrown where the result is awaited.
    stored.catch(() => {})
  }
  await stored
}

import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod, Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { type Reason, reasonColumns, reasonText, storedReason } from '../../../platform/db/reason-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { type Run, runColumns } from '../calculation/index.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'correction_chain.warnings': readonly PeriodWarning[]
    'correction_chain.reason_content': Message
  }
}

/** A warning of a step, with the period that it concerns. */
export interface PeriodWarning extends Warning {
  readonly period: BillingPeriod
}

export interface Chain {
  readonly id: string
  readonly group_id: string
  readonly billing_period: BillingPeriod
  readonly reason: Reason
  readonly state: 'open' | 'stopped' | 'done' | 'refused' | 'superseded'
  /** The id of the first run of the chain; null exactly while no period is completed. */
  readonly root_run_id: string | null
  /** Completed periods, in time order. */
  readonly done_periods: readonly BillingPeriod[]
  readonly failed_period: BillingPeriod | null
  readonly warnings: JsonColumns['correction_chain.warnings']
  readonly started_by: string | null
  readonly cause: NewChain['cause']
}

const columns = [
  'id',
  'group_id',
  'billing_period',
  'state',
  'root_run_id',
  'failed_period',
  'warnings',
  'started_by',
  'cause',
] as const

const chains = (tenant: TenantDb) =>
  selectRows(tenant, 'correction_chain')
    .select(columns)
    .select(storedReason.as('reason'))
    .select(sql<string[]>`done_periods::text[]`.as('done_periods'))
    .$castTo<Chain>()

export const findChain = (tenant: TenantDb, id: string): Promise<Chain> =>
  chains(tenant).where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the oldest open chain of a group, which is the next one to be processed. */
export const firstOpenChain = (tenant: TenantDb, groupId: string): Promise<Chain | undefined> =>
  chains(tenant)
    .where('group_id', '=', groupId)
    .where('state', '=', 'open')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

export interface NewChain {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly reason: Reason
  /**
   * A change of a membership never resumes the chain of another change, which was calculated with other
   * members.
   */
  readonly cause: 'request' | 'member_change' | 'stale'
  readonly startedBy: string | null
}

/**
 * Returns the open or stopped chain of the same request; for an automatic correction that of its period, whatever
 * its reasons were then. The caller holds the lock on the group.
 */
export const findUnfinished = (tx: TenantTx, request: NewChain): Promise<Chain | undefined> =>
  chains(tx)
    .where('group_id', '=', request.groupId)
    .where('billing_period', '=', request.billingPeriod)
    .where('cause', '=', request.cause)
    .$if(request.cause !== 'stale', (rows) => rows.where('reason', '=', reasonText(request.reason)))
    .where('state', 'in', ['open', 'stopped'])
    .executeTakeFirst()

/** The open automatic correction of a group, which a process that died has left. */
export const findAutomatic = (tenant: TenantDb, groupId: string): Promise<Chain | undefined> =>
  chains(tenant)
    .where('group_id', '=', groupId)
    .where('cause', '=', 'stale')
    .where('state', '=', 'open')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

/** True when an automatic correction of the group has stopped or was refused at or after an instant. */
export async function hasStoppedSince(tenant: TenantDb, groupId: string, instant: number): Promise<boolean> {
  const row = await selectRows(tenant, 'correction_chain')
    .select('id')
    .where('group_id', '=', groupId)
    .where('cause', '=', 'stale')
    .where('state', 'in', ['stopped', 'refused'])
    .where('ended_at', '>=', new Date(instant))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function openChain({ db, tenantId }: TenantTx, chain: NewChain, at: number): Promise<string> {
  const { id } = await db
    .insertInto('correction_chain')
    .values({
      tenant_id: tenantId,
      group_id: chain.groupId,
      billing_period: chain.billingPeriod,
      ...reasonColumns(chain.reason),
      cause: chain.cause,
      started_by: chain.startedBy,
      started_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const updateChain = (tx: TenantTx, id: string) => updateRows(tx, 'correction_chain').where('id', '=', id)

export const reopen = (tx: TenantTx, id: string) =>
  updateChain(tx, id).set({ state: 'open', failed_period: null, ended_at: null }).execute()

/** Records a completed period in the transaction that calculated it. */
export const advance = (
  tx: TenantTx,
  chain: Chain,
  step: { rootRunId: string; warnings: PeriodWarning[]; period: BillingPeriod },
) =>
  updateChain(tx, chain.id)
    .set({
      root_run_id: step.rootRunId,
      done_periods: sql`done_periods || ${step.period}::date`,
      warnings: sql`warnings || ${toJson<JsonColumns['correction_chain.warnings']>(step.warnings)}::jsonb`,
    })
    .execute()

/**
 * Stops an open chain. Returns false when another request has done the period or ended the chain meanwhile.
 */
export async function stop(
  tx: TenantTx,
  { id, period }: { id: string; period: BillingPeriod },
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateChain(tx, id)
    .set({ state: 'stopped', failed_period: period, ended_at: new Date(at) })
    .where('state', '=', 'open')
    .where(sql<boolean>`${period}::date <> all(done_periods)`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a chain that could not begin. */
export const refuse = (tx: TenantTx, id: string, at: number) =>
  updateChain(tx, id)
    .set({ state: 'refused', ended_at: new Date(at) })
    .where('state', '=', 'open')
    .execute()

/**
 * Ends a chain without remaining periods, and supersedes the stopped chains whose remaining periods it has
 * covered.
 */
export async function finish(tx: TenantTx, chain: Chain, at: number): Promise<void> {
  const { db, tenantId } = tx
  await updateChain(tx, chain.id)
    .set({ state: 'done', ended_at: new Date(at) })
    .execute()
  await db
    .updateTable('correction_chain')
    .set({ state: 'superseded', failed_period: null })
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', chain.group_id)
    .where('state', '=', 'stopped')
    .where('failed_period', '>=', chain.billing_period)
    .execute()
}

export interface CalculatedPeriod {
  readonly billingPeriod: BillingPeriod
  /** From the first hour of its current runs to the end of the last one. */
  readonly window: Range
}

/** The first period with current runs after the given period. */
export async function nextCalculated(
  tenant: TenantDb,
  groupId: string,
  after: BillingPeriod,
): Promise<CalculatedPeriod | undefined> {
  const row = await selectRows(tenant, 'calculation_run')
    .select((eb) => ['billing_period', eb.fn.min('from_hour').as('from'), eb.fn.max('to_hour').as('to')])
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('billing_period', '>', after)
    .groupBy('billing_period')
    .orderBy('billing_period')
    .limit(1)
    .executeTakeFirst()
  return (
    row && { billingPeriod: row.billing_period, window: { from: row.from.getTime(), to: row.to.getTime() } }
  )
}

/** The first period with a current run that reaches beyond an instant. */
export const firstCalculatedBeyond = async (
  tenant: TenantDb,
  groupId: string,
  instant: number,
): Promise<BillingPeriod | undefined> => {
  const row = await selectRows(tenant, 'calculation_run')
    .select('billing_period')
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('to_hour', '>', new Date(instant))
    .orderBy('billing_period')
    .limit(1)
    .executeTakeFirst()
  return row?.billing_period
}

/** The runs of a chain, except those of some periods, in time order. */
export async function listChainRuns(
  tenant: TenantDb,
  chain: Chain,
  excludedPeriods: readonly BillingPeriod[],
): Promise<Run[]> {
  if (chain.root_run_id === null) return []
  return selectRows(tenant, 'calculation_run')
    .select(runColumns)
    .where('parent_run_id', '=', chain.root_run_id)
    .where(sql<boolean>`billing_period <> all(${excludedPeriods}::date[])`)
    .orderBy('billing_period')
    .$castTo<Run>()
    .execute()
}

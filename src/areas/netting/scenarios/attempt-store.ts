import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Message } from '../../../kernel/messages.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Attempt } from '../shared/index.ts'
import type { ScenarioOutcome } from './compute-work.ts'
import { waiting } from './store.ts'

/** The oldest scenario of a tenant that waits. */
export const oldestWaiting = (tenant: TenantDb) =>
  selectRows(tenant, 'scenario')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Begins a computation and ends the right of any other one to write. Undefined when the scenario does not wait. */
export async function begin(tx: TenantTx, id: string): Promise<Attempt | undefined> {
  const row = await waiting(tx, id)
    .set((eb) => ({ attempt: eb('attempt', '+', 1), months_done: 0 }))
    .returning('attempt')
    .executeTakeFirst()
  return row && { id, attempt: row.attempt }
}

const own = (tx: TenantTx, { id, attempt }: Attempt) => waiting(tx, id).where('attempt', '=', attempt)

/** Records the progress. Undefined when the attempt may not write any more. */
export const progress = (tx: TenantTx, attempt: Attempt, monthsDone: number) =>
  own(tx, attempt).set({ months_done: monthsDone }).returning('id').executeTakeFirst()

interface Failure {
  readonly change: number | null
  readonly field: string | null
  readonly content: Message
  readonly at: number
}

/** Undefined when the attempt may not write any more. */
export const fail = (tx: TenantTx, attempt: Attempt, { change, field, content, at }: Failure) =>
  own(tx, attempt)
    .set({
      state: 'failed',
      error_change: change,
      error_field: field,
      error: toJson(content),
      finished_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirst()

interface Finished {
  readonly outcome: ScenarioOutcome
  readonly runIds: readonly string[]
  readonly at: number
}

/** Replaces the result. Undefined when the attempt may not write any more. */
export async function finish(
  tx: TenantTx,
  attempt: Attempt,
  { outcome, runIds, at }: Finished,
): Promise<{ readonly id: string } | undefined> {
  const { id } = attempt
  const done = await own(tx, attempt)
    .set({
      state: 'done',
      months_done: outcome.months.length,
      months_total: outcome.months.length,
      batteries: toJson<JsonColumns['scenario.batteries']>(outcome.batteries),
      base_run_ids: [...runIds],
      input_hash: outcome.inputHash,
      finished_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirst()
  if (!done) return undefined
  await deleteRows(tx, 'scenario_month').where('scenario_id', '=', id).execute()
  for (const { groupId, billingPeriod, base, scenario, members, hours } of outcome.months) {
    await tx.db
      .insertInto('scenario_month')
      .values({
        tenant_id: tx.tenantId,
        scenario_id: id,
        group_id: groupId,
        billing_period: billingPeriod,
        base: toJson(base),
        result: toJson(scenario),
        members: toJson<JsonColumns['scenario_month.members']>(members),
        hours: await promisify(gzip)(JSON.stringify(hours)),
      })
      .execute()
  }
  return done
}

import { ERROR_TEXTS } from '../../../../kernel/error-texts.ts'
import { AppError, found } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { failureOf } from '../../../../platform/db/savepoint.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { OTA_REASONS } from '../messages.ts'
import { type RollbackInput, rollBack } from '../updates/rollback.ts'
import { type Actor, OPEN_STATUSES, type OtaStatus, statusAfter } from '../updates/states.ts'
import * as updates from '../updates/store.ts'
import { applyTransition } from '../updates/transition.ts'
import { applyBatchTransition, batchStatusAfter } from './states.ts'
import * as batches from './store.ts'
import { decideWave } from './wave-decision.ts'

interface CancelOptions {
  readonly by: Actor
  readonly userId: string | null
  readonly at: Date
  readonly reason: Message
  readonly statuses: readonly OtaStatus[]
}

/** Cancels the updates of a batch that can be cancelled, and returns their ids for notification. */
async function cancelOpen(
  tx: TenantTx,
  batchId: string,
  { by, userId, at, reason, statuses }: CancelOptions,
) {
  const cancelled: string[] = []
  for (const id of await batches.listUpdates(tx, batchId, statuses)) {
    const update = await updates.lock(tx, id)
    if (!update || statusAfter('cancel', update.status, by) === undefined) continue
    await applyTransition(tx, update, { transition: 'cancel', by, userId, at, detail: reason })
    cancelled.push(id)
  }
  return cancelled
}

/**
 * Applies the wave decision after one of the updates of a batch ended: the next wave begins, or the batch
 * ends. Returns the ids of updates whose devices the caller notifies after the commit.
 */
export async function settleBatch(tx: TenantTx, batchId: string, at: Date): Promise<string[]> {
  const batch = await batches.lock(tx, batchId)
  if (!batch || batchStatusAfter('next_wave', batch.status) === undefined) return []
  const limits = { successPct: batch.success_threshold_pct, errorPct: batch.error_threshold_pct }
  for (let wave = batch.wave; ; ) {
    const decision = decideWave(await batches.countWave(tx, { id: batchId, wave }), limits)
    if (decision.kind === 'wait') return []
    if (decision.kind === 'stop') return stopBatch(tx, batch, { ...decision, at })
    if (wave >= batch.wave_sizes.length) {
      await batches.finish(tx, batchId, {
        status: applyBatchTransition('complete', batch.status),
        reason: null,
        finished_at: at,
      })
      return []
    }
    wave += 1
    const begun = await batches.beginWave(tx, { id: batchId, wave, at })
    if (begun.length > 0) return begun
  }
}

interface StopInput {
  readonly isError: boolean
  readonly reason: Message
  readonly at: Date
}

type Batch = NonNullable<Awaited<ReturnType<typeof batches.lock>>>

/**
 * Stops a batch. Updates that have begun go on, the others are cancelled. Where the batch rolls back,
 * everything but an installation under way is cancelled, and an installation rolls back at its end.
 */
async function stopBatch(tx: TenantTx, batch: Batch, { isError, reason, at }: StopInput): Promise<string[]> {
  await batches.finish(tx, batch.id, {
    status: applyBatchTransition('stop', batch.status),
    reason: toJson(reason),
    finished_at: at,
  })
  const rollsBack = isError && batch.rollback_on_error
  const statuses = rollsBack ? OPEN_STATUSES : (['queued', 'notified'] as const)
  const toNotify = await cancelOpen(tx, batch.id, { by: 'service', userId: null, at, reason, statuses })
  if (!rollsBack) return toNotify
  await batches.markInstallingForRollback(tx, batch.id)
  const back = await rollBackAll(tx, batch.id, { userId: null, now: at.getTime() })
  return [...toNotify, ...back.updates]
}

/**
 * Begins the rollback of every device that the batch changed; returns those that cannot be rolled back with
 * the reason.
 */
async function rollBackAll(tx: TenantTx, batchId: string, input: RollbackInput) {
  const begun: string[] = []
  const skipped: { update_id: string; reason: Message }[] = []
  for (const id of await batches.listUpdates(tx, batchId, ['succeeded', 'failed'])) {
    if (!(await updates.hasBegunToInstall(tx, id))) continue
    const failure = await failureOf(tx, async () => {
      const update = found('update', await updates.lock(tx, id))
      begun.push(await rollBack(tx, update, input))
    })
    if (failure)
      skipped.push({
        update_id: id,
        reason: failure instanceof AppError ? failure.content : ERROR_TEXTS.UNEXPECTED_ERROR(),
      })
  }
  return { updates: begun, skipped }
}

export async function cancelBatch(
  tx: TenantTx,
  id: string,
  { userId, at }: { readonly userId: string; readonly at: Date },
): Promise<string[]> {
  const batch = found('batch', await batches.lock(tx, id))
  const status = applyBatchTransition('cancel', batch.status)
  const reason = OTA_REASONS.OTA_BATCH_CANCELLED()
  await batches.finish(tx, batch.id, { status, reason: null, finished_at: at })
  return cancelOpen(tx, batch.id, { by: 'operator', userId, at, reason, statuses: OPEN_STATUSES })
}

/** Rolls back a batch. Throws 409 while it is running. */
export async function rollBackBatch(tx: TenantTx, id: string, input: RollbackInput) {
  const batch = found('batch', await batches.lock(tx, id))
  applyBatchTransition('roll_back', batch.status)
  return rollBackAll(tx, batch.id, input)
}

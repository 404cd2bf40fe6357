import { failureOf } from '../../../../platform/db/savepoint.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { settleBatch } from '../batches/service.ts'
import { rollBack } from '../updates/rollback.ts'
import * as updates from '../updates/store.ts'

/**
 * After the move that brought an update to its end, in its transaction: what follows from it for the device and for the
 * batch. Answers the updates whose devices are to be told something after the commit.
 */
export async function settleUpdate(tx: TenantTx, id: string, at: Date): Promise<string[]> {
  const update = await updates.lock(tx, id)
  if (!update) return []
  const toNotify: string[] = []
  // One of a batch goes back whatever came of it: it was at work when the batch was stopped.
  const isOver = update.status === 'failed' || (update.status === 'succeeded' && update.batch_id !== null)
  if (isOver && update.rolls_back && (await updates.hasBegunToInstall(tx, id)))
    // Nothing to go back to is no reason to keep the failure from being written down.
    await failureOf(tx, async () => {
      toNotify.push(await rollBack(tx, update, { userId: null, now: at.getTime() }))
    })
  if (update.batch_id !== null) toNotify.push(...(await settleBatch(tx, update.batch_id, at)))
  return toNotify
}

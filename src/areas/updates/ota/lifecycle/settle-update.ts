import { failureOf } from '../../../../platform/db/savepoint.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { settleBatch } from '../batches/service.ts'
import { rollBack } from '../updates/rollback.ts'
import * as updates from '../updates/store.ts'

/**
 * Applies the consequences of the end of an update for its device and its batch, in the transaction of that
 * end. Returns the ids of updates whose devices the caller notifies after the commit.
 */
export async function settleUpdate(tx: TenantTx, id: string, at: Date): Promise<string[]> {
  const update = await updates.lock(tx, id)
  if (!update) return []
  const toNotify: string[] = []
  // An update of a batch rolls back after a success too: it was being installed when the batch stopped.
  const isOver = update.status === 'failed' || (update.status === 'succeeded' && update.batch_id !== null)
  if (isOver && update.rolls_back && (await updates.hasBegunToInstall(tx, id)))
    // Without a version to return to, the failure must still be recorded.
    await failureOf(tx, async () => {
      toNotify.push(await rollBack(tx, update, { userId: null, now: at.getTime() }))
    })
  if (update.batch_id !== null) toNotify.push(...(await settleBatch(tx, update.batch_id, at)))
  return toNotify
}

import { strict as assert } from 'node:assert'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { isOpen, type Mover, type OtaMove, statusAfter } from './states.ts'
import * as updates from './store.ts'

export interface Doing {
  readonly move: OtaMove
  readonly by: Mover
  readonly at: Date
  readonly userId?: string | null
  /** For people, into the trail. */
  readonly detail?: string | null
  readonly set?: Partial<updates.Change>
}

/** Moves an update that is locked, and writes it into its trail; the move must be allowed. */
export async function moveUpdate(
  tx: TenantTx,
  update: updates.UpdateRow,
  { move, by, at, userId = null, detail = null, set = {} }: Doing,
): Promise<void> {
  const status = statusAfter(move, update.status, by)
  assert(status, `${by} cannot ${move} an update that is ${update.status}`)
  await updates.change(tx, update.id, {
    set: { ...set, status, changed_at: at, finished_at: isOpen(status) ? null : at },
    event: { move, by, userId, detail },
  })
}

/** What an update begins anew with: the same time as before, from now, or from when its wave begins. */
export const anew = (update: updates.UpdateRow, at: Date, isDue = true) => ({
  is_due: isDue,
  attempt: update.attempt + 1,
  progress_pct: 0,
  error: null,
  notified_at: null,
  begun_at: isDue ? at : null,
  deadline_at: isDue ? new Date(at.getTime() + update.timeout_s * 1000) : null,
})

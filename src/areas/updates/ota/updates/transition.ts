import { strict as assert } from 'node:assert'
import type { Message } from '../../../../kernel/messages.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { type Actor, isOpen, type OtaTransition, statusAfter } from './states.ts'
import * as updates from './store.ts'

export interface TransitionInput {
  readonly transition: OtaTransition
  readonly by: Actor
  readonly at: Date
  readonly userId?: string | null
  /** The reason in the trail. */
  readonly detail?: Message | null
  readonly set?: Partial<updates.UpdateChange>
}

/**
 * Applies a transition to a locked update and records it in the trail; asserts that the transition is
 * allowed.
 */
export async function applyTransition(
  tx: TenantTx,
  update: updates.UpdateRow,
  { transition: move, by, at, userId = null, detail = null, set = {} }: TransitionInput,
): Promise<void> {
  const status = statusAfter(move, update.status, by)
  assert(status, `${by} cannot ${move} an update that is ${update.status}`)
  await updates.recordTransition(tx, update.id, {
    set: { ...set, status, changed_at: at, finished_at: isOpen(status) ? null : at },
    event: { transition: move, by, userId, detail },
  })
}

/** The fields of a restarted update: the same timeout as before, from now or from the begin of its wave. */
export const restarted = (update: updates.UpdateRow, at: Date, isDue = true) => ({
  is_due: isDue,
  attempt: update.attempt + 1,
  progress_pct: 0,
  error: null,
  notified_at: null,
  attempt_started_at: isDue ? at : null,
  deadline_at: isDue ? new Date(at.getTime() + update.timeout_s * 1000) : null,
})

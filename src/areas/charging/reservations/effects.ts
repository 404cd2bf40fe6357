import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { EndedCommand } from '../commands/index.ts'
import type { CancelReservation, Reserve } from './schema.ts'
import { nextState, type ReservationTransition } from './states.ts'
import * as store from './store.ts'

/** The status of the response in lower case (`occupied`), or else how the command ended. */
const reasonOf = ({ command, response: answer }: EndedCommand): string => {
  const { status } = (answer ?? {}) as { readonly status?: unknown }
  if (typeof status === 'string') return status.toLowerCase()
  return command.reason ?? command.state
}

/**
 * Applies the end of `reserve`. When the response was lost the reservation stays pending: the station may
 * hold the connector.
 */
export async function settleReservation(tx: TenantTx, ended: EndedCommand): Promise<void> {
  const { command, now } = ended
  const { reservation_number } = command.request as Reserve
  const row = await store.lockByNumber(tx, command.charger_id, reservation_number)
  if (!row) return
  const move = moveOf(ended)
  const state = nextState(move, row.state)
  if (state === undefined) return
  if (command.state === 'timed_out') await store.update(tx, row.id, { reason: 'no_answer', updated_at: now })
  else if (move === 'accept') await store.update(tx, row.id, { state, reason: null, updated_at: now })
  else {
    const reason = move === 'cancel' ? null : reasonOf(ended)
    await store.update(tx, row.id, { state, reason, ended_at: now, updated_at: now })
  }
}

/** A command that an operator cancelled cancels the reservation; one that LOTO cancelled rejects it. */
function moveOf({ command }: EndedCommand): ReservationTransition {
  if (command.state === 'accepted') return 'accept'
  return command.state === 'cancelled' && command.error === null ? 'cancel' : 'reject'
}

/**
 * Applies the end of `cancel_reservation`. A station that rejects it has no such reservation, which is over
 * all the same.
 */
export async function settleCancellation(tx: TenantTx, { command, now }: EndedCommand): Promise<void> {
  if (command.state !== 'accepted' && command.state !== 'rejected') return
  const { reservation_number } = command.request as CancelReservation
  const row = await store.lockByNumber(tx, command.charger_id, reservation_number)
  const state = row && nextState('cancel', row.state)
  if (!row || !state) return
  const reason = command.state === 'rejected' ? 'unknown_to_station' : null
  await store.update(tx, row.id, { state, reason, ended_at: now, updated_at: now })
}

import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { ChargerRef } from '../registry/index.ts'
import { nextState, type ReservationTransition } from './states.ts'
import * as store from './store.ts'

interface Use {
  readonly connectorId: number
  readonly idTag: string | null
  /** The group of the tag, as `authorize` found it. */
  readonly parentTag: string | null
  /** The reservation that the station names; null where it names none. */
  readonly reservationNumber: number | null
  readonly sessionId: string
  /** The start of the session, by the station's clock. */
  readonly at: Date
}

/**
 * Marks the reservation of a session as used; returns its number, or null. It is the one that the station
 * names or, where it names none, the one for the tag or its group on this connector. Idempotent.
 */
export async function useReservation(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  use: Use,
): Promise<number | null> {
  const { connectorId, idTag, parentTag, reservationNumber, sessionId, at } = use
  const before = await store.findOfSession(tx, sessionId)
  if (before) return before.reservation_number
  const named = reservationNumber && (await store.lockByNumber(tx, chargerId, reservationNumber))
  const row =
    named || (idTag && (await store.lockMatching(tx, { chargerId, connectorId, idTag, parentTag, at })))
  const state = row ? nextState('use', row.state) : undefined
  if (!row || !state) return null
  await store.update(tx, row.id, { state, reason: null, session_id: sessionId, ended_at: at, updated_at: at })
  return row.reservation_number
}

/** Cancels the open reservations of a charger that is removed. */
export const cancelReservationsOf = (tx: TenantTx, chargerId: string, now: Date) =>
  store.endOpen(tx, chargerId, {
    state: 'cancelled',
    reason: 'charger_removed',
    ended_at: now,
    updated_at: now,
  })

/** Records the end of a reservation that a 2.0.1 station reports. */
export async function recordReservationEnd(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  ended: {
    readonly number: number
    readonly move: Extract<ReservationTransition, 'expire' | 'cancel'>
    readonly now: Date
  },
): Promise<void> {
  const { number, move, now } = ended
  const row = await store.lockByNumber(tx, chargerId, number)
  const state = row && nextState(move, row.state)
  if (!row || !state) return
  const reason = move === 'cancel' ? 'removed_by_station' : null
  await store.update(tx, row.id, { state, reason, ended_at: now, updated_at: now })
}

import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { ChargerRef } from '../registry/index.ts'
import { nextState, type ReservationTransition } from './states.ts'
import * as store from './store.ts'

interface Use {
  readonly connectorId: number
  readonly idTag: string | null
  /** The group of the tag, as `authorize` found it. */
  readonly parentTag: string | null
  /** What the station says it uses; null: it does not say. */
  readonly reservationNumber: number | null
  readonly sessionId: string
  /** When the session began, by the station's clock. */
  readonly at: Date
}

/**
 * The reservation that a session uses, from now on used; its number, or null. The station's word counts;
 * where it says nothing, it is the one that keeps the connector for the tag or its group. The same again
 * changes nothing.
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

/** Of a charger that is removed: nobody keeps a connector there any more. */
export const cancelReservationsOf = (tx: TenantTx, chargerId: string, now: Date) =>
  store.endOpen(tx, chargerId, {
    state: 'cancelled',
    reason: 'charger_removed',
    ended_at: now,
    updated_at: now,
  })

/** What a 2.0.1 station tells of a reservation by itself. */
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

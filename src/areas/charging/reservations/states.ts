import { conflict } from '../../../kernel/errors.ts'
import { CHARGING_TEXTS } from '../messages.ts'

export const RESERVATION_STATES = [
  ...(['pending', 'active'] as const),
  ...(['rejected', 'used', 'expired', 'cancelled'] as const),
] as const
export type ReservationState = (typeof RESERVATION_STATES)[number]

/** The states in which the station holds the connector, or may. */
export const OPEN_STATES = ['pending', 'active'] as const satisfies readonly ReservationState[]

interface Transition {
  readonly from: readonly ReservationState[]
  readonly to: ReservationState
}

/**
 * All transitions of a reservation. A station whose response was lost may hold the connector for a pending
 * one, and a station that was out of reach reports the use of an expired one. The table of
 * `docs/understand/smart-charging.md` is the same.
 */
export const RESERVATION_TRANSITIONS = {
  accept: { from: ['pending'], to: 'active' },
  reject: { from: ['pending'], to: 'rejected' },
  use: { from: ['pending', 'active', 'expired'], to: 'used' },
  expire: { from: ['pending', 'active'], to: 'expired' },
  cancel: { from: ['pending', 'active'], to: 'cancelled' },
} as const satisfies Record<string, Transition>
export type ReservationTransition = keyof typeof RESERVATION_TRANSITIONS

/** The state after a transition; undefined when it is not allowed. */
export function nextState(
  move: ReservationTransition,
  state: ReservationState,
): ReservationState | undefined {
  const { from, to }: Transition = RESERVATION_TRANSITIONS[move]
  return from.includes(state) ? to : undefined
}

/** The state after a transition that an operator wants; throws 409 STATE_CONFLICT when it is not allowed. */
export function requireTransition(move: ReservationTransition, state: ReservationState): ReservationState {
  const after = nextState(move, state)
  if (after !== undefined) return after
  throw conflict(
    'STATE_CONFLICT',
    CHARGING_TEXTS.RESERVATION_NOT_CHANGED({ state, to: RESERVATION_TRANSITIONS[move].to }),
  )
}

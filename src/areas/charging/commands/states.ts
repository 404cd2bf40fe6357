import { conflict } from '../../../kernel/errors.ts'
import { CHARGING_TEXTS } from '../messages.ts'

export const COMMAND_STATES = [
  ...(['pending', 'sent'] as const),
  ...(['accepted', 'rejected', 'failed', 'timed_out', 'expired', 'cancelled'] as const),
] as const
export type CommandState = (typeof COMMAND_STATES)[number]

interface Transition {
  readonly from: readonly CommandState[]
  readonly to: CommandState
}

/** All transitions of a command. The table of `docs/integrate/chargers.md` is the same. */
export const COMMAND_TRANSITIONS = {
  send: { from: ['pending'], to: 'sent' },
  accept: { from: ['sent'], to: 'accepted' },
  reject: { from: ['sent'], to: 'rejected' },
  fail: { from: ['sent'], to: 'failed' },
  time_out: { from: ['sent'], to: 'timed_out' },
  expire: { from: ['pending'], to: 'expired' },
  cancel: { from: ['pending'], to: 'cancelled' },
} as const satisfies Record<string, Transition>
export type CommandTransition = keyof typeof COMMAND_TRANSITIONS
/** The transitions that end a command. */
export type EndTransition = Exclude<CommandTransition, 'send'>

/** The state after a transition; throws 409 STATE_CONFLICT when it is not allowed. */
export function nextState(move: CommandTransition, state: CommandState): CommandState {
  const { from, to }: Transition = COMMAND_TRANSITIONS[move]
  if (from.includes(state)) return to
  throw conflict('STATE_CONFLICT', CHARGING_TEXTS.COMMAND_NOT_CHANGED({ state, to }))
}

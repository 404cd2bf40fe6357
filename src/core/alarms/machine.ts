export const PHASES = ['clear', 'pending', 'open', 'clearing'] as const
export type Phase = (typeof PHASES)[number]

/** Classification of a value: beyond the trip level, between the two levels, or within the clear level. */
export const INPUTS = ['trips', 'holds', 'clears'] as const
export type Input = (typeof INPUTS)[number]

export interface Transition {
  /** The next phase; with a delay, the phase after the delay. */
  readonly to: Phase
  /** The delay, counted from the first value of this kind. */
  readonly after?: 'delay_on' | 'delay_off'
  /** The phase during the delay. */
  readonly waitIn?: Phase
}

/** The complete state machine. A test compares it with the table in docs/understand/alarms.md. */
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Record<Input, Transition>>>> = {
  clear: {
    trips: { to: 'open', after: 'delay_on', waitIn: 'pending' },
    holds: { to: 'clear' },
    clears: { to: 'clear' },
  },
  pending: {
    trips: { to: 'open', after: 'delay_on', waitIn: 'pending' },
    holds: { to: 'clear' },
    clears: { to: 'clear' },
  },
  open: {
    trips: { to: 'open' },
    holds: { to: 'open' },
    clears: { to: 'clear', after: 'delay_off', waitIn: 'clearing' },
  },
  clearing: {
    trips: { to: 'open' },
    holds: { to: 'open' },
    clears: { to: 'clear', after: 'delay_off', waitIn: 'clearing' },
  },
}

export const isOpenPhase = (phase: Phase): boolean => phase === 'open' || phase === 'clearing'

export interface Delays {
  readonly delayOnMs: number
  readonly delayOffMs: number
}

/** The phase after an input at an instant; `since` is the begin of the delay in `pending` and `clearing`. */
export function nextPhase(
  { phase, since }: { readonly phase: Phase; readonly since: number },
  { input, at }: { readonly input: Input; readonly at: number },
  { delayOnMs, delayOffMs }: Delays,
): { readonly phase: Phase; readonly since: number } {
  const { to, after, waitIn } = TRANSITIONS[phase][input]
  if (after === undefined || waitIn === undefined) return { phase: to, since: at }
  const began = phase === waitIn ? since : at
  const isOver = at - began >= (after === 'delay_on' ? delayOnMs : delayOffMs)
  return { phase: isOver ? to : waitIn, since: began }
}

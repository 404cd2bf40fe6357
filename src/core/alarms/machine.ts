export const PHASES = ['clear', 'pending', 'open', 'clearing'] as const
export type Phase = (typeof PHASES)[number]

/** What a value is: beyond the trip level, between the two levels, beyond neither. */
export const INPUTS = ['trips', 'holds', 'clears'] as const
export type Input = (typeof INPUTS)[number]

export interface Transition {
  /** Where it leads; with a delay, where it leads once that is over. */
  readonly to: Phase
  /** The delay that has to be over, counted from the first value of the kind, and where it is waited for. */
  readonly after?: 'delay_on' | 'delay_off'
  readonly waitIn?: Phase
}

/** The whole machine. docs/alarms.md has the same table, and a test holds it to this one. */
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

/** Where an input at an instant leads; `since` is when the wait of `pending` or `clearing` began. */
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

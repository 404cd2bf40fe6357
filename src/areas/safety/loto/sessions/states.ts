import { conflict } from '../../../../kernel/errors.ts'

export const SESSION_STATUSES = ['pending', 'approved', 'rejected', 'applied', 'released'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

interface Transition {
  readonly from: readonly SessionStatus[]
  /** Absent: the status stays. */
  readonly to?: SessionStatus
  /** What is refused, for people. */
  readonly done: string
}

/**
 * All that can be done with a session once it is there; it begins as pending. Who may do it, and what else
 * has to hold, stands in the services; the table of `docs/understand/loto.md` says the same as this one.
 */
export const SESSION_TRANSITIONS = {
  change: { from: ['pending'], done: 'changed' },
  approve: { from: ['pending'], to: 'approved', done: 'approved' },
  reject: { from: ['pending', 'approved'], to: 'rejected', done: 'rejected' },
  lock: { from: ['approved', 'applied'], done: 'locked' },
  apply: { from: ['approved'], to: 'applied', done: 'applied' },
  release: { from: ['applied'], to: 'released', done: 'released' },
} as const satisfies Record<string, Transition>
export type SessionTransition = keyof typeof SESSION_TRANSITIONS

/** A session in one of these may still come to be worked under; its points do not change. */
export const OPEN_STATUSES = ['pending', 'approved', 'applied'] as const satisfies readonly SessionStatus[]

/** The status that a move leads to; undefined when it is not allowed. */
export function statusAfter(transition: SessionTransition, status: SessionStatus): SessionStatus | undefined {
  const { from, to = status }: Transition = SESSION_TRANSITIONS[transition]
  return from.includes(status) ? to : undefined
}

/** Throws 409 STATE_CONFLICT for a move that the status does not allow. */
export function requireTransition(transition: SessionTransition, status: SessionStatus): SessionStatus {
  const after = statusAfter(transition, status)
  if (after !== undefined) return after
  throw conflict(
    'STATE_CONFLICT',
    `the session is ${status}: it cannot be ${SESSION_TRANSITIONS[transition].done}`,
  )
}

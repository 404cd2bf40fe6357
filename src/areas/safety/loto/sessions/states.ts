import { conflict } from '../../../../kernel/errors.ts'
import { LOTO_TEXTS } from '../messages.ts'

export const SESSION_STATUSES = ['pending', 'approved', 'rejected', 'applied', 'released'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

interface Transition {
  readonly from: readonly SessionStatus[]
  /** The status after the transition; absent when it does not change. */
  readonly to?: SessionStatus
  /** The past participle of the transition, for the message of a refusal. */
  readonly done: string
}

/**
 * All transitions of a session, which begins as pending. The services check permissions and further
 * conditions. `docs/understand/loto.md` has the same table.
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

/** The statuses of an open session, whose points cannot change. */
export const OPEN_STATUSES = ['pending', 'approved', 'applied'] as const satisfies readonly SessionStatus[]

/** The status after a transition; undefined when the transition is not allowed. */
export function statusAfter(transition: SessionTransition, status: SessionStatus): SessionStatus | undefined {
  const { from, to = status }: Transition = SESSION_TRANSITIONS[transition]
  return from.includes(status) ? to : undefined
}

/** Throws 409 STATE_CONFLICT for a transition that the status does not allow. */
export function requireTransition(transition: SessionTransition, status: SessionStatus): SessionStatus {
  const after = statusAfter(transition, status)
  if (after !== undefined) return after
  throw conflict(
    'STATE_CONFLICT',
    LOTO_TEXTS.LOTO_SESSION_NOT_CHANGED({ status, done: SESSION_TRANSITIONS[transition].done }),
  )
}

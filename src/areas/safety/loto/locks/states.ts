export const LOCK_STATUSES = ['hanging', 'removed'] as const
export type LockStatus = (typeof LOCK_STATUSES)[number]

interface Transition {
  readonly from: readonly LockStatus[]
  readonly to: LockStatus
  readonly by: string
  /** The type of the event in the audit trail. */
  readonly event: 'lock_removed' | 'lock_forced'
}

/**
 * All transitions of a placed lock. Whether a lock may be placed depends on the session.
 * `docs/understand/loto.md` describes the same transitions.
 */
export const LOCK_TRANSITIONS = {
  remove: { from: ['hanging'], to: 'removed', by: 'owner', event: 'lock_removed' },
  force: { from: ['hanging'], to: 'removed', by: 'admin', event: 'lock_forced' },
} as const satisfies Record<string, Transition>
export type LockTransition = keyof typeof LOCK_TRANSITIONS

export const lockStatus = ({ removed_at }: { readonly removed_at: Date | null }): LockStatus =>
  removed_at === null ? 'hanging' : 'removed'

/** The status after a transition; undefined when the transition is not allowed. */
export function lockAfter(transition: LockTransition, status: LockStatus): LockStatus | undefined {
  const { from, to }: Transition = LOCK_TRANSITIONS[transition]
  return from.includes(status) ? to : undefined
}

export const CLAIM_STATUSES = ['pending', 'claimed', 'expired'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

interface Transition {
  readonly from: readonly ClaimStatus[]
  readonly to: ClaimStatus
  readonly by: string
}

/** State machine of a claim, as documented in docs/integrate/dialects.md. */
export const CLAIM_TRANSITIONS = {
  redeem: { from: ['pending'], to: 'claimed', by: 'installer' },
  expire: { from: ['pending'], to: 'expired', by: 'clock' },
} as const satisfies Record<string, Transition>
export type ClaimTransition = keyof typeof CLAIM_TRANSITIONS

/** The status after a transition; undefined when the transition is not allowed. */
export function nextClaimStatus(transition: ClaimTransition, status: ClaimStatus): ClaimStatus | undefined {
  const { from, to }: Transition = CLAIM_TRANSITIONS[transition]
  return from.includes(status) ? to : undefined
}

/** Derived status: a claim expires without a write. */
export function claimStatus(
  { claimed_at, expires_at }: { readonly claimed_at: Date | null; readonly expires_at: Date },
  now: Date,
): ClaimStatus {
  if (claimed_at !== null) return 'claimed'
  return expires_at > now ? 'pending' : 'expired'
}

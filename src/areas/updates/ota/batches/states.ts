import { conflict } from '../../../../kernel/errors.ts'

export const BATCH_STATUSES = ['running', 'completed', 'stopped', 'cancelled'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

interface Transition {
  readonly from: readonly BatchStatus[]
  /** Absent: the status stays. */
  readonly to?: BatchStatus
  readonly by: 'service' | 'operator'
  /** Predicate for the message of a refusal. */
  readonly refused: string
}

/**
 * All transitions of a batch of updates; it begins as running. The table of `docs/understand/ota.md` says the
 * same.
 */
export const BATCH_TRANSITIONS = {
  next_wave: { from: ['running'], by: 'service', refused: 'has no next wave' },
  complete: { from: ['running'], to: 'completed', by: 'service', refused: 'cannot be completed' },
  stop: { from: ['running'], to: 'stopped', by: 'service', refused: 'cannot be stopped' },
  cancel: { from: ['running'], to: 'cancelled', by: 'operator', refused: 'cannot be cancelled' },
  roll_back: {
    from: ['completed', 'stopped', 'cancelled'],
    by: 'operator',
    refused: 'cannot be rolled back: cancel it first',
  },
} as const satisfies Record<string, Transition>
export type BatchTransition = keyof typeof BATCH_TRANSITIONS

/** The status after a transition; undefined when it is not allowed. */
export function batchStatusAfter(transition: BatchTransition, status: BatchStatus): BatchStatus | undefined {
  const { from, to = status }: Transition = BATCH_TRANSITIONS[transition]
  return from.includes(status) ? to : undefined
}

/** The status after a transition. Throws 409 STATE_CONFLICT when it is not allowed. */
export function applyBatchTransition(transition: BatchTransition, status: BatchStatus): BatchStatus {
  const after = batchStatusAfter(transition, status)
  if (after !== undefined) return after
  throw conflict('STATE_CONFLICT', `the batch is ${status}: it ${BATCH_TRANSITIONS[transition].refused}`)
}

import { conflict } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { OTA_TEXTS } from '../messages.ts'

export const BATCH_STATUSES = ['running', 'completed', 'stopped', 'cancelled'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

interface Transition {
  readonly from: readonly BatchStatus[]
  /** Absent: the status stays. */
  readonly to?: BatchStatus
  readonly by: 'service' | 'operator'
  /** The message of a refusal. */
  readonly refused: (parameters: { readonly status: BatchStatus }) => Message
}

/**
 * All transitions of a batch of updates; it begins as running. The table of `docs/understand/ota.md` says the
 * same.
 */
export const BATCH_TRANSITIONS = {
  next_wave: { from: ['running'], by: 'service', refused: OTA_TEXTS.OTA_BATCH_WITHOUT_NEXT_WAVE },
  complete: { from: ['running'], to: 'completed', by: 'service', refused: OTA_TEXTS.OTA_BATCH_NOT_COMPLETED },
  stop: { from: ['running'], to: 'stopped', by: 'service', refused: OTA_TEXTS.OTA_BATCH_NOT_STOPPED },
  cancel: { from: ['running'], to: 'cancelled', by: 'operator', refused: OTA_TEXTS.OTA_BATCH_NOT_CANCELLED },
  roll_back: {
    from: ['completed', 'stopped', 'cancelled'],
    by: 'operator',
    refused: OTA_TEXTS.OTA_BATCH_NOT_ROLLED_BACK,
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
  throw conflict('STATE_CONFLICT', BATCH_TRANSITIONS[transition].refused({ status }))
}

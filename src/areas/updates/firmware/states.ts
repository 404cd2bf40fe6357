import { conflict } from '../../../kernel/errors.ts'
import { FIRMWARE_TEXTS } from './messages.ts'

export const FIRMWARE_STATUSES = ['draft', 'released', 'deprecated'] as const
export type FirmwareStatus = (typeof FIRMWARE_STATUSES)[number]

interface Transition {
  readonly from: readonly FirmwareStatus[]
  /** Absent: the status stays. */
  readonly to?: FirmwareStatus
  /** Participle for the message of a refusal. */
  readonly done: string
}

/** All transitions of an uploaded firmware version. The table of `docs/understand/ota.md` says the same. */
export const FIRMWARE_TRANSITIONS = {
  change: { from: ['draft'], done: 'changed' },
  release: { from: ['draft'], to: 'released', done: 'released' },
  deprecate: { from: ['released'], to: 'deprecated', done: 'deprecated' },
} as const satisfies Record<string, Transition>
export type FirmwareTransition = keyof typeof FIRMWARE_TRANSITIONS

/** The status after a transition. Throws 409 STATE_CONFLICT when it is not allowed. */
export function applyFirmwareTransition(
  transition: FirmwareTransition,
  status: FirmwareStatus,
): FirmwareStatus {
  const { from, to = status, done }: Transition = FIRMWARE_TRANSITIONS[transition]
  if (from.includes(status)) return to
  throw conflict('STATE_CONFLICT', FIRMWARE_TEXTS.FIRMWARE_NOT_CHANGED({ status, done }))
}

/** An update may install a released version only; a rollback may also return to a deprecated one. */
export const isInstallable = (status: string): boolean => status === 'released'
export const isReturnable = (status: string): boolean => status !== 'draft'

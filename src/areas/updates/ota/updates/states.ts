import { conflict } from '../../../../kernel/errors.ts'
import { OTA_TEXTS } from '../messages.ts'

export const OTA_STATUSES = [
  ...(['queued', 'notified', 'downloading', 'downloaded', 'installing'] as const),
  ...(['succeeded', 'failed', 'cancelled'] as const),
] as const
export type OtaStatus = (typeof OTA_STATUSES)[number]

/** Statuses of an update that has not ended; a device has at most one such update. */
export const OPEN_STATUSES = OTA_STATUSES.slice(0, 5)
export const isOpen = (status: OtaStatus): boolean => OPEN_STATUSES.includes(status)

/** True from the notification until the end: the device may report and read the file. */
export const isUnderWay = (status: OtaStatus): boolean => isOpen(status) && status !== 'queued'

export const ACTORS = ['operator', 'device', 'service'] as const
export type Actor = (typeof ACTORS)[number]

interface Transition {
  readonly from: readonly OtaStatus[]
  readonly to: OtaStatus
  readonly by: readonly Actor[]
}

/**
 * All transitions of an update. Devices may leave steps out, and a late report of an earlier step changes
 * nothing. The table of `docs/understand/ota.md` says the same.
 */
export const OTA_TRANSITIONS = {
  notify: { from: ['queued'], to: 'notified', by: ['service'] },
  download: { from: ['notified'], to: 'downloading', by: ['device'] },
  finish_download: { from: ['notified', 'downloading'], to: 'downloaded', by: ['device'] },
  install: { from: ['notified', 'downloading', 'downloaded'], to: 'installing', by: ['device'] },
  succeed: { from: ['notified', 'downloading', 'downloaded', 'installing'], to: 'succeeded', by: ['device'] },
  fail: { from: ['notified', 'downloading', 'downloaded', 'installing'], to: 'failed', by: ['device'] },
  time_out: {
    from: ['queued', 'notified', 'downloading', 'downloaded', 'installing'],
    to: 'failed',
    by: ['service'],
  },
  try_again: { from: ['failed'], to: 'queued', by: ['service'] },
  cancel: {
    from: ['queued', 'notified', 'downloading', 'downloaded'],
    to: 'cancelled',
    by: ['operator', 'service'],
  },
  retry: { from: ['failed', 'cancelled'], to: 'queued', by: ['operator'] },
} as const satisfies Record<string, Transition>
export type OtaTransition = keyof typeof OTA_TRANSITIONS

/** The status after a transition; undefined when it is not allowed. */
export function statusAfter(transition: OtaTransition, status: OtaStatus, by: Actor): OtaStatus | undefined {
  const rule: Transition = OTA_TRANSITIONS[transition]
  return rule.from.includes(status) && rule.by.includes(by) ? rule.to : undefined
}

const REFUSALS = {
  cancel: OTA_TEXTS.OTA_NOT_CANCELLED,
  retry: OTA_TEXTS.OTA_NOT_RETRIED,
} as const satisfies Partial<Record<OtaTransition, unknown>>

/** Throws 409 STATE_CONFLICT for an operator's transition that the status does not allow. */
export function checkOperatorTransition(transition: keyof typeof REFUSALS, status: OtaStatus): void {
  if (statusAfter(transition, status, 'operator') === undefined)
    throw conflict('STATE_CONFLICT', REFUSALS[transition]({ status }))
}

/** States that devices report, in lower case: our own and ThingsBoard's. */
export const DEVICE_STATES = {
  downloading: 'download',
  downloaded: 'finish_download',
  verified: 'finish_download',
  installing: 'install',
  updating: 'install',
  succeeded: 'succeed',
  updated: 'succeed',
  failed: 'fail',
} as const satisfies Record<string, OtaTransition>

export const transitionOfDeviceState = (state: string): OtaTransition | undefined => {
  const lower = state.toLowerCase()
  return Object.hasOwn(DEVICE_STATES, lower) ? DEVICE_STATES[lower as keyof typeof DEVICE_STATES] : undefined
}

import { conflict } from '../../../kernel/errors.ts'

export const INCIDENT_STATUSES = ['active', 'acknowledged', 'snoozed', 'closed'] as const
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number]

interface Transition {
  readonly from: readonly IncidentStatus[]
  readonly to: IncidentStatus
  /** What the trail calls it. */
  readonly event: string
}

/**
 * All that can happen to an incident once it is there; it begins as active. `wake` is the service's alone, when a snooze is
 * over; the service also closes what has passed. The table of `docs/incidents.md` says the same.
 */
export const INCIDENT_TRANSITIONS = {
  acknowledge: { from: ['active', 'snoozed'], to: 'acknowledged', event: 'acknowledged' },
  snooze: { from: ['active', 'acknowledged', 'snoozed'], to: 'snoozed', event: 'snoozed' },
  wake: { from: ['snoozed'], to: 'active', event: 'woken' },
  close: { from: ['active', 'acknowledged', 'snoozed'], to: 'closed', event: 'closed' },
} as const satisfies Record<string, Transition>
export type IncidentAction = keyof typeof INCIDENT_TRANSITIONS

/** The status that a move leads to; undefined when it is not allowed. */
export function statusAfter(action: IncidentAction, status: IncidentStatus): IncidentStatus | undefined {
  const { from, to }: Transition = INCIDENT_TRANSITIONS[action]
  return from.includes(status) ? to : undefined
}

/** Throws 409 STATE_CONFLICT for a move that the status does not allow. */
export function requireTransition(action: IncidentAction, status: IncidentStatus): IncidentStatus {
  const after = statusAfter(action, status)
  if (after !== undefined) return after
  const { event }: Transition = INCIDENT_TRANSITIONS[action]
  throw conflict('STATE_CONFLICT', `the incident is ${status}: it cannot be ${event}`)
}

import { conflict } from '../../../kernel/errors.ts'
import { ALARM_TEXTS } from '../messages.ts'

export const INCIDENT_STATUSES = ['active', 'acknowledged', 'snoozed', 'closed'] as const
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number]

interface Transition {
  readonly from: readonly IncidentStatus[]
  readonly to: IncidentStatus
  /** The event type in the trail. */
  readonly event: string
}

/**
 * The state machine of incidents; they begin as active. Only the service wakes an incident, when its snooze
 * is over. The service also closes incidents whose condition has ended. A test compares this with the table
 * in `docs/understand/incidents.md`.
 */
export const INCIDENT_TRANSITIONS = {
  acknowledge: { from: ['active', 'snoozed'], to: 'acknowledged', event: 'acknowledged' },
  snooze: { from: ['active', 'acknowledged', 'snoozed'], to: 'snoozed', event: 'snoozed' },
  wake: { from: ['snoozed'], to: 'active', event: 'woken' },
  close: { from: ['active', 'acknowledged', 'snoozed'], to: 'closed', event: 'closed' },
} as const satisfies Record<string, Transition>
export type IncidentAction = keyof typeof INCIDENT_TRANSITIONS

/** Returns the status after an action; undefined when the action is not allowed in this status. */
export function statusAfter(action: IncidentAction, status: IncidentStatus): IncidentStatus | undefined {
  const { from, to }: Transition = INCIDENT_TRANSITIONS[action]
  return from.includes(status) ? to : undefined
}

/**
 * Returns the status after an action; throws 409 STATE_CONFLICT when the action is not allowed in this
 * status.
 */
export function requireTransition(action: IncidentAction, status: IncidentStatus): IncidentStatus {
  const after = statusAfter(action, status)
  if (after !== undefined) return after
  const { event }: Transition = INCIDENT_TRANSITIONS[action]
  throw conflict('STATE_CONFLICT', ALARM_TEXTS.INCIDENT_NOT_CHANGED({ status, event }))
}

/** Enumerations of charging, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { States } from '../../ui/states.tsx'
import { CHARGING_TEXTS } from './texts.ts'

export type Charger = ListItem<'/api/ocpp/chargers'>
export type Session = ListItem<'/api/ocpp/sessions'>
export type Command = ListItem<'/api/ocpp/chargers/{id}/commands'>

export const CONNECTIONS: States<'online' | 'offline'> = {
  online: { text: CHARGING_TEXTS.CHARGING_ONLINE, tone: 'success' },
  offline: { text: CHARGING_TEXTS.CHARGING_OFFLINE, tone: 'warning' },
}

/** The statuses of OCPP 1.6 and 2.0.1. */
export const STATUSES: States<string> = {
  Available: { text: CHARGING_TEXTS.CHARGING_AVAILABLE, tone: 'success' },
  Preparing: { text: CHARGING_TEXTS.CHARGING_PREPARING },
  Charging: { text: CHARGING_TEXTS.CHARGING_CHARGING, tone: 'success' },
  SuspendedEV: { text: CHARGING_TEXTS.CHARGING_SUSPENDED_EV, tone: 'warning' },
  SuspendedEVSE: { text: CHARGING_TEXTS.CHARGING_SUSPENDED_EVSE, tone: 'warning' },
  Finishing: { text: CHARGING_TEXTS.CHARGING_FINISHING },
  Reserved: { text: CHARGING_TEXTS.CHARGING_RESERVED },
  Unavailable: { text: CHARGING_TEXTS.CHARGING_UNAVAILABLE, tone: 'warning' },
  Faulted: { text: CHARGING_TEXTS.CHARGING_FAULTED, tone: 'danger' },
  Occupied: { text: CHARGING_TEXTS.CHARGING_OCCUPIED },
  unknown: { text: CHARGING_TEXTS.CHARGING_UNKNOWN },
}

export const SESSION_STATES: States<Session['state']> = {
  active: { text: CHARGING_TEXTS.CHARGING_ACTIVE, tone: 'success' },
  ended: { text: CHARGING_TEXTS.CHARGING_ENDED },
}

export const COMMAND_STATES: States<Command['state']> = {
  pending: { text: CHARGING_TEXTS.CHARGING_PENDING, tone: 'warning' },
  sent: { text: CHARGING_TEXTS.CHARGING_SENT_STATE, tone: 'warning' },
  accepted: { text: CHARGING_TEXTS.CHARGING_ACCEPTED, tone: 'success' },
  rejected: { text: CHARGING_TEXTS.CHARGING_REJECTED, tone: 'danger' },
  failed: { text: CHARGING_TEXTS.CHARGING_FAILED, tone: 'danger' },
  timed_out: { text: CHARGING_TEXTS.CHARGING_TIMED_OUT, tone: 'danger' },
  expired: { text: CHARGING_TEXTS.CHARGING_EXPIRED, tone: 'warning' },
  cancelled: { text: CHARGING_TEXTS.CHARGING_CANCELLED },
}

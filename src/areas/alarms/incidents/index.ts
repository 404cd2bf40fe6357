export {
  type Amendment,
  amendDeviceIncidents,
  closePolicyIncidents,
  type Ending,
  endDeviceIncidents,
  type Opening,
  openDeviceIncidents,
  pairKey,
  type RecordedIncident,
  type RecordedKey,
  readRecorded,
} from './device-incident-store.ts'
export type { IncidentSummary } from './events.ts'
export {
  type AlarmPayload,
  beginPayload,
  decimalOf,
  endPayload,
  endReason,
  messageOf,
  payloadOf,
  withdrawnReason,
} from './messages.ts'
export { incidentRoutes } from './routes.ts'
export { type ChangedIncidents, publishChanges, wakeIncidents } from './service.ts'
export { lockAlarms } from './store.ts'
export { messageInTurkish } from './turkish-messages.ts'

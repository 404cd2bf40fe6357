export {
  type Amendment,
  amendDeviceIncidents,
  closePolicyIncidents,
  type DeviceIncident,
  type Ending,
  endDeviceIncidents,
  type IncidentKey,
  type Opening,
  openDeviceIncidents,
  pairKey,
  readIncidents,
  reasonJson,
} from './device-incident-store.ts'
export { END_REASONS } from './end-reasons.ts'
export { type ChangedIncidents, type IncidentSummary, publishChanges } from './events.ts'
export {
  type AlarmPayload,
  beginPayload,
  decimalOf,
  endPayload,
  endReason,
  messageOf,
  payloadOf,
  reasonDetails,
  withdrawnReason,
} from './messages.ts'
export { wakeIncidents } from './service.ts'
export { lockAlarms } from './store.ts'
export { inLanguage, messageIn } from './turkish-messages.ts'

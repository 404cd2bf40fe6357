export { disconnectGateways, issueCredential, tlsPortOf, verifyLogin } from './credentials.ts'
export { insertDeadLetters, type NewDeadLetter } from './dead-letter-store.ts'
export {
  replayDeadLetters,
  replayOnSchedule,
  trimAllDeadLetters,
  trimTenantDeadLetters,
} from './dead-letters.ts'
export {
  type BoundDevice,
  findRegisterMap,
  findTenantIdByUid,
  listGatewayDevices,
} from './directory-store.ts'
export { hasLogin, readAnnouncedDevices } from './home-assistant-store.ts'
export {
  copySequence,
  type MessageSequence,
  mergeSequences,
  missingNumbers,
  recordNumber,
  tryAppendNumber,
} from './message-sequence.ts'
export { countOpenGaps, mergeStoredSequence, readSequence } from './message-sequence-store.ts'
export type { KeptMessage, MqttIntake, Unused } from './mqtt-intake.ts'
export { findNamedDevices, type GatewayKey } from './replay-store.ts'
export { deleteRetainedOf, readRetained, storeRetained } from './retained-store.ts'
export { TlsPort } from './schema.ts'

/**
 * The entry point for stations: what `src/field/ocpp` needs to serve them. HTTP and jobs come through
 * `index.ts`.
 */
export type { CommandRequests, UpdateFirmware } from './actions/index.ts'
export {
  type CertificateUse,
  type DeleteCertificate,
  grantCertificate,
  type InstallCertificate,
  isCertificateOfCharger,
  type ListCertificates,
  readAuthorityCertificate,
  type SignedCertificate,
} from './certificates/index.ts'
export { startChargingPoll } from './charging-poll.ts'
export type {
  ClearChargingProfiles,
  GetCompositeSchedule,
  Profile,
  ProfilePurpose,
  SetChargingProfile,
} from './charging-profiles/index.ts'
export { openCommandQueue } from './command-effects.ts'
export {
  type CommandResult,
  isPasswordName,
  type QueuedCommand,
  redactPasswords,
} from './commands/index.ts'
export {
  type ChargerCredentials,
  findChargersByCpid,
  findCurrentConnections,
  findReplacedConnections,
  recordActivity,
  recordConnections,
  recordDisconnections,
  recordProfileRefusal,
  recordTakeover,
  type StationActivity,
} from './connections/index.ts'
export {
  connectorKey,
  deviceOfConnector,
  findConnectorDevices,
  recordBoot,
  recordStatus,
} from './connectors/index.ts'
export { recordEvent, recordSecurityEvent } from './events/index.ts'
export { type GetFile, recordUploadStatus } from './files/index.ts'
export type { ListChange, SendLocalList } from './local-list/index.ts'
export { confirmPassword, matchPassword, passwordBytes, renewPasswordHash } from './passwords/index.ts'
export { type CancelReservation, type Reserve, recordReservationEnd } from './reservations/index.ts'
export {
  clearWaitingSamples,
  endSession,
  type IntervalReading,
  type RegisterReading,
  recordSessionEvent,
  startSession,
} from './sessions/index.ts'
export { type Authorization, type AuthorizationStatus, authorize } from './tags/index.ts'
export {
  formatVariableKey,
  parseVariableKey,
  type ReportedVariable,
  type ReportPart,
  recordReportPart,
  upsertVariables,
} from './variables/index.ts'

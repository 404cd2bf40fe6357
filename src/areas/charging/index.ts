export type {
  CertificateUse,
  DeleteCertificate,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
} from './certificates/request.ts'
export { authorityRoutes, chargerCertificateRoutes } from './certificates/routes.ts'
export { authorityCertificate, rotateAuthority } from './certificates/sealed-authority.ts'
export { grantCertificate } from './certificates/service.ts'
export { standsFor } from './certificates/shown.ts'
export { clearChargerRecords } from './chargers/retention-store.ts'
export type { ChargerAtDoor, Heard } from './connections/store.ts'
export {
  confirmPassword,
  findByCpids,
  noteConnections,
  noteDisconnections,
  noteMessages,
  stillHolding,
  takenOver,
} from './connections/store.ts'
export { noteTakeover } from './connections/takeover.ts'
export { passwordBytes, whichPassword } from './passwords/password.ts'
export { chargerPasswordRoutes } from './passwords/routes.ts'
export type { ChargerRef } from './registry/charger-ref.ts'
export { chargerRoutes } from './chargers/routes.ts'
export { deviceOfConnector, recordBoot, recordStatus } from './connectors/station-store.ts'
export type {
  AskComposite,
  ClearProfiles,
  Profile,
  Purpose,
  SetProfile,
} from './charging-profiles/profile.ts'
export { profileOfChargerRoutes, profileRoutes } from './charging-profiles/routes.ts'
export { placeCommand } from './commands/enqueue.ts'
export type { CommandRequests } from './actions/requests.ts'
export { chargerCommandRoutes } from './commands/routes.ts'
export type { CommandToSay, Outcome } from './commands/queue.ts'
export {
  cancelIfPending,
  chargersWaiting,
  chargersWithOpen,
  endOverdue,
  endUnanswered,
  finishCommand,
  takeNext,
} from './commands/queue.ts'
export { chargerEventRoutes } from './events/routes.ts'
export { recordSecurityEvent } from './events/security.ts'
export { recordEvent } from './events/store.ts'
export { recordUpload } from './files/request-file.ts'
export type { GetFile } from './files/request.ts'
export { chargerFileRoutes } from './files/routes.ts'
export { clearFiles } from './files/service.ts'
export { chargerUploadRoutes } from './files/upload-routes.ts'
export type { UpdateFirmware } from './actions/update-firmware.ts'
export { startSitePower } from './groups/balance.ts'
export { chargingGroupRoutes } from './groups/routes.ts'
export type { Change, SendList } from './local-list/entries.ts'
export { localListRoutes } from './local-list/routes.ts'
export type { CancelReservation, Reserve } from './reservations/request.ts'
export { reservationRoutes } from './reservations/routes.ts'
export { expireReservations } from './reservations/service.ts'
export { noteReservationGone } from './reservations/use.ts'
export { endSession } from './sessions/end-session.ts'
export type { IntervalReading } from './sessions/intervals.ts'
export { noteSessionEvent, waitingStored } from './sessions/session-events.ts'
export { chargingSessionRoutes } from './sessions/routes.ts'
export type { RegisterReading } from './sessions/session-state.ts'
export { startSession } from './sessions/start-session.ts'
export { storeLeftReadings } from './sessions/unassigned-readings.ts'
export type { Authorization, AuthorizationStatus } from './tags/authorize.ts'
export { authorize } from './tags/authorize.ts'
export { idTagRoutes } from './tags/routes.ts'
export { readKey, writeKey } from './variables/variable-key.ts'
export type { ReportPart } from './variables/report-store.ts'
export { noteReportPart } from './variables/report-store.ts'
export { chargerVariableRoutes } from './variables/routes.ts'
export { isSecret, withoutPasswords } from './commands/redact-passwords.ts'
export type { ToldVariable } from './variables/store.ts'
export { putVariables } from './variables/store.ts'

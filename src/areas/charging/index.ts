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
export { clearChargerRecords } from './chargers/clear-store.ts'
export type { ChargerAtDoor, Heard } from './chargers/connection-store.ts'
export {
  confirmPassword,
  findByCpids,
  noteConnections,
  noteDisconnections,
  noteMessages,
  stillHolding,
  takenOver,
} from './chargers/connection-store.ts'
export { noteTakeover } from './chargers/contested.ts'
export { passwordBytes, whichPassword } from './chargers/password.ts'
export { chargerPasswordRoutes } from './chargers/password-routes.ts'
export type { ChargerRef } from './chargers/refs.ts'
export { chargerRoutes } from './chargers/routes.ts'
export { deviceOfConnector, recordBoot, recordStatus } from './chargers/station-store.ts'
export type {
  AskComposite,
  ClearProfiles,
  Profile,
  Purpose,
  SetProfile,
} from './charging-profiles/profile.ts'
export { profileOfChargerRoutes, profileRoutes } from './charging-profiles/routes.ts'
export { placeCommand } from './commands/place.ts'
export type { CommandRequests } from './commands/requests.ts'
export { chargerCommandRoutes } from './commands/routes.ts'
export type { CommandToSay, Outcome } from './commands/work.ts'
export {
  cancelIfPending,
  chargersWaiting,
  chargersWithOpen,
  endOverdue,
  endUnanswered,
  finishCommand,
  takeNext,
} from './commands/work.ts'
export { chargerEventRoutes } from './events/routes.ts'
export { recordSecurityEvent } from './events/security.ts'
export { recordEvent } from './events/store.ts'
export { recordUpload } from './files/ask.ts'
export type { GetFile } from './files/request.ts'
export { chargerFileRoutes } from './files/routes.ts'
export { clearFiles } from './files/service.ts'
export { chargerUploadRoutes } from './files/upload-routes.ts'
export type { UpdateFirmware } from './firmware/request.ts'
export { startSitePower } from './groups/balance.ts'
export { chargingGroupRoutes } from './groups/routes.ts'
export type { Change, SendList } from './local-list/entries.ts'
export { localListRoutes } from './local-list/routes.ts'
export type { CancelReservation, Reserve } from './reservations/request.ts'
export { reservationRoutes } from './reservations/routes.ts'
export { expireReservations } from './reservations/service.ts'
export { noteReservationGone } from './reservations/use.ts'
export { endSession } from './sessions/end.ts'
export type { IntervalReading } from './sessions/intervals.ts'
export { noteSessionEvent, waitingStored } from './sessions/note-event.ts'
export { chargingSessionRoutes } from './sessions/routes.ts'
export type { RegisterReading } from './sessions/session-state.ts'
export { startSession } from './sessions/start.ts'
export { storeLeftReadings } from './sessions/unassigned-readings.ts'
export type { Authorization, AuthorizationStatus } from './tags/authorize.ts'
export { authorize } from './tags/authorize.ts'
export { idTagRoutes } from './tags/routes.ts'
export { readKey, writeKey } from './variables/key.ts'
export type { ReportPart } from './variables/report-store.ts'
export { noteReportPart } from './variables/report-store.ts'
export { chargerVariableRoutes } from './variables/routes.ts'
export { isSecret, withoutPasswords } from './variables/secrets.ts'
export type { ToldVariable } from './variables/store.ts'
export { putVariables } from './variables/store.ts'

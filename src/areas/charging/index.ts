/** The entry point for HTTP, jobs, the command line and other areas. Stations come through `stations.ts`. */
import { chargerRoutes as makeChargerRoutes } from './chargers/index.ts'
import { COMMAND_EFFECTS } from './command-effects.ts'
import { commandRoutes } from './commands/index.ts'

export const chargerRoutes = makeChargerRoutes(COMMAND_EFFECTS)
export const chargerCommandRoutes = commandRoutes(COMMAND_EFFECTS)

export { chargerActionRoutes, type UpdateFirmware } from './actions/index.ts'
export { authorityRoutes, chargerCertificateRoutes, rotateAuthority } from './certificates/index.ts'
export { clearChargerRecords } from './chargers/index.ts'
export { profileOfChargerRoutes, profileRoutes } from './charging-profiles/index.ts'
export { cancelCommandIfPending } from './command-effects.ts'
export { enqueueCommand } from './commands/index.ts'
export { CHARGING_WORK } from './due-work-store.ts'
export { chargerEventRoutes, recordEvent } from './events/index.ts'
export { chargerFileRoutes, chargerUploadRoutes, clearFiles } from './files/index.ts'
export { chargingGroupRoutes } from './groups/index.ts'
export { localListRoutes } from './local-list/index.ts'
export { chargerPasswordRoutes } from './passwords/index.ts'
export type { ChargerRef } from './registry/index.ts'
export { expireReservations, reservationRoutes } from './reservations/index.ts'
export { chargingSessionRoutes, storeUnassignedReadings } from './sessions/index.ts'
export { idTagRoutes } from './tags/index.ts'
export { chargerVariableRoutes } from './variables/index.ts'

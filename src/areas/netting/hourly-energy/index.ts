export {
  facilitiesOfMeters,
  listRoles,
  type MetersOfFacilities,
  mergeNearbyRanges,
  queueRoleChanges,
  readMeters,
  rolesOf,
} from './official.ts'
export { rebuildAfterChange, rebuildFacility, rebuildMembers } from './rebuild.ts'
export { ALWAYS, insertRebuilds, listQueuedFacilities, queueRebuilds } from './rebuild-store.ts'
export { DataQuality } from './schema.ts'
export {
  applyOfficialReadings,
  buildFacts,
  moveOfficialMeterFacts,
  prepareMeterMove,
  prepareOfficialFacts,
} from './service.ts'

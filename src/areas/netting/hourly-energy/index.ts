export { facilitiesOfMeters, listRoles, mergeNearbyRanges, queueRoleChanges } from './official.ts'
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

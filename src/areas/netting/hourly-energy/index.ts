export { listRoles, mergeNearbyRanges } from './official.ts'
export { DataQuality } from './schema.ts'
export {
  applyOfficialReadings,
  buildFacts,
  moveOfficialMeterFacts,
  prepareMeterMove,
  prepareOfficialFacts,
} from './service.ts'

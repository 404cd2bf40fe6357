export { listRoles, mergeNearbyRanges } from './official.ts'
export { hourlyEnergyRoutes } from './routes.ts'
export { DataQuality } from './schema.ts'
export {
  applyOfficialReadings,
  buildFacts,
  moveOfficialMeterFacts,
  prepareMeterMove,
  prepareOfficialFacts,
} from './service.ts'

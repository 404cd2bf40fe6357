export { listRoles, mergeNear } from './official.ts'
export { hourlyEnergyRoutes } from './routes.ts'
export { DataQuality } from './schema.ts'
export {
  applyOfficialReadings,
  buildFacts,
  movingOfficialMeters,
  prepareMove,
  prepareOfficialFacts,
} from './service.ts'

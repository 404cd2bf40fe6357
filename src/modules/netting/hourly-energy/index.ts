export { hourlyEnergyRoutes } from './routes.ts'
export { DataQuality } from './schema.ts'
export { buildFacts } from './service.ts'
export { listAssignments } from './store.ts'

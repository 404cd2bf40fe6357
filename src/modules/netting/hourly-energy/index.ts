export type { Assignment } from './meter.ts'
export { hourlyEnergyRoutes } from './routes.ts'
export { type BuildRequest, type BuildResult, buildFacts } from './service.ts'
export { listAssignments } from './store.ts'

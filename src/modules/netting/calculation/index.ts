export { latestRun } from './read-store.ts'
export { calculationRoutes } from './routes.ts'
export { Run } from './schema.ts'
export { calculateRange } from './service.ts'

export { type Replay, ReplayError, replayPackage } from './replay.ts'
export { auditRoutes } from './routes.ts'

export { type Replay, ReplayFault, replayPackage } from './replay.ts'
export { auditRoutes } from './routes.ts'

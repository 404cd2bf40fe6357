export { startLive } from './live.ts'
export { acceptTelemetry, realtimeRoutes } from './routes.ts'

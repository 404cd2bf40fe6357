export { startLive } from './live.ts'
export { acceptTelemetry } from './routes.ts'

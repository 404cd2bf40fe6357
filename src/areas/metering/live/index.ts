export { startLive } from './live.ts'
export { acceptTelemetry } from './routes.ts'
export { clearTickets } from './tickets.ts'

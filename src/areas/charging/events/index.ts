export { chargerEventRoutes } from './routes.ts'
export { recordSecurityEvent } from './security.ts'
export { recordEvent } from './store.ts'

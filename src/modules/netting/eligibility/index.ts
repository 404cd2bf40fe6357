export { eligibilityRoutes } from './routes.ts'
export { reevaluateBlockedByTariff } from './service.ts'
export { statusInForce } from './store.ts'

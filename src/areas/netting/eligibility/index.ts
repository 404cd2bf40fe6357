export { eligibilityRoutes } from './routes.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './service.ts'
export { statusInForce } from './store.ts'

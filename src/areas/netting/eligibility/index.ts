export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './service.ts'
export { statusInForce } from './store.ts'

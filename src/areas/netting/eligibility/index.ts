export { eligibilityInput } from './input.ts'
export { eligibilityOf, logEligibility, type PeriodEligibility } from './period.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './service.ts'

export { eligibilityOf, logEligibility, type PeriodEligibility } from './period.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './service.ts'

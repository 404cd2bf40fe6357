export { loadInput, readBase } from './input.ts'
export { findGroup, listFacilities, listFacts, lockGroup } from './input-store.ts'
export { balancesAsOf } from './ledger-store.ts'
export { calculatePeriod } from './period.ts'
export { latestRun } from './read-store.ts'
export { refuseInactive } from './refusals.ts'
export {
  RESULT_AMOUNT_COLUMNS,
  RESULT_HOUR_COLUMNS,
  RESULT_HOUR_KWH_COLUMNS,
  RESULT_METER_COLUMNS,
} from './result-columns.ts'
export { readRunInput } from './run-input-store.ts'
export { runColumns, type Stage } from './run-store.ts'
export { AMOUNT_TYPES, AmountType, MonthlySummary, Run, Scenario } from './schema.ts'
export { calculate, calculateDays, calculateRange, refusePeriod } from './service.ts'
export { currentRunIds } from './summary-store.ts'
export { verifyMarks } from './verify.ts'

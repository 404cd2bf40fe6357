export { evaluationAlarms, tariffAlarm } from './evaluation.ts'
export type { BuildIssues } from './facts.ts'
export {
  applyNettingAlarms,
  clearAlarmsAbout,
  raiseFailure,
  refreshCorrectionAlarms,
  refreshFactsAlarms,
  refreshLimitAlarms,
  refreshPeriodAlarms,
  withFailureAlarm,
  withMonthlyCloseAlarm,
} from './service.ts'

export { evaluationAlarms, tariffAlarm } from './evaluation.ts'
export type { BuildIssues } from './facts.ts'
export { ALARM_TEXTS } from './messages.ts'
export { daysBefore, type ObjectionState, objectionAlarm, objectionDeleted } from './objections.ts'
export {
  applyNettingAlarms,
  clearAlarmsAbout,
  raiseFailure,
  refreshCorrectionAlarms,
  refreshFactsAlarms,
  refreshLimitAlarms,
  refreshPeriodAlarms,
  refreshStaleAlarms,
  withFailureAlarm,
  withMonthlyCloseAlarm,
} from './service.ts'
export { isClosed } from './stale.ts'

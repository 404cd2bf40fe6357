export { evaluationAlarms, tariffAlarm } from './evaluation.ts'
export type { BuildNotes } from './facts.ts'
export {
  applyNettingAlarms,
  clearAlarmsAbout,
  raiseFailure,
  refreshCorrectionAlarms,
  refreshFactsAlarms,
  refreshLimitAlarms,
  refreshPeriodAlarms,
  tellingFailure,
  tellingMonthlyClose,
} from './service.ts'

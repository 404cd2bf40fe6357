export type { EvaluationDeps } from './evaluation.ts'
export { type Evaluator, startEvaluator } from './evaluator.ts'
export { incidentRoutes } from './incident-routes.ts'
export { wakeIncidents } from './incident-service.ts'
export { maintenanceRoutes } from './maintenance-routes.ts'
export type { AlarmChange, AlarmPayload } from './plan.ts'
export { alarmPolicyRoutes } from './policy-routes.ts'
export { listPolicies } from './policy-store.ts'
export { applyAlarms, clear, clearSubject, raise } from './service.ts'
export { judgeByTheClock } from './silence.ts'
export { createSystemPolicies, ensureSystemPolicies } from './store.ts'
export {
  type AlarmSeverity,
  policyOfRule,
  SEVERITY_OF_RULE,
  SYSTEM_POLICIES,
  type SystemPolicyName,
} from './system-policies.ts'
export { messageInTurkish } from './turkish.ts'

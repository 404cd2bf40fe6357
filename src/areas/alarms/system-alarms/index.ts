export { type AlarmChange, applyAlarms, clear, clearSubject, raise } from './service.ts'
export { createSystemPolicies, ensureSystemPolicies } from './store.ts'
export {
  type AlarmSeverity,
  MAILED_POLICIES,
  policyOfRule,
  SEVERITY_OF_RULE,
  SYSTEM_POLICIES,
  type SystemPolicyName,
} from './system-policies.ts'
export { titleIn } from './titles.ts'

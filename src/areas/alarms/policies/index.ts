export { checkPolicy, type PolicyFields, ruleOf } from './check-policy.ts'
export { EvaluatedPolicy } from './schema.ts'
export { fieldsOf } from './service.ts'
export { findPolicy, listPolicies, readScope } from './store.ts'

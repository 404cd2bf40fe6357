export { FacilityLimit, GroupLimit, IncludeLimits, limitFields } from './schema.ts'
export { readAccountLimits, readFacilityLimits, readGroupLimits } from './store.ts'

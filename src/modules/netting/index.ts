export {
  calculatePeriod,
  calculateRange,
  type PeriodOutcome,
  type PeriodRequest,
  type RangeRequest,
} from './calculation/index.ts'
export { reevaluateBlockedByTariff } from './eligibility/index.ts'
export type { Actor, Entry, HistoryRight } from './entry.ts'
export { createFacility } from './facilities/service.ts'
export { addMember, createGroup } from './groups/service.ts'
export { type BuildRequest, type BuildResult, buildFacts } from './hourly-energy/index.ts'
export { createLimitAccount } from './limits/service.ts'
export { assignMeter, createMeteringPoint } from './metering/service.ts'
export { addSystemOrganization, create as createOrganization } from './organizations/store.ts'
export { nettingRoutes } from './routes.ts'
export { declareSameParty } from './scopes/service.ts'
export { create as createScope } from './scopes/store.ts'

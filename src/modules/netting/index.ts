export { tellingMonthlyClose } from './alarms/index.ts'
export { type Replay, ReplayFault, replayPackage } from './audit/index.ts'
export { calculateDays, calculateRange, type Stage } from './calculation/index.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './eligibility/index.ts'
export type { Entry } from './entry.ts'
export { createFacility } from './facilities/service.ts'
export { addMember, createGroup } from './groups/service.ts'
export {
  applyOfficialReadings,
  buildFacts,
  mergeNear,
  movingOfficialMeters,
  prepareMove,
  prepareOfficialFacts,
} from './hourly-energy/index.ts'
export { createLimitAccount } from './limits/service.ts'
export { assignMeter, createMeteringPoint } from './metering/service.ts'
export { ORG_TYPES, type OrgType } from './organizations/schema.ts'
export { create as createOrganization } from './organizations/store.ts'
export {
  addSystemOrganization,
  deactivateSystemOrganization,
  ensureSystemOrganizations,
  listSystemOrganizations,
} from './organizations/system.ts'
export { reconcileRoutes } from './reconcile/routes.ts'
export { nettingRoutes } from './routes.ts'
export { declareSameParty } from './scopes/service.ts'
export { create as createScope } from './scopes/store.ts'
export {
  listActiveGroups,
  listFacilitiesOf,
  listMeasuredFacilities,
  type TenantKey,
  wasEvaluatedSince,
} from './timetable-store.ts'

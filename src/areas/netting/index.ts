export { withMonthlyCloseAlarm } from './alarms/index.ts'
export { type Replay, ReplayError, replayPackage } from './audit/index.ts'
export { calculateDays, calculateRange, type Stage } from './calculation/index.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './eligibility/index.ts'
export {
  applyOfficialReadings,
  buildFacts,
  mergeNearbyRanges,
  moveOfficialMeterFacts,
  prepareMeterMove,
  prepareOfficialFacts,
} from './hourly-energy/index.ts'
export { reconcileRoutes } from './reconciliation/routes.ts'
export { createFacility } from './registry/facilities/service.ts'
export { addMember, createGroup } from './registry/groups/service.ts'
export { createLimitAccount } from './registry/limits/service.ts'
export { assignMeter, createMeteringPoint } from './registry/metering/service.ts'
export { ORG_TYPES, type OrgType } from './registry/organizations/schema.ts'
export { create as createOrganization } from './registry/organizations/store.ts'
export {
  addSystemOrganization,
  deactivateSystemOrganization,
  ensureSystemOrganizations,
  listSystemOrganizations,
} from './registry/organizations/system.ts'
export { declareSameParty } from './registry/scopes/service.ts'
export { create as createScope } from './registry/scopes/store.ts'
export { nettingRoutes } from './routes.ts'
export type { WriteContext } from './shared/write-context.ts'
export {
  listActiveGroups,
  listFacilitiesOf,
  listMeasuredFacilities,
  type TenantKey,
  wasEvaluatedSince,
} from './timetable-store.ts'

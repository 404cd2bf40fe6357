export { withMonthlyCloseAlarm } from './alarms/index.ts'
export { listWaitingBulkGroups, runBulkGroup, type WaitingGroup } from './all-groups/index.ts'
export { type Replay, ReplayError, replayPackage } from './audit/index.ts'
export { calculateDays, calculateRange, type Stage } from './calculation/index.ts'
export { checkStaleGroup } from './corrections/index.ts'
export { evaluateGroup, reevaluateBlockedByTariff, scanTariffs } from './eligibility/index.ts'
export { type FacilityHourEnergy, readFacilityHours } from './facility-hours/index.ts'
export {
  continueCalculations,
  doNextStep,
  errorText,
  findCalculation,
  HISTORY_FILE_BYTES_MAX,
  HISTORY_FILES_MAX,
  type HistoryReport,
  importHistory,
  makeHistoryTemplate,
} from './history/index.ts'
export { buildFacts, listQueuedFacilities, rebuildFacility } from './hourly-energy/index.ts'
export { computeHourlyForecasts } from './hourly-forecasts/index.ts'
export { computeOptimisations } from './optimisation/index.ts'
export {
  facilityIdOf,
  type ImportedMeterData,
  importMeterData,
  installationIdOf,
  type MeterDataFields,
  meterDataFault,
} from './osos/meter-data/index.ts'
export { clearOldChecks, listTenantsOfChecks, remindTenant } from './reconciliation/index.ts'
export {
  addMember,
  addSystemOrganization,
  assignMeter,
  copySystemOrganizations,
  createFacility,
  createGroup,
  createLimitAccount,
  createMeteringPoint,
  createOrganization,
  createScope,
  deactivateSystemOrganization,
  declareSameParty,
  ensureSystemOrganizations,
  listSystemOrganizations,
  ORG_TYPES,
  type OrgType,
} from './registry/index.ts'
export { REPORT_COLUMNS, REPORT_VALUES } from './reports/index.ts'
export { computeScenarios } from './scenarios/index.ts'
export {
  listActiveGroups,
  listFacilitiesOf,
  listMeasuredFacilities,
  type TenantKey,
  wasEvaluatedSince,
} from './schedule-store.ts'
export { REQUESTED_JOBS, type WriteContext } from './shared/index.ts'
export { computeSizings } from './sizings/index.ts'
export { listMarkedGroups } from './stale/index.ts'
export { ensureShippedTariffs } from './tariffs/index.ts'

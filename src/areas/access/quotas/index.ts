export { effectiveQuotas, QUOTAS } from './quotas.ts'
export {
  assertDeviceQuota,
  mayAddDevice,
  type QuotaUse,
  readUse,
  secondsToNextDay,
  takeExport,
} from './service.ts'
export {
  addSamples,
  findTenantKey,
  listActiveTenants,
  measureStorage,
  putOverrides,
  readSampleStates,
  removeDaysBefore,
  type SampleCounts,
} from './store.ts'

export type { GatewayReport, ReportedDevice } from './events.ts'
export { type DeviceReads, planDeviceReads } from './polling/device-reads.ts'
export {
  claimGateways,
  type GatewayRef,
  POLLER_LOCK_CLASS,
  type PollDevice,
  type PollReport,
  type PollTarget,
  readPollTargets,
  readTemplateMap,
  releaseGateways,
  writePollReports,
} from './polling/polling-store.ts'
export {
  type GatewayActivity,
  markAllOffline,
  updateGatewayState,
  updateLastSeen,
} from './presence/gateway-state-store.ts'
export { isOnline } from './presence/presence-store.ts'
export { recordReportedConfig } from './raw-config/report.ts'
export { findTenantId } from './raw-config/store.ts'
export { fieldGuard } from './settings.ts'

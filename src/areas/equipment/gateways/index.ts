export {
  claimGateways,
  type GatewayRef,
  giveBackGateways,
  POLLER_LOCK_CLASS,
  type PollDevice,
  type PollReport,
  type PollTarget,
  readPollTargets,
  readTemplateMap,
  writePollReports,
} from './poll-store.ts'
export { isOnline } from './presence-store.ts'
export { recordReportedConfig } from './rawconfig-report.ts'
export { rawConfigRoutes } from './rawconfig-routes.ts'
export { findTenantId } from './rawconfig-store.ts'
export { type DeviceReads, readsOf } from './reads.ts'
export { gatewayRoutes } from './routes.ts'
export { gatewayWebhookRoutes } from './webhook-routes.ts'

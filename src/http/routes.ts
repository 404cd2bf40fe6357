import { apiKeyRoutes, machineKeyRoutes } from '../areas/access/api-keys/routes.ts'
import { authRoutes } from '../areas/access/auth/routes.ts'
import { signInPolicyRoutes, userTotpRoutes } from '../areas/access/auth/totp/admin-routes.ts'
import { emailVerificationRoutes } from '../areas/access/email-verification/routes.ts'
import { acceptanceRoutes, invitationRoutes } from '../areas/access/invitations/routes.ts'
import { oidcRoutes } from '../areas/access/oidc/routes.ts'
import { userOidcRoutes } from '../areas/access/oidc/user-routes.ts'
import { roleRoutes } from '../areas/access/roles/routes.ts'
import { userRoutes } from '../areas/access/users/routes.ts'
import { changeRoutes, tenantChangeRoutes } from '../areas/admin/change-log/routes.ts'
import { quotaRoutes, tenantQuotaRoutes } from '../areas/admin/quotas/routes.ts'
import { tenantDeletionRoutes } from '../areas/admin/tenant-deletion/routes.ts'
import { tenantRoutes } from '../areas/admin/tenants/routes.ts'
import { signupRoutes } from '../areas/admin/tenants/signup-routes.ts'
import { policyPreviewRoutes } from '../areas/alarms/evaluation/preview-routes.ts'
import { incidentRoutes } from '../areas/alarms/incidents/routes.ts'
import { maintenanceRoutes } from '../areas/alarms/maintenance/routes.ts'
import { channelRoutes } from '../areas/alarms/notifications/channels/routes.ts'
import {
  escalationRoutes,
  incidentEscalationRoutes,
} from '../areas/alarms/notifications/escalation/routes.ts'
import { notificationRoutes } from '../areas/alarms/notifications/routes.ts'
import { webhookRoutes } from '../areas/alarms/notifications/webhooks/routes.ts'
import { alarmPolicyRoutes } from '../areas/alarms/policies/routes.ts'
import {
  authorityRoutes,
  chargerActionRoutes,
  chargerCertificateRoutes,
  chargerCommandRoutes,
  chargerEventRoutes,
  chargerFileRoutes,
  chargerPasswordRoutes,
  chargerRoutes,
  chargerUploadRoutes,
  chargerVariableRoutes,
  chargingGroupRoutes,
  chargingSessionRoutes,
  idTagRoutes,
  localListRoutes,
  profileOfChargerRoutes,
  profileRoutes,
  reservationRoutes,
} from '../areas/charging/index.ts'
import { deviceRoutes } from '../areas/equipment/devices/routes.ts'
import { deviceTreeRoutes } from '../areas/equipment/devices/tree/routes.ts'
import { gatewayLinkRoutes } from '../areas/equipment/gateway-link/routes.ts'
import { gatewayWebhookRoutes } from '../areas/equipment/gateways/presence/webhook-routes.ts'
import { rawConfigRoutes } from '../areas/equipment/gateways/raw-config/routes.ts'
import { gatewayRoutes } from '../areas/equipment/gateways/routes.ts'
import { regionRoutes } from '../areas/equipment/sites/region-routes.ts'
import { subregionRoutes } from '../areas/equipment/sites/subregion-routes.ts'
import { zigbeeClaimRoutes } from '../areas/equipment/zigbee/claim-routes.ts'
import { zigbeeGatewayRoutes } from '../areas/equipment/zigbee/gateway-routes.ts'
import { exportRoutes } from '../areas/insight/exports/routes.ts'
import { listReportRoutes } from '../areas/insight/list-reports/routes.ts'
import { overviewRoutes } from '../areas/insight/overview/routes.ts'
import { dashboardRoutes, widgetRoutes } from '../areas/insight/widgets/routes.ts'
import { aggregateRoutes } from '../areas/metering/aggregates/routes.ts'
import { collectorMappingRoutes } from '../areas/metering/collectors/mapping-routes.ts'
import { lineProtocolRoutes, remoteWriteRoutes } from '../areas/metering/collectors/write-routes.ts'
import { intakeRoutes } from '../areas/metering/intake/routes.ts'
import { liveTicketRoutes } from '../areas/metering/live/ticket-routes.ts'
import { mapRoutes } from '../areas/metering/map/routes.ts'
import { reactiveRoutes } from '../areas/metering/reactive/routes.ts'
import { sampleRoutes } from '../areas/metering/samples/routes.ts'
import { historyImportRoutes } from '../areas/netting/history/routes.ts'
import { reevaluateBlockedByTariff } from '../areas/netting/index.ts'
import { marketAccountRoutes, marketPriceRoutes } from '../areas/netting/market/routes.ts'
import { ososImportRoutes } from '../areas/netting/osos/import-routes.ts'
import { meterDataRoutes } from '../areas/netting/osos/meter-data/routes.ts'
import { ososRoutes } from '../areas/netting/osos/routes.ts'
import { reconcileRoutes } from '../areas/netting/reconciliation/routes.ts'
import { nettingRoutes } from '../areas/netting/routes.ts'
import { tariffImportRoutes } from '../areas/netting/tariffs/import-routes.ts'
import { tariffRoutes } from '../areas/netting/tariffs/routes.ts'
import { lotoRoutes } from '../areas/safety/loto/routes.ts'
import { firmwareRoutes, firmwareUploadRoutes } from '../areas/updates/firmware/routes.ts'
import { otaBatchRoutes } from '../areas/updates/ota/batch-routes.ts'
import { firmwareLinkRoutes } from '../areas/updates/ota/download-routes.ts'
import { otaUpdateRoutes } from '../areas/updates/ota/update-routes.ts'
import { mcpRoutes } from '../mcp/index.ts'
import type { App } from '../platform/http/app-type.ts'
import { mount } from '../platform/http/mount.ts'
import { onReplicas } from '../platform/http/request-database.ts'
import type { Deps } from '../platform/runtime/deps.ts'

/**
 * Adds the modules in the order of the interface. A process without the role api serves only its health
 * routes.
 */
export function mountApi(app: App, deps: Deps): void {
  mount(app, '/api/auth', authRoutes)
  mount(app, '/api/auth/sign-in-policy', signInPolicyRoutes)
  mount(app, '/api/auth/oidc', oidcRoutes)
  mount(app, '/api/auth/invitations', acceptanceRoutes)
  mount(app, '/api/auth/signup', signupRoutes)
  mount(app, '/api/auth/email-verification', emailVerificationRoutes)
  mount(app, '/api/api-keys', apiKeyRoutes)
  mount(app, '/api/machine-keys', machineKeyRoutes)
  mount(app, '/api/users', userRoutes)
  mount(app, '/api/users', userTotpRoutes)
  mount(app, '/api/users', userOidcRoutes)
  mount(app, '/api/users/invitations', invitationRoutes)
  mount(app, '/api/roles', roleRoutes)
  mount(app, '/api/regions', onReplicas(regionRoutes))
  mount(app, '/api/subregions', onReplicas(subregionRoutes))
  mount(app, '/api/gateways', gatewayLinkRoutes)
  mount(app, '/api/gateways', onReplicas(gatewayRoutes))
  mount(app, '/api/gateways', rawConfigRoutes)
  mount(app, '/api/internal/gateway', gatewayWebhookRoutes)
  mount(app, '/api/devices', onReplicas(deviceRoutes))
  mount(app, '/api/devices', onReplicas(deviceTreeRoutes))
  mount(app, '/api/measurements', intakeRoutes)
  mount(app, '/api/measurements', onReplicas(sampleRoutes))
  mount(app, '/api/live/tickets', liveTicketRoutes)
  mount(app, '/api/collector-mappings', collectorMappingRoutes)
  mount(app, '/api/v2/write', lineProtocolRoutes)
  mount(app, '/api/v1/write', remoteWriteRoutes)
  mount(app, '/api/measurements', onReplicas(aggregateRoutes))
  mount(app, '/api/measurements', onReplicas(mapRoutes))
  mount(app, '/api/measurements', onReplicas(reactiveRoutes))
  mount(app, '/api/measurements', exportRoutes)
  mount(app, '/api/alarms', alarmPolicyRoutes)
  mount(app, '/api/alarms', policyPreviewRoutes)
  mount(app, '/api/alarms/maintenance', maintenanceRoutes)
  mount(app, '/api/alarms/incidents', onReplicas(incidentRoutes))
  mount(app, '/api/notifications', onReplicas(notificationRoutes))
  mount(app, '/api/notification-webhooks', webhookRoutes)
  mount(app, '/api/notification-channels', channelRoutes)
  mount(app, '/api/escalation-policies', escalationRoutes)
  mount(app, '/api/alarms/incidents', incidentEscalationRoutes)
  mount(app, '/api/mahsuplasma', nettingRoutes)
  mount(app, '/api/mahsuplasma', historyImportRoutes)
  mount(app, '/api/mahsuplasma', reconcileRoutes)
  mount(app, '/api/osos', ososRoutes)
  mount(app, '/api/osos', ososImportRoutes)
  mount(app, '/api/mahsuplasma', meterDataRoutes)
  mountInsight(app)
  mount(app, '/api/loto', lotoRoutes)
  mount(app, '/api/firmware', firmwareRoutes)
  mount(app, '/api/firmware', firmwareUploadRoutes)
  mount(app, '/api/firmware', firmwareLinkRoutes)
  mount(app, '/api/ota', otaBatchRoutes)
  mount(app, '/api/ota/updates', otaUpdateRoutes)
  mount(app, '/api/ocpp', authorityRoutes)
  mountOcpp(app)
  mount(app, '/api/v1/zigbee/claims', zigbeeClaimRoutes)
  mount(app, '/api/v1/zigbee/gateways', zigbeeGatewayRoutes)
  mount(app, '/api/quotas', quotaRoutes)
  mount(app, '/api/changes', onReplicas(changeRoutes))
  mcpRoutes(app)
  mount(app, '/api/v1/admin/tenants', tenantChangeRoutes)
  mount(app, '/api/v1/admin/tenants', tenantRoutes)
  mount(app, '/api/v1/admin/tenants', tenantQuotaRoutes)
  mount(app, '/api/v1/admin/tenant-deletions', tenantDeletionRoutes)
  mount(app, '/api/v1/admin/regulated-tariffs', tariffImportRoutes)
  mount(app, '/api/energy-market', marketPriceRoutes)
  mount(app, '/api/v1/admin/marketop-transparency/accounts', marketAccountRoutes)
  mount(app, '/api/v1/admin/regulated-tariffs', tariffRoutes({ onApproved: evaluateAfterApproval(deps) }))
}

/** Dashboards, the overview and files of lists. */
function mountInsight(app: App): void {
  mount(app, '/api/subregions', onReplicas(dashboardRoutes))
  mount(app, '/api/widgets', onReplicas(widgetRoutes))
  mount(app, '/api/overview', onReplicas(overviewRoutes))
  mount(app, '/api/reports', onReplicas(listReportRoutes))
}

/** Charging stations over HTTP. */
function mountOcpp(app: App): void {
  mount(app, '/api/ocpp/chargers', chargerRoutes)
  mount(app, '/api/ocpp/chargers', chargerPasswordRoutes)
  mount(app, '/api/ocpp/chargers', onReplicas(chargerEventRoutes))
  mount(app, '/api/ocpp/chargers', chargerActionRoutes)
  mount(app, '/api/ocpp/chargers', chargerCommandRoutes)
  mount(app, '/api/ocpp/chargers', chargerVariableRoutes)
  mount(app, '/api/ocpp/chargers', chargerFileRoutes)
  mount(app, '/api/ocpp/chargers', chargerCertificateRoutes)
  mount(app, '/api/ocpp/uploads', chargerUploadRoutes)
  mount(app, '/api/ocpp/chargers', localListRoutes)
  mount(app, '/api/ocpp/chargers', profileOfChargerRoutes)
  mount(app, '/api/ocpp/charging-profiles', profileRoutes)
  mount(app, '/api/ocpp/charging-groups', chargingGroupRoutes)
  mount(app, '/api/ocpp/reservations', reservationRoutes)
  mount(app, '/api/ocpp/id-tags', idTagRoutes)
  mount(app, '/api/ocpp/sessions', chargingSessionRoutes)
}

/**
 * Evaluates groups after the approval of a price set, since groups of any tenant may have waited for it.
 * The response of the approval does not wait for the evaluation.
 */
const evaluateAfterApproval = (deps: Deps) => (): void => {
  deps.background.run('evaluation after a tariff approval', () => reevaluateBlockedByTariff(deps))
}

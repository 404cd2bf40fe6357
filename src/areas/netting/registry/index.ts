export { facilityRoutes } from './facilities/routes.ts'
export { createFacility } from './facilities/service.ts'
export { groupRoutes } from './groups/routes.ts'
export { addMember, createGroup } from './groups/service.ts'
export { limitRoutes } from './limits/routes.ts'
export { createLimitAccount } from './limits/service.ts'
export { inverterRoutes } from './metering/inverters/routes.ts'
export { meteringRoutes } from './metering/routes.ts'
export { assignMeter, createMeteringPoint } from './metering/service.ts'
export { organizationRoutes } from './organizations/routes.ts'
export { ORG_TYPES, type OrgType } from './organizations/schema.ts'
export { create as createOrganization } from './organizations/store.ts'
export {
  addSystemOrganization,
  deactivateSystemOrganization,
  ensureSystemOrganizations,
  listSystemOrganizations,
} from './organizations/system.ts'
export { copySystemOrganizations } from './organizations/system-store.ts'
export { scopeRoutes } from './scopes/routes.ts'
export { declareSameParty } from './scopes/service.ts'
export { create as createScope } from './scopes/store.ts'

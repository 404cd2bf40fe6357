export { createFacility } from './facilities/service.ts'
export { addMember, createGroup } from './groups/service.ts'
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
export { copySystemOrganizations } from './organizations/system-store.ts'
export { declareSameParty } from './scopes/service.ts'
export { create as createScope } from './scopes/store.ts'

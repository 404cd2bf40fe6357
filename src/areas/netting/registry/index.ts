export { CreateFacility } from './facilities/schema.ts'
export { createFacility } from './facilities/service.ts'
export { AddMember, CreateGroup } from './groups/schema.ts'
export { addMember, createGroup, updateGroup } from './groups/service.ts'
export { STEPS as GROUP_STEPS } from './groups/status.ts'
export { CreateLimitAccount } from './limits/schema.ts'
export { createLimitAccount } from './limits/service.ts'
export { CreateMeterChange } from './meter-changes/schema.ts'
export { findMeterChange, recordMeterChange } from './meter-changes/service.ts'
export { CreateAssignment, CreateMeteringPoint } from './metering/schema.ts'
export { assignMeter, createMeteringPoint } from './metering/service.ts'
export { CreateOrganization, ORG_TYPES, type OrgType } from './organizations/schema.ts'
export { create as createOrganization } from './organizations/store.ts'
export {
  addSystemOrganization,
  deactivateSystemOrganization,
  ensureSystemOrganizations,
  listSystemOrganizations,
} from './organizations/system.ts'
export { copySystemOrganizations } from './organizations/system-store.ts'
export { CreateScope } from './scopes/schema.ts'
export { declareSameParty } from './scopes/service.ts'
export { create as createScope } from './scopes/store.ts'

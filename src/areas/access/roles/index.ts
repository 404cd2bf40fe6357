export { assertMayGrant, assertNotStronger, distinct, resolveGrantableRoles } from './service.ts'
export { createSystemRoles, findRolePermissions, findSystemRole, type SystemRoleName } from './store.ts'

export { assertNotStronger, resolveGrantableRoles } from './service.ts'
export { createSystemRoles, findRolePermissions, findSystemRole, type SystemRoleName } from './store.ts'

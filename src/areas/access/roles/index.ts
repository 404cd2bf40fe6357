export { roleRoutes } from './routes.ts'
export { refuseGrants, rolesToGrant } from './service.ts'
export { createSystemRoles, findSystemRole, permissionsOf, type SystemRoleName } from './store.ts'

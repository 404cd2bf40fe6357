export { roleRoutes } from './routes.ts'
export { assertMayGrant as refuseGrants, resolveGrantableRoles as rolesToGrant } from './service.ts'
export {
  createSystemRoles,
  findRolePermissions as permissionsOf,
  findSystemRole,
  type SystemRoleName,
} from './store.ts'

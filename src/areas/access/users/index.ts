export { FullName, RoleIds, User, userFields } from './schema.ts'
export { addUser, assertMayManage } from './service.ts'
export {
  find as findUser,
  isEmailVerified,
  listSuperuserTenants,
  lockForUpdate as lockUserForUpdate,
  type NewUser,
} from './store.ts'

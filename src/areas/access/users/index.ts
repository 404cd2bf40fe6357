export { FullName, RoleIds, User, UserLanguage, userFields } from './schema.ts'
export { addUser, assertMayManage } from './service.ts'
export {
  find as findUser,
  findAddressesOf,
  isEmailVerified,
  listSuperuserTenants,
  lockForUpdate as lockUserForUpdate,
  type NewUser,
  update as updateUser,
} from './store.ts'

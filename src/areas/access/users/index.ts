export { FullName, RoleIds, User, userFields } from './schema.ts'
export { addUser } from './service.ts'
export { find as findUser, isEmailVerified, listSuperuserTenants, type NewUser } from './store.ts'

export { deleteTenants } from './run.ts'
export { DeletionConfirmation, TenantDeletion } from './schema.ts'
export { requestDeletion } from './service.ts'

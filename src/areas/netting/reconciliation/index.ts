export { clearOldChecks } from './check-service.ts'
export { listTenantsOfChecks, remindTenant } from './objection-service.ts'

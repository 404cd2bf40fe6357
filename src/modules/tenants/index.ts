export { ensureFirstAdmin, type FirstAdmin } from './first-admin.ts'
export { signupRoutes, tenantRoutes } from './routes.ts'
export { createTenant, createTenantUser, type NewTenant, type NewTenantUser, seedTenant } from './service.ts'

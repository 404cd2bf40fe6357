export { ensureFirstAdmin } from './first-admin.ts'
export { signupRoutes, tenantRoutes } from './routes.ts'
export { createTenant, createTenantUser } from './service.ts'
export { findBySlug as findTenant } from './store.ts'

export { ensureFirstAdmin } from './first-admin.ts'
export { createTenant, createTenantUser } from './service.ts'
export { tenantSettings } from './settings.ts'
export { findBySlug as findTenant } from './store.ts'

export { ensureFirstAdmin } from './first-admin.ts'
export { createTenant, createTenantUser } from './service.ts'
export { verifiesSignups } from './signup-service.ts'
export { findBySlug as findTenant } from './store.ts'

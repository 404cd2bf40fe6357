import type { Permission } from '../../../src/kernel/permissions.ts'

/** What an action needs: a permission, or that the user is a superuser. */
export type Access = Permission | 'superuser'

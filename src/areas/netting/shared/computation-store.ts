import type { SystemDb } from '../../../platform/db/tenant.ts'

/** The active tenants; the table has a copy on every node. */
export const listTenants = ({ db }: SystemDb) =>
  db.selectFrom('tenant').select('id').where('is_active', '=', true).orderBy('id').execute()

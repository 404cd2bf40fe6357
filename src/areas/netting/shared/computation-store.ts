import type { SystemDb } from '../../../platform/db/tenant.ts'

/** The active tenants, or one if it is active; the table has a copy on every node. */
export function listTenants({ db }: SystemDb, only?: number) {
  const tenants = db.selectFrom('tenant').select('id').where('is_active', '=', true).orderBy('id')
  return (only === undefined ? tenants : tenants.where('id', '=', only)).execute()
}

import type { SystemDb } from '../../../platform/db/tenant.ts'

/** The active tenants, or one if it is active; the table has a copy on every node. */
export const listTenants = ({ db }: SystemDb, only?: number) =>
  db
    .selectFrom('tenant')
    .select('id')
    .where('is_active', '=', true)
    .$if(only !== undefined, (tenants) => tenants.where('id', '=', only ?? 0))
    .orderBy('id')
    .execute()

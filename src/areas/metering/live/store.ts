import type { Database } from '../../../platform/db/pool.ts'

/** The uid that names a tenant on the wire; undefined for an unknown tenant. */
export async function findTenantUid({ kysely }: Database, tenantId: number): Promise<string | undefined> {
  const row = await kysely.selectFrom('tenant').select('uid').where('id', '=', tenantId).executeTakeFirst()
  return row?.uid
}

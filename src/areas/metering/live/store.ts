import type { Database } from '../../../platform/db/pool.ts'

/** The name of a tenant on the wire; undefined when there is none. */
export async function findTenantUid({ kysely }: Database, tenantId: number): Promise<string | undefined> {
  const row = await kysely.selectFrom('tenant').select('uid').where('id', '=', tenantId).executeTakeFirst()
  return row?.uid
}

import type { Database } from '../../../platform/db/pool.ts'

/** Finds the short keys of a tenant's devices by id; unknown and foreign ids are left out. */
export async function findDeviceKeys(
  { kysely }: Database,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await kysely
    .selectFrom('device')
    .select(['id', 'key'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute()
  return new Map(rows.map(({ id, key }) => [id, key]))
}

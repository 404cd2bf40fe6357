import type { TenantDb } from '../../../platform/db/tenant.ts'

export interface ExportDevice {
  readonly id: string
  readonly key: number
  readonly name: string
}

/** The devices of the tenant among these ids, in their order. */
export async function findDevices(
  { db, tenantId }: TenantDb,
  ids: readonly string[],
): Promise<ExportDevice[]> {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'key', 'name'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

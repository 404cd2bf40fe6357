import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

export interface ExportDevice {
  readonly id: string
  readonly key: number
  readonly name: string
}

/** The devices of the tenant among these ids, in their order. */
export async function findDevices(tenant: TenantDb, ids: readonly string[]): Promise<ExportDevice[]> {
  const rows = await selectRows(tenant, 'device')
    .select(['id', 'key', 'name'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

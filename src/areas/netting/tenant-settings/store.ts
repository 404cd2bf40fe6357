import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { NettingSettings, UpdateNettingSettings } from './schema.ts'

const DEFAULTS: NettingSettings = { strict_storage_export: true, updated_at: null, updated_by: null }

/** Returns the settings of a tenant; the defaults before the first change. */
export async function readSettings(tenant: TenantDb): Promise<NettingSettings> {
  const row = await selectRows(tenant, 'netting_setting')
    .select(['strict_storage_export', 'updated_at', 'updated_by'])
    .executeTakeFirst()
  return row ?? DEFAULTS
}

/** True when export of unknown origin of a facility with storage is free. */
export const isStorageExportStrict = async (tenant: TenantDb): Promise<boolean> =>
  (await readSettings(tenant)).strict_storage_export

interface Change {
  readonly body: UpdateNettingSettings
  readonly by: string
  readonly at: number
}

/** Stores the given settings; the omitted ones are unchanged. */
export async function updateSettings(
  { db, tenantId }: TenantTx,
  { body, by, at }: Change,
): Promise<NettingSettings> {
  const { strict_storage_export } = body
  const change = { strict_storage_export, updated_at: new Date(at), updated_by: by }
  return db
    .insertInto('netting_setting')
    .values({ tenant_id: tenantId, ...change })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(change))
    .returning(['strict_storage_export', 'updated_at', 'updated_by'])
    .executeTakeFirstOrThrow()
}

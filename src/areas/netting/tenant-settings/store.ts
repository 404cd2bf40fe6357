import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { OBJECTION_DAYS, OBJECTION_REMINDER_DAYS } from '../limits.ts'
import type { NettingSettings, UpdateNettingSettings } from './schema.ts'

const FIELDS = [
  'strict_storage_export',
  'objection_days',
  'objection_reminder_days',
  'updated_at',
  'updated_by',
] as const

const DEFAULTS: NettingSettings = {
  strict_storage_export: true,
  objection_days: OBJECTION_DAYS,
  objection_reminder_days: OBJECTION_REMINDER_DAYS,
  updated_at: null,
  updated_by: null,
}

/** Returns the settings of a tenant; the defaults before the first change. */
export async function readSettings(tenant: TenantDb): Promise<NettingSettings> {
  const row = await selectRows(tenant, 'netting_setting').select(FIELDS).executeTakeFirst()
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
  const change = { ...body, updated_at: new Date(at), updated_by: by }
  const { strict_storage_export } = DEFAULTS
  return db
    .insertInto('netting_setting')
    .values({ tenant_id: tenantId, strict_storage_export, ...change })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(change))
    .returning(FIELDS)
    .executeTakeFirstOrThrow()
}

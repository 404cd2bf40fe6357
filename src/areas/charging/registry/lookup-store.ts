import { found, invalidReference } from '../../../kernel/errors.ts'
import type { OcppVersion } from '../../../kernel/ocpp.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** What has to be known of a charger to arrange something with it. */
export interface KnownCharger {
  readonly id: string
  /** Null: it has never been connected. */
  readonly version: OcppVersion | null
}

export async function findKnown(tenant: TenantDb, id: string): Promise<KnownCharger | undefined> {
  const row = await selectRows(tenant, 'charger')
    .select(['id', 'ocpp_version'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, version: row.ocpp_version as OcppVersion | null }
}

/** 404 for the charger of a path that is not there. */
export const requireCharger = async (db: TenantDb, id: string): Promise<KnownCharger> =>
  found('charger', await findKnown(db, id))

/** 422 for the charger of a body that is not there. */
export async function referToCharger(db: TenantDb, id: string): Promise<KnownCharger> {
  const charger = await findKnown(db, id)
  if (!charger) throw invalidReference('charger_id')
  return charger
}

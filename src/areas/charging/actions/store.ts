import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** A session of a charger with the ids that stations know it by. */
export const findSession = (tenant: TenantDb, chargerId: string, id: string) =>
  selectRows(tenant, 'charging_session')
    .select(['state', 'transaction_number', 'ocpp_transaction_id'])
    .where('charger_id', '=', chargerId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The highest security profile with which a charger has connected. */
export async function readSecurityProfile(tenant: TenantDb, chargerId: string): Promise<number> {
  const row = await selectRows(tenant, 'charger')
    .select('security_profile')
    .where('id', '=', chargerId)
    .executeTakeFirst()
  return row?.security_profile ?? 0
}

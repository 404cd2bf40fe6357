import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { ChargerRef } from './charger-ref.ts'

/** What alarms about a charger are about. */
export const alarmSubject = ({ chargerId }: ChargerRef): string => `charger:${chargerId}`

/** What their payload says of it. */
export const readAbout = (tenant: TenantDb, { chargerId }: ChargerRef) =>
  selectRows(tenant, 'charger')
    .select(['id as charger_id', 'device_id', 'cpid', 'name'])
    .where('id', '=', chargerId)
    .executeTakeFirstOrThrow()

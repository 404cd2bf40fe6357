import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { ChargerRef } from './refs.ts'

/** What alarms about a charger are about. */
export const alarmSubject = ({ chargerId }: ChargerRef): string => `charger:${chargerId}`

/** What their payload says of it. */
export const readAbout = ({ db, tenantId }: TenantDb, { chargerId }: ChargerRef) =>
  db
    .selectFrom('charger')
    .select(['id as charger_id', 'device_id', 'cpid', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', chargerId)
    .executeTakeFirstOrThrow()

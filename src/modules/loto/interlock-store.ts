import { sql } from 'kysely'
import { lockResource, shareResource } from '../../platform/db/locks.ts'
import type { TenantDb, TenantTx } from '../../platform/db/tenant.ts'

/** Whether a point of a table or alias is in an applied session, or a lock hangs there. */
export const isLockedOut = (point: string) => sql<boolean>`(
  exists (select from loto_session_point sp
    where sp.tenant_id = ${sql.ref(`${point}.tenant_id`)} and sp.point_id = ${sql.ref(`${point}.id`)} and sp.is_held)
  or exists (select from loto_lock l
    where l.tenant_id = ${sql.ref(`${point}.tenant_id`)} and l.point_id = ${sql.ref(`${point}.id`)}
      and l.removed_at is null))`

const nameOf = ({ tenantId }: TenantTx): string => `loto interlock ${tenantId}`

/** Held alone by whoever locks something out, so that no command is under way meanwhile. */
export const holdInterlock = (tx: TenantTx) => lockResource(tx, nameOf(tx))
/** Shared by all who command devices, until their transaction ends. */
export const shareInterlock = (tx: TenantTx) => shareResource(tx, nameOf(tx))

/** The devices of points that are locked out: all of the tenant, or those among `deviceIds`. */
export const listLockedOut = ({ db, tenantId }: TenantDb, deviceIds?: readonly string[]) =>
  db
    .selectFrom('loto_point')
    .innerJoin('device', (join) =>
      join
        .onRef('device.tenant_id', '=', 'loto_point.tenant_id')
        .onRef('device.id', '=', 'loto_point.device_id'),
    )
    .select(['device.id', 'device.name'])
    .distinct()
    .where('loto_point.tenant_id', '=', tenantId)
    .where(isLockedOut('loto_point'), '=', true)
    .$if(deviceIds !== undefined, (rows) =>
      rows.where('device.id', '=', sql<string>`any(${[...(deviceIds ?? [])]}::uuid[])`),
    )
    .execute()

import { sql } from 'kysely'
import { iso, type Range } from '../../../kernel/time.ts'
import { lockResource, shareResource } from '../../../platform/db/locks.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** SQL: true when the point of a table or alias is in an applied session or has a lock. */
export const isLockedOut = (tenantId: number, point: string) => sql<boolean>`(
  exists (select 1 from loto_session_point sp
    where sp.tenant_id = ${tenantId} and sp.point_id = ${sql.ref(`${point}.id`)}
      and sp.is_held)
  or exists (select 1 from loto_lock l
    where l.tenant_id = ${tenantId} and l.point_id = ${sql.ref(`${point}.id`)}
      and l.removed_at is null))`

const nameOf = ({ tenantId }: TenantTx): string => `loto interlock ${tenantId}`

/** Takes the interlock exclusively, so that no transaction that stores a command is in progress meanwhile. */
export const lockInterlock = (tx: TenantTx) => lockResource(tx, nameOf(tx))
/**
 * Takes the interlock shared, as every transaction that stores a command does, until the transaction ends.
 */
export const shareInterlock = (tx: TenantTx) => shareResource(tx, nameOf(tx))

/** Lists the devices of locked-out points: of the whole tenant, or those among `deviceIds`. */
export const listLockedOut = (tenant: TenantDb, deviceIds?: readonly string[]) =>
  selectRows(tenant, 'loto_point')
    .innerJoin('device', (join) =>
      join
        .onRef('device.tenant_id', '=', 'loto_point.tenant_id')
        .onRef('device.id', '=', 'loto_point.device_id'),
    )
    .select(['device.id', 'device.name'])
    .distinct()
    .where(isLockedOut(tenant.tenantId, 'loto_point'), '=', true)
    .$if(deviceIds !== undefined, (rows) =>
      rows.where('device.id', '=', sql<string>`any(${[...(deviceIds ?? [])]}::uuid[])`),
    )
    .execute()

/**
 * Returns the ranges within a span in which any of the devices was locked out, ascending and without overlap.
 * A session counts with the device that its point had when it was approved.
 */
export async function listLockedTimes(
  { db, tenantId }: TenantDb,
  deviceIds: readonly string[],
  { from, to }: Range,
): Promise<Range[]> {
  const span = sql`tstzrange(${iso(from)}, ${iso(to)})`
  const { rows } = await sql<Range>`
    with point as (
      select session_id, point_id from loto_session_point
      where tenant_id = ${tenantId} and snapshot ->> 'device_id' = any(${[...deviceIds]}::text[])
    ), held as (
      select tstzrange(s.applied_at, s.released_at) as time from loto_session s
      where s.tenant_id = ${tenantId} and s.applied_at is not null and s.id in (select session_id from point)
      union all
      select tstzrange(l.placed_at, l.removed_at) from loto_lock l
      where l.tenant_id = ${tenantId} and (l.session_id, l.point_id) in (select session_id, point_id
        from point)
    )
    select round(date_part('epoch', lower(one)) * 1000)::float8 as "from",
      round(date_part('epoch', upper(one)) * 1000)::float8 as "to"
    from unnest((select range_agg(time * ${span}) from held where time && ${span})) as one`.execute(db)
  return rows
}

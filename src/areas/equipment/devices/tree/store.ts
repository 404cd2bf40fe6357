import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'

export interface TreeRow {
  readonly id: string
  readonly name: string
  readonly device_type: string
  readonly device_role: string | null
  readonly parent_id: string | null
  readonly is_online: boolean
  readonly last_seen: Date | null
  readonly gateway: { id: string; name: string } | null
  readonly subregion: { id: string; name: string } | null
}

/** Devices of a recursive query `walk` (columns id, depth) with gateway and subregion, ordered by depth. */
async function selectTreeRows(
  { db, tenantId }: TenantDb,
  walk: RawBuilder<unknown>,
  now: Date,
): Promise<TreeRow[]> {
  const { rows } = await sql<TreeRow>`
    ${walk}
    select d.id, d.name, d.device_type, d.device_role, d.parent_id, d.last_seen,
      coalesce(d.last_seen > ${now}::timestamptz - d.offline_threshold_s * interval '1 second', false)
        as is_online,
      case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as gateway,
      case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as subregion
    from walk
    join device d on d.tenant_id = ${tenantId} and d.id = walk.id
    left join gateway g on g.tenant_id = d.tenant_id and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)
    left join subregion s on s.tenant_id = d.tenant_id and s.id = coalesce(d.subregion_id, g.subregion_id)
    order by walk.depth, d.name, d.id`.execute(db)
  return rows
}

interface TreeQuery {
  readonly id: string
  readonly depthMax: number
  readonly rowsMax: number
}

/**
 * A device and its descendants. The recursion yields rows level by level, so `rowsMax` cuts off the lowest
 * levels; `depthMax` keeps the recursion finite whatever the table contains.
 */
export const readDescendants = (tenant: TenantDb, { id, depthMax, rowsMax }: TreeQuery, now: Date) =>
  selectTreeRows(
    tenant,
    sql`with recursive down as (
      select id, 0 as depth from device where (tenant_id, id) = (${tenant.tenantId}, ${id})
      union all
      select d.id, down.depth + 1 from down
      join device d on d.tenant_id = ${tenant.tenantId} and d.parent_id = down.id
      where down.depth < ${depthMax}
    ), walk as (select id, depth from down limit ${rowsMax})`,
    now,
  )

/** Ancestors of a device, the root first. */
export const readAncestors = (tenant: TenantDb, { id, depthMax, rowsMax }: TreeQuery, now: Date) =>
  selectTreeRows(
    tenant,
    sql`with recursive up as (
      select id, parent_id, 0 as depth from device where (tenant_id, id) = (${tenant.tenantId}, ${id})
      union all
      select d.id, d.parent_id, up.depth - 1 from up
      join device d on d.tenant_id = ${tenant.tenantId} and d.id = up.parent_id
      where up.depth > ${-depthMax}
    ), walk as (select id, depth from up where depth < 0 limit ${rowsMax})`,
    now,
  )

/** Direct children by name. The caller requests one more than it needs to detect further ones. */
export const listChildNames = (tenant: TenantDb, id: string, limit: number) =>
  selectRows(tenant, 'device')
    .select(['id', 'name'])
    .where('parent_id', '=', id)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()

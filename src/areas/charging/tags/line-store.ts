import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { ID_TAG_DEPTH_MAX } from '../limits.ts'

interface LineEntry {
  readonly id: string
  readonly tag: string
  readonly status: string
  readonly expires_at: Date | null
  readonly allows_concurrent: boolean
}

/** A tag, its group, the group of that, and so on; nothing for an unknown tag. Its case does not matter. */
export async function readLine({ db, tenantId }: TenantDb, tag: string): Promise<LineEntry[]> {
  const { rows } = await sql<LineEntry>`
    with recursive up as (
      select id, tag, status, expires_at, allows_concurrent, parent_id, 0 as depth from id_tag
      where tenant_id = ${tenantId} and lower(tag) = lower(${tag})
      union all
      select t.id, t.tag, t.status, t.expires_at, t.allows_concurrent, t.parent_id, up.depth + 1
      from up join id_tag t on t.tenant_id = ${tenantId} and t.id = up.parent_id
      where up.depth < ${ID_TAG_DEPTH_MAX})
    select id, tag, status, expires_at, allows_concurrent from up order by depth`.execute(db)
  return rows
}

/** Of two starts at once, at two chargers, the second sees the session of the first. */
export const lockTag = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'id_tag').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** A session that was refused does not count: its station was told not to charge, whether or not it says that it has ended. */
export const hasActiveSession = async (tenant: TenantDb, tag: string): Promise<boolean> =>
  (await selectRows(tenant, 'charging_session')
    .select('id')
    .where(sql`lower(id_tag)`, '=', sql`lower(${tag})`)
    .where('state', '=', 'active')
    .where('authorization_status', '=', 'accepted')
    .limit(1)
    .executeTakeFirst()) !== undefined

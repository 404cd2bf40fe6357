import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { subregionWithJoinedGateway } from '../../metering/device-lookup/index.ts'

export interface PreviewDevice {
  readonly id: string
  readonly key: number
  readonly name: string
  readonly offlineThresholdS: number
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly subregionId: string | null
}

export interface PreviewScope {
  readonly deviceId: string | null
  readonly subregionId: string | null
  /** Undefined means all devices in scope. */
  readonly deviceIds: readonly string[] | undefined
  readonly limit: number
  readonly now: number
}

export const hasSubregion = async (tenant: TenantDb, id: string): Promise<boolean> =>
  (await selectRows(tenant, 'subregion').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Returns the first `limit` devices in scope by name, and their total number. */
export async function readPreviewDevices(
  { db, tenantId }: TenantDb,
  { deviceId, subregionId, deviceIds, limit, now }: PreviewScope,
): Promise<{ devices: PreviewDevice[]; total: number }> {
  const subregion = subregionWithJoinedGateway(tenantId, new Date(now))
  const { rows } = await sql<PreviewDevice & { total: number }>`
    select d.id, d.key, d.name, d.offline_threshold_s as "offlineThresholdS",
      round(date_part('epoch', d.created_at) * 1000)::float8 as "createdAt",
      ${subregion} as "subregionId", (count(*) over ())::int as total
    from device d
    left join gateway g on g.tenant_id = d.tenant_id and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)
    where d.tenant_id = ${tenantId}
      and (${deviceId}::uuid is null or d.id = ${deviceId}::uuid)
      and (${subregionId}::uuid is null or ${subregion} = ${subregionId}::uuid)
      and (${deviceIds ?? null}::uuid[] is null or d.id = any(${deviceIds ?? null}::uuid[]))
    order by d.name, d.id limit ${limit}`.execute(db)
  return { devices: rows, total: rows[0]?.total ?? 0 }
}

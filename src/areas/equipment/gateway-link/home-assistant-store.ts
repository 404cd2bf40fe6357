import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** A device with its newest samples, newest first; each is a row of `measurement`. */
export interface AnnouncedRow {
  readonly id: string
  readonly name: string
  readonly is_online: boolean
  readonly samples: readonly Readonly<Record<string, unknown>>[] | null
}

interface Window {
  readonly devices: number
  /** Samples of each device: not every sample has every metric. */
  readonly samples: number
  readonly from: Date
  readonly now: Date
}

/** Reads the oldest devices of a tenant with their newest samples. */
export async function readAnnouncedDevices(
  { db, tenantId }: TenantDb,
  { devices, samples, from, now }: Window,
): Promise<readonly AnnouncedRow[]> {
  const { rows } = await sql<AnnouncedRow>`
    select d.id, d.name, s.samples,
      coalesce(d.last_seen > ${now}::timestamptz - d.offline_threshold_s * interval '1 second', false) as is_online
    from (select id, key, name, last_seen, offline_threshold_s from device
      where tenant_id = ${tenantId} order by created_at, id limit ${devices}) d
    left join lateral (select jsonb_agg(to_jsonb(m) order by m.ts desc) as samples
      from (select * from measurement
        where tenant_id = ${tenantId} and device_key = d.key and ts > ${from} and ts <= ${now}
        order by ts desc limit ${samples}) m) s on true`.execute(db)
  return rows
}

export async function hasLogin(tenant: TenantDb, gatewayId: string): Promise<boolean> {
  const rows = selectRows(tenant, 'gateway_credential').select('gateway_id')
  return (await rows.where('gateway_id', '=', gatewayId).executeTakeFirst()) !== undefined
}

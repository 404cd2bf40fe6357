import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { epochMs } from '../sample-columns.ts'
import type { DeviceRef } from './store.ts'

/** Records hours that changed after the last regular build of hourly energy for them (table late_dirty_range). */
export async function addLateHours(
  db: Queryable,
  { tenantId, deviceKey }: DeviceRef,
  ranges: readonly Range[],
): Promise<void> {
  if (ranges.length === 0) return
  await readRows(db, {
    name: 'mark_late',
    text: `insert into late_dirty_range (tenant_id, device_key, from_hour, to_hour)
      select $1, $2, * from unnest($3::timestamptz[], $4::timestamptz[])`,
    values: [tenantId, deviceKey, ranges.map(({ from }) => iso(from)), ranges.map(({ to }) => iso(to))],
  })
}

/** Lists devices of active tenants with recorded late hours, by key. */
export async function listLateDevices(
  db: Queryable,
  { after, limit }: { readonly after: DeviceRef | undefined; readonly limit: number },
): Promise<DeviceRef[]> {
  const rows = await readRows(db, {
    name: 'late_devices',
    text: `select distinct tenant_id, device_key from late_dirty_range r
      where (tenant_id, device_key) > ($1, $2)
        and exists (select 1 from tenant t where t.id = r.tenant_id and t.is_active)
      order by 1, 2 limit $3`,
    values: [after?.tenantId ?? -1, after?.deviceKey ?? -1, limit],
  })
  return rows.map(([tenantId, deviceKey]) => ({ tenantId: Number(tenantId), deviceKey: Number(deviceKey) }))
}

export interface LateHours {
  /** Rows to delete after the hours are built. */
  readonly ids: readonly string[]
  readonly ranges: readonly Range[]
}

export async function readLateHours(db: Queryable, { tenantId, deviceKey }: DeviceRef): Promise<LateHours> {
  const rows = await readRows(db, {
    name: 'late_dirty_ranges',
    text: `select id, ${epochMs('from_hour')}, ${epochMs('to_hour')} from late_dirty_range
      where tenant_id = $1 and device_key = $2`,
    values: [tenantId, deviceKey],
  })
  return {
    ids: rows.map(([id]) => String(id)),
    ranges: rows.map(([, from, to]) => ({ from: Number(from), to: Number(to) })),
  }
}

export async function deleteLateHours(
  db: Queryable,
  { tenantId }: Pick<DeviceRef, 'tenantId'>,
  ids: readonly string[],
): Promise<void> {
  await readRows(db, {
    name: 'forget_late',
    text: 'delete from late_dirty_range where tenant_id = $1 and id = any($2::bigint[])',
    values: [tenantId, ids],
  })
}

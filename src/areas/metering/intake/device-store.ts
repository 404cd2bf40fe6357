import type { Database } from '../../../platform/db/pool.ts'

export interface DeviceName {
  readonly tenantId: number
  readonly id: string
}
export interface NamedDevice extends DeviceName {
  readonly key: number
}

const NAMED = `
  select d.tenant_id, d.id, d.key from unnest($1::int[], $2::uuid[]) as asked (tenant_id, id)
  join device d on d.tenant_id = asked.tenant_id and d.id = asked.id`

/** The short keys of devices of any tenants, in one statement; ids that are unknown or foreign are left out. */
export async function findDevices({ pool }: Database, names: readonly DeviceName[]): Promise<NamedDevice[]> {
  const { rows } = await pool.query<{ tenant_id: number; id: string; key: number }>(NAMED, [
    names.map(({ tenantId }) => tenantId),
    names.map(({ id }) => id),
  ])
  return rows.map(({ tenant_id: tenantId, id, key }) => ({ tenantId, id, key }))
}

export interface Seen {
  readonly tenantId: number
  readonly deviceKey: number
  /** Epoch milliseconds. */
  readonly at: number
}

// Rows that somebody else holds are left for the next batch: nobody waits here, and no circle of waiting can form.
const TOUCH = `
  with seen as (
    select tenant_id, device_key, max(at) as at
    from unnest($1::int[], $2::int[], $3::float8[]) as seen (tenant_id, device_key, at)
    group by tenant_id, device_key
  ), due as (
    select d.tenant_id, d.id, to_timestamp(seen.at / 1000) as at
    from device d join seen on d.tenant_id = seen.tenant_id and d.key = seen.device_key
    where d.last_seen is null or d.last_seen < to_timestamp(seen.at / 1000)
    for no key update of d skip locked
  )
  update device d set last_seen = due.at from due where d.tenant_id = due.tenant_id and d.id = due.id`

/** Moves last_seen forward, never back. */
export async function touchDevices({ pool }: Database, seen: readonly Seen[]): Promise<void> {
  if (seen.length === 0) return
  await pool.query(TOUCH, [
    seen.map(({ tenantId }) => tenantId),
    seen.map(({ deviceKey }) => deviceKey),
    seen.map(({ at }) => at),
  ])
}

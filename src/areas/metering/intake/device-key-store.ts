import { makeCoalescer } from '../../../platform/async/coalesce.ts'
import { makeLru } from '../../../platform/async/lru.ts'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import { ONE_NODE, type TenantNodes } from '../../../platform/db/distribution/tenant-nodes.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { DEVICE_KEY_TTL_MS, DEVICE_KEYS_CACHED_MAX } from './limits.ts'

type Keys = ReadonlyMap<string, number>

export interface DeviceDirectory {
  /**
   * Returns the short keys of the devices of samples; devices that are unknown or belong to another tenant
   * are omitted.
   */
  find(tenantId: number, samples: readonly { readonly deviceId: string }[]): Keys | Promise<Keys>
}

interface DeviceName {
  readonly tenantId: number
  readonly id: string
}

interface Known {
  readonly tenantId: number
  readonly key: number
  /** The expiry on the monotonic clock, milliseconds. */
  readonly until: number
}

const NAMED = `
  select d.tenant_id, d.id, d.key from unnest($1::int[], $2::uuid[]) as asked (tenant_id, id)
  join device d on d.tenant_id = asked.tenant_id and d.id = asked.id`

const NAMED_OF_TENANT = 'select id, key from device where tenant_id = $1 and id = any($2::uuid[])'

/** Returns the short keys of devices: in one statement, on a distributed database in one for each tenant. */
async function findDevices(
  { pool }: Database,
  nodes: Pick<TenantNodes, 'isDistributed'>,
  names: readonly DeviceName[],
) {
  if (nodes.isDistributed()) {
    const found: (DeviceName & { key: number })[] = []
    for (const [tenantId, own] of byTenant(names)) {
      const ids = own.map(({ id }) => id)
      const { rows } = await pool.query<{ id: string; key: number }>(NAMED_OF_TENANT, [tenantId, ids])
      for (const { id, key } of rows) found.push({ tenantId, id, key })
    }
    return found
  }
  const { rows } = await pool.query<{ tenant_id: number; id: string; key: number }>(NAMED, [
    names.map(({ tenantId }) => tenantId),
    names.map(({ id }) => id),
  ])
  return rows.map(({ tenant_id: tenantId, id, key }) => ({ tenantId, id, key }))
}

/**
 * Caches for a few seconds which devices exist. Missing keys are queried, so a new device is usable at once.
 */
export function makeDeviceDirectory(
  database: Database,
  nodes: Pick<TenantNodes, 'isDistributed'> = ONE_NODE,
): DeviceDirectory {
  /** Keyed by the id alone, because a key of tenant and id would have to be concatenated for every device. */
  const devices = makeLru<Known>(DEVICE_KEYS_CACHED_MAX)

  /** Coalesces the queries of concurrent requests into one statement. */
  const query = makeCoalescer(async (names: readonly DeviceName[]) => {
    // Requests that are coalesced often name the same devices.
    const distinct = new Map(names.map((name) => [nameOf(name.tenantId, name.id), name]))
    const found = await findDevices(database, nodes, [...distinct.values()])
    const until = performance.now() + DEVICE_KEY_TTL_MS
    for (const { tenantId, id, key } of found) devices.set(id, { tenantId, key, until })
    return new Map(found.map(({ tenantId, id, key }) => [nameOf(tenantId, id), key]))
  })

  async function complete(tenantId: number, keys: Map<string, number>, unknown: ReadonlySet<string>) {
    const found = await query([...unknown].map((id) => ({ tenantId, id })))
    for (const id of unknown) {
      const key = found.get(nameOf(tenantId, id))
      if (key !== undefined) keys.set(id, key)
    }
    return keys
  }

  return {
    find(tenantId, samples) {
      const now = performance.now()
      const keys = new Map<string, number>()
      const unknown = new Set<string>()
      for (const { deviceId } of samples) {
        if (keys.has(deviceId)) continue
        const device = devices.get(deviceId)
        if (device?.tenantId === tenantId && device.until > now) keys.set(deviceId, device.key)
        else unknown.add(deviceId)
      }
      return unknown.size === 0 ? keys : complete(tenantId, keys, unknown)
    },
  }
}

const nameOf = (tenantId: number, id: string): string => `${tenantId} ${id}`

import { makeGather } from '../../../platform/async/coalesce.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { type DeviceName, findDevices } from './device-store.ts'
import { DEVICE_KEY_TTL_MS, DEVICE_KEYS_CACHED_MAX } from './limits.ts'

export interface DeviceDirectory {
  /** The short keys of a tenant's devices; unknown and foreign ids are left out. */
  find(tenantId: number, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
}

interface Known {
  readonly key: number
  /** On the monotonic clock, milliseconds. */
  readonly until: number
}

/** Remembers for a moment which devices exist; what it does not know it asks, so a new device works at once. */
export function makeDeviceDirectory(database: Database): DeviceDirectory {
  const tenants = new Map<number, Map<string, Known>>()
  let size = 0

  function knownOf(tenantId: number): Map<string, Known> {
    // Simpler than forgetting one by one, and as rare as a service with a hundred thousand devices.
    if (size > DEVICE_KEYS_CACHED_MAX) {
      tenants.clear()
      size = 0
    }
    const known = tenants.get(tenantId) ?? new Map<string, Known>()
    tenants.set(tenantId, known)
    return known
  }

  /** A thousand small requests of new devices are one statement, not a thousand connections. */
  const look = makeGather(async (names: readonly DeviceName[]) => {
    const found = await findDevices(database, names)
    const until = performance.now() + DEVICE_KEY_TTL_MS
    for (const { tenantId, id, key } of found) {
      const known = knownOf(tenantId)
      if (!known.has(id)) size += 1
      known.set(id, { key, until })
    }
    return new Map(found.map(({ tenantId, id, key }) => [nameOf(tenantId, id), key]))
  })

  return {
    async find(tenantId, ids) {
      const now = performance.now()
      const known = tenants.get(tenantId)
      const keys = new Map<string, number>()
      const unknown: DeviceName[] = []
      for (const id of ids) {
        const device = known?.get(id)
        if (device && device.until > now) keys.set(id, device.key)
        else unknown.push({ tenantId, id })
      }
      if (unknown.length === 0) return keys
      const found = await look(unknown)
      for (const { id } of unknown) {
        const key = found.get(nameOf(tenantId, id))
        if (key !== undefined) keys.set(id, key)
      }
      return keys
    },
  }
}

const nameOf = (tenantId: number, id: string): string => `${tenantId} ${id}`

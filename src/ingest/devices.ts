import { DEVICE_KEY_TTL_MS, DEVICE_KEYS_CACHED_MAX } from '../kernel/limits.ts'
import { deviceKeys } from '../modules/measurements/index.ts'
import type { Database } from '../platform/db/pool.ts'

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

  return {
    async find(tenantId, ids) {
      const now = performance.now()
      const known = knownOf(tenantId)
      const keys = new Map<string, number>()
      const unknown: string[] = []
      for (const id of ids) {
        const device = known.get(id)
        if (device && device.until > now) keys.set(id, device.key)
        else unknown.push(id)
      }
      if (unknown.length === 0) return keys
      for (const [id, key] of await deviceKeys(database, tenantId, unknown)) {
        if (!known.has(id)) size += 1
        keys.set(id, key)
        known.set(id, { key, until: now + DEVICE_KEY_TTL_MS })
      }
      return keys
    },
  }
}

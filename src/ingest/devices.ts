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
  const known = new Map<string, Known>()

  function remember(name: string, key: number, until: number): void {
    known.delete(name)
    known.set(name, { key, until })
    const [oldest] = known.size > DEVICE_KEYS_CACHED_MAX ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }

  return {
    async find(tenantId, ids) {
      const now = performance.now()
      const keys = new Map<string, number>()
      const unknown: string[] = []
      for (const id of ids) {
        const device = known.get(`${tenantId}/${id}`)
        if (device && device.until > now) keys.set(id, device.key)
        else unknown.push(id)
      }
      if (unknown.length > 0) {
        for (const [id, key] of await deviceKeys(database, tenantId, unknown)) {
          keys.set(id, key)
          remember(`${tenantId}/${id}`, key, now + DEVICE_KEY_TTL_MS)
        }
      }
      return keys
    },
  }
}

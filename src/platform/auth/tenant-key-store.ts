import type { Pool } from 'pg'
import { makeLru } from '../async/lru.ts'
import { TENANT_KEYS_CACHED_MAX } from './limits.ts'

/** Returns the internal key of the tenant to which a name belongs; undefined for an unknown name. */
export type FindTenantKey = (pool: Pool, name: string) => Promise<number | undefined>

/**
 * Caches which tenant a name belongs to, so that the statements about the name can compare tenant_id with a parameter
 * (ADR 0103). For names that never move to another tenant: the public id of a tenant, the hash of a key. An entry says
 * nothing about whether the record still exists. Names of different databases are kept apart.
 */
export function cacheTenantKeys(find: FindTenantKey): FindTenantKey {
  const caches = new WeakMap<Pool, ReturnType<typeof makeLru<{ readonly key: number }>>>()
  return async (pool, name) => {
    const cache = caches.get(pool) ?? makeLru<{ readonly key: number }>(TENANT_KEYS_CACHED_MAX)
    caches.set(pool, cache)
    const known = cache.get(name)
    if (known) return known.key
    const key = await find(pool, name)
    if (key !== undefined) cache.set(name, { key })
    return key
  }
}

/** Returns tenant.id of a tenant.uid. */
export const findTenantKey = cacheTenantKeys(async (pool, uid) => {
  const { rows } = await pool.query<{ id: number }>('select id from tenant where uid = $1', [uid])
  return rows[0]?.id
})

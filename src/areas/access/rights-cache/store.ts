import type { Pool } from 'pg'
import { makeLru } from '../../../platform/async/lru.ts'
import { PRINCIPALS_CACHED_MAX } from '../limits.ts'

/** What a party may do, with the access version of its tenant; null in a tenant that never changed any right. */
export interface Versioned<Rights> {
  readonly rights: Rights
  readonly version: string | null
}

interface RightsOptions<Rights> {
  readonly tenantId: number
  /** Names the party: the id of a user, the hash of a key. */
  readonly key: string
  /** Where the rows of the tenant are read. */
  readonly pool: Pool
  /** Reads the rights; the version in the same statement as the first of them. Undefined when the party has none. */
  load(): Promise<Versioned<Rights> | undefined>
}

const FIND_VERSION = 'select version from access_version where tenant_id = $1'

async function findVersion(pool: Pool, tenantId: number): Promise<string | null> {
  const statement = { name: 'find_access_version', text: FIND_VERSION, values: [tenantId] }
  const { rows } = await pool.query<{ version: string }>(statement)
  return rows[0]?.version ?? null
}

/**
 * Returns a function that reads the rights of a party, and keeps them while the access version of its tenant stays the
 * same. The database renews the version in the transaction that changes a right (migration 0010), so a change applies
 * to the next request of every process. A request whose rights are known reads one row of one table instead of a join:
 * a distributed database plans every statement again, a join for three times as long (ADR 0164).
 */
export function cacheByAccessVersion<Rights extends object>() {
  const caches = new WeakMap<Pool, ReturnType<typeof makeLru<Versioned<Rights>>>>()
  /** `database`: the parties of different databases are kept apart. */
  return async (
    database: Pool,
    { tenantId, key, pool, load }: RightsOptions<Rights>,
  ): Promise<Rights | undefined> => {
    const cache = caches.get(database) ?? makeLru<Versioned<Rights>>(PRINCIPALS_CACHED_MAX)
    caches.set(database, cache)
    const name = `${tenantId} ${key}`
    const known = cache.get(name)
    if (known && known.version === (await findVersion(pool, tenantId))) return known.rights
    const loaded = await load()
    if (loaded) cache.set(name, loaded)
    else cache.delete(name)
    return loaded?.rights
  }
}

import { AppError } from '../../../kernel/errors.ts'
import { makeLru } from '../../../platform/async/lru.ts'
import { isWellFormedApiKey } from '../../../platform/auth/api-key.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { API_KEY_USE_NOTED_MS, PRINCIPALS_CACHED_MAX } from '../limits.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { findByText, type KeyRow, noteUse } from './store.ts'

/**
 * Returns a function that resolves the text of an API key to its principal and the end of its validity; 401
 * for every key that cannot be used. A revocation applies to the next request of every process.
 */
export function makeApiKeyLookup(
  deps: Pick<Deps, 'clock' | 'database' | 'nodeReads' | 'replicas' | 'background'>,
) {
  const { clock, database, background } = deps
  /** Keys whose use is being written: requests that arrive meanwhile do not write it again. */
  const noting = new Set<string>()
  /** The uses that this process wrote, epoch milliseconds by key: a known key is not read again. */
  const noted = makeLru<{ readonly at: number }>(PRINCIPALS_CACHED_MAX)

  async function write({ id, tenant_id }: KeyRow, at: number): Promise<void> {
    try {
      await noteUse(tenantDb(database.kysely, tenant_id), id, new Date(at))
      noted.set(id, { at })
    } finally {
      noting.delete(id)
    }
  }

  function note(key: KeyRow): void {
    const now = clock.now()
    const lastUse = Math.max(key.last_used_at?.getTime() ?? 0, noted.get(key.id)?.at ?? 0)
    if (noting.has(key.id) || now - lastUse < API_KEY_USE_NOTED_MS) return
    noting.add(key.id)
    const isAccepted = background.run('note the use of an API key', () => write(key, now))
    if (!isAccepted) noting.delete(key.id)
  }

  return async (token: string): Promise<Principal & { readonly expiresAt: number }> => {
    const key = isWellFormedApiKey(token) ? await findByText(deps, token) : undefined
    if (!key) throw new AppError(401, 'INVALID_CREDENTIALS', ACCESS_TEXTS.API_KEY_NOT_VALID())
    if (!key.is_tenant_active) throw new AppError(401, 'TENANT_INACTIVE', ACCESS_TEXTS.TENANT_INACTIVE())
    const expiresAt = key.expires_at.getTime()
    if (expiresAt <= clock.now()) throw new AppError(401, 'TOKEN_EXPIRED', ACCESS_TEXTS.API_KEY_EXPIRED())
    note(key)
    return {
      id: key.user_id,
      tenantId: key.tenant_id,
      tenantUid: key.tenant_uid,
      permissions: new Set(key.permissions),
      isSuperuser: false,
      apiKeyId: key.id,
      ...(typeof key.wrote_until === 'number' && { wroteUntil: key.wrote_until }),
      expiresAt,
    }
  }
}

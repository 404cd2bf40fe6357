import { AppError } from '../../../kernel/errors.ts'
import { isWellFormedApiKey } from '../../../platform/auth/api-key.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { API_KEY_USE_NOTED_MS } from '../limits.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { findByText, noteUse } from './store.ts'

/**
 * Returns a function that resolves the text of an API key to its principal and the end of its validity; 401
 * for every key that cannot be used. The key is read with each request, so a revocation applies to the next
 * request of every process.
 */
export function makeApiKeyLookup(
  deps: Pick<Deps, 'clock' | 'database' | 'nodeReads' | 'replicas' | 'background'>,
) {
  const { clock, database, background } = deps
  /** Keys whose use is being written: requests that arrive meanwhile do not write it again. */
  const noting = new Set<string>()

  function note(key: { id: string; tenant_id: number; last_used_at: Date | null }): void {
    const now = clock.now()
    if (noting.has(key.id) || now - (key.last_used_at?.getTime() ?? 0) < API_KEY_USE_NOTED_MS) return
    noting.add(key.id)
    const isAccepted = background.run('note the use of an API key', () =>
      noteUse(tenantDb(database.kysely, key.tenant_id), key.id, new Date(now)).finally(() =>
        noting.delete(key.id),
      ),
    )
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

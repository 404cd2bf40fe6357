import { conflict } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { makeApiKey } from '../../../platform/auth/api-key.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { API_KEY_EXPIRED_KEPT_MS, API_KEYS_PER_USER_MAX, MACHINE_KEYS_PER_TENANT_MAX } from '../limits.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { assertMayGrant, assertNotStronger, distinct } from '../roles/index.ts'
import type { CreateApiKey } from './schema.ts'
import * as store from './store.ts'

interface Creation {
  readonly principal: Principal
  readonly owner: store.KeyOwner
  readonly body: CreateApiKey
  readonly now: number
}

/** Creates a key that the caller owns. Its text is in the result and nowhere else. */
export async function create(tx: TenantTx, { principal, owner, body, now }: Creation) {
  assertMayGrant(principal, body.permissions)
  const max = owner.kind === 'personal' ? API_KEYS_PER_USER_MAX : MACHINE_KEYS_PER_TENANT_MAX
  await store.lockCount(tx, owner)
  await store.removeExpired(tx, owner, new Date(now - API_KEY_EXPIRED_KEPT_MS))
  if ((await store.count(tx, owner)) >= max)
    throw conflict('API_KEY_LIMIT_REACHED', ACCESS_TEXTS.API_KEY_LIMIT_REACHED({ max }))
  const { token, prefix, secretHash } = makeApiKey(tx.tenantId)
  const { id } = await store.insert(tx, {
    kind: owner.kind,
    user_id: principal.id,
    name: body.name,
    prefix,
    secret_hash: secretHash,
    permissions: distinct(body.permissions),
    expires_at: new Date(now + body.expires_in_days * DAY_MS),
    created_at: new Date(now),
  })
  const key = await store.find(tx, owner, id)
  if (!key) throw new Error('a key that was just written is not there')
  return { ...key, key: token }
}

interface KeyOf {
  readonly principal: Principal
  readonly owner: store.KeyOwner
  readonly id: string
}

/** Deletes a key. Undefined when there is no such key. */
export async function revoke(tx: TenantTx, { principal, owner, id }: KeyOf): Promise<true | undefined> {
  const key = await store.lock(tx, owner, id)
  if (!key) return undefined
  // Users revoke their own keys also after they have lost a permission.
  if (owner.kind === 'machine') assertNotStronger(principal, 'the key', key.permissions)
  await store.remove(tx, id)
  return true
}

/** Makes the caller the owner of a machine key, so that it survives its former owner. */
export async function takeOver(tx: TenantTx, { principal, owner, id }: KeyOf) {
  const key = await store.lock(tx, owner, id)
  if (!key) return undefined
  assertMayGrant(principal, key.permissions)
  await store.changeOwner(tx, id, principal.id)
  return store.find(tx, owner, id)
}

import { keyIdOf, makeSealer } from '../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../platform/db/tenant.ts'
import * as store from './store.ts'

/** The context that the sealed client secret of a tenant is bound to. */
export const secretContext = (tenantId: number): string => `oidc_provider ${tenantId} client secret`

/**
 * Seals the client secrets of OpenID providers with the new key; throws, and so changes nothing, when one of them
 * cannot be opened.
 */
export async function rotateOidcSecrets(
  tx: SystemTx,
  keys: { readonly oldKey: string; readonly newKey: string },
): Promise<{ readonly rotated: number; readonly already: number }> {
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  let [rotated, already] = [0, 0]
  for (const { tenant_id, client_secret_sealed } of await store.lockSecrets(tx)) {
    const context = secretContext(tenant_id)
    const isNew = keyIdOf(client_secret_sealed) === to.keyId
    let secret: string
    try {
      secret = (isNew ? to : from).open(client_secret_sealed, context)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be opened'
      throw new Error(`OpenID provider of tenant ${tenant_id}: ${why}; nothing was changed`)
    }
    if (isNew) already += 1
    else {
      await store.setSecret(tx, tenant_id, to.seal(secret, context))
      rotated += 1
    }
  }
  return { rotated, already }
}

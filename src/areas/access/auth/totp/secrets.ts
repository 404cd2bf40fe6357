import { keyIdOf, makeSealer } from '../../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../../platform/db/tenant.ts'
import { secretContext } from './codes.ts'
import * as store from './store.ts'

/**
 * Seals the secrets of one-time passwords with the new key; throws, and so changes nothing, when one of them
 * cannot be opened.
 */
export async function rotateTotpSecrets(
  tx: SystemTx,
  keys: { readonly oldKey: string; readonly newKey: string },
): Promise<{ readonly rotated: number; readonly already: number }> {
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  let [rotated, already] = [0, 0]
  for (const row of await store.lockSecrets(tx)) {
    const context = secretContext(row.user_id)
    const isNew = keyIdOf(row.secret_sealed) === to.keyId
    let secret: string
    try {
      secret = (isNew ? to : from).open(row.secret_sealed, context)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be opened'
      throw new Error(`one-time passwords of user ${row.user_id}: ${why}; nothing was changed`)
    }
    if (isNew) already += 1
    else {
      await store.setSecret(tx, row, to.seal(secret, context))
      rotated += 1
    }
  }
  return { rotated, already }
}

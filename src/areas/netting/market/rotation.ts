import { keyIdOf, makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../platform/db/tenant.ts'
import * as accounts from './account-store.ts'
import { contextOf, SECRETS, type Secret, sealedOf } from './credentials.ts'

export interface RotatedSecrets {
  /** Number of secrets that this call sealed with the new key. */
  readonly rotated: number
  /** Number of secrets that were already sealed with the new key. */
  readonly already: number
  readonly accounts: number
}

interface Keys {
  readonly oldKey: string
  readonly newKey: string
}

/**
 * Seals every stored secret with the new key in one transaction: if one cannot be opened, nothing is changed.
 * Idempotent. The results of test-calls are kept, because the credentials are the same.
 */
export async function rotateCredentials(tx: SystemTx, { oldKey, newKey }: Keys): Promise<RotatedSecrets> {
  const [from, to] = [makeSealer(oldKey), makeSealer(newKey)]
  const list = await accounts.lockAccounts(tx)
  let [rotated, already] = [0, 0]
  for (const account of list) {
    const columns: Partial<Record<`${Secret}_sealed`, string>> = {}
    for (const secret of SECRETS) {
      const sealed = sealedOf(account, secret)
      if (sealed === null) continue
      const context = contextOf(account.id, secret)
      if (keyIdOf(sealed) === to.keyId) {
        openOf(to, { sealed, context, name: account.name, secret })
        already += 1
      } else {
        columns[`${secret}_sealed`] = to.seal(
          openOf(from, { sealed, context, name: account.name, secret }),
          context,
        )
        rotated += 1
      }
    }
    if (Object.keys(columns).length > 0) await accounts.updateAccount(tx, account.id, columns)
  }
  return { rotated, already, accounts: list.length }
}

interface Stored {
  readonly sealed: string
  readonly context: string
  readonly name: string
  readonly secret: Secret
}

function openOf(sealer: Sealer, { sealed, context, name, secret }: Stored): string {
  try {
    return sealer.open(sealed, context)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be opened'
    throw new Error(`account "${name}", ${secret}: ${why}; nothing was changed`)
  }
}

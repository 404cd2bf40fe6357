import { keyIdOf, makeSealer } from '../../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../../platform/db/tenant.ts'
import { secretContext } from '../delivery/send.ts'
import * as webhooks from './store.ts'

interface RotatedWebhooks {
  /** Sealed with the new key now. */
  readonly rotated: number
  /** Were sealed with the new key already. */
  readonly already: number
}

/**
 * Seals the secret of every webhook with the new key; throws, and so changes nothing, when one cannot be
 * opened.
 */
export async function rotateWebhookSecrets(
  tx: SystemTx,
  keys: { readonly oldKey: string; readonly newKey: string },
): Promise<RotatedWebhooks> {
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  let [rotated, already] = [0, 0]
  for (const webhook of await webhooks.lockSecrets(tx)) {
    const context = secretContext(webhook.id)
    const isNew = keyIdOf(webhook.secret_sealed) === to.keyId
    let secret: string
    try {
      secret = (isNew ? to : from).open(webhook.secret_sealed, context)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be opened'
      throw new Error(`webhook "${webhook.name}" (${webhook.id}): ${why}; nothing was changed`)
    }
    if (isNew) already += 1
    else {
      await webhooks.setSecret(tx, webhook, to.seal(secret, context))
      rotated += 1
    }
  }
  return { rotated, already }
}

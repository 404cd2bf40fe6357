import { createHmac, randomBytes } from 'node:crypto'
import { keyIdOf, makeSealer } from '../../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../../platform/db/tenant.ts'
import { channelSecretContext } from '../channels/send.ts'
import * as channels from '../channels/store.ts'
import { WEBHOOK_SECRET_BYTES } from '../limits.ts'
import * as webhooks from './store.ts'

/**
 * The prefix of secrets in the Standard Webhooks specification, whose libraries can verify the signatures.
 */
const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')

export interface Signed {
  /** The id of the delivery, which is the same for every attempt. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly body: string
}

/**
 * Returns the headers by which a receiver verifies the sender and the time of a delivery and detects
 * duplicates.
 */
export function signedHeaders(secret: string, { id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** The context that the sealed secret of a webhook is bound to. */
export const secretContext = (webhookId: string): string => `notification_webhook ${webhookId} secret`

interface RotatedSecrets {
  /** Secrets that this call sealed with the new key. */
  readonly rotated: number
  /** Secrets that were already sealed with the new key. */
  readonly already: number
}

interface Keys {
  readonly oldKey: string
  readonly newKey: string
}

/**
 * Seals the secret of every webhook with the new key. Throws when one of them cannot be opened; the
 * transaction is then rolled back.
 */
export const rotateWebhookSecrets = (tx: SystemTx, keys: Keys): Promise<RotatedSecrets> =>
  rotate(tx, keys, {
    what: 'webhook',
    lock: webhooks.lockSecrets,
    set: webhooks.setSecret,
    contextOf: secretContext,
  })

/** The same for the secrets of channels. */
export const rotateChannelSecrets = (tx: SystemTx, keys: Keys): Promise<RotatedSecrets> =>
  rotate(tx, keys, {
    what: 'notification channel',
    lock: channels.lockSecrets,
    set: channels.setSecret,
    contextOf: channelSecretContext,
  })

interface SecretSource {
  readonly what: string
  readonly lock: typeof webhooks.lockSecrets
  readonly set: typeof webhooks.setSecret
  readonly contextOf: (id: string) => string
}

async function rotate(
  tx: SystemTx,
  keys: Keys,
  { what, lock, set, contextOf }: SecretSource,
): Promise<RotatedSecrets> {
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  let [rotated, already] = [0, 0]
  for (const row of await lock(tx)) {
    const context = contextOf(row.id)
    const isNew = keyIdOf(row.secret_sealed) === to.keyId
    let secret: string
    try {
      secret = (isNew ? to : from).open(row.secret_sealed, context)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be opened'
      throw new Error(`${what} "${row.name}" (${row.id}): ${why}; nothing was changed`)
    }
    if (isNew) already += 1
    else {
      await set(tx, row, to.seal(secret, context))
      rotated += 1
    }
  }
  return { rotated, already }
}

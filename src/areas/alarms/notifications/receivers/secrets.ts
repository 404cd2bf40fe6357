import { keyIdOf, makeSealer } from '../../../../platform/auth/sealer.ts'
import type { SystemTx } from '../../../../platform/db/tenant.ts'
import { lockSecrets, type Receiver, type ReceiverKind, setSecret } from './store.ts'

/** The context that the sealed secret of a receiver is bound to. */
export const secretContext = ({ kind, id }: Receiver): string => `notification_${kind} ${id} secret`

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

const NAMES = { webhook: 'webhook', channel: 'notification channel' } as const

/**
 * Seals the secret of every webhook with the new key. Throws when one of them cannot be opened; the
 * transaction is then rolled back.
 */
export const rotateWebhookSecrets = (tx: SystemTx, keys: Keys): Promise<RotatedSecrets> =>
  rotate(tx, keys, 'webhook')

/** The same for the secrets of channels. */
export const rotateChannelSecrets = (tx: SystemTx, keys: Keys): Promise<RotatedSecrets> =>
  rotate(tx, keys, 'channel')

async function rotate(tx: SystemTx, keys: Keys, kind: ReceiverKind): Promise<RotatedSecrets> {
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  let [rotated, already] = [0, 0]
  for (const row of await lockSecrets(tx, kind)) {
    const receiver = { kind, ...row }
    const context = secretContext(receiver)
    const isNew = keyIdOf(row.secret_sealed) === to.keyId
    let secret: string
    try {
      secret = (isNew ? to : from).open(row.secret_sealed, context)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be opened'
      throw new Error(`${NAMES[kind]} "${row.name}" (${row.id}): ${why}; nothing was changed`)
    }
    if (isNew) already += 1
    else {
      await setSecret(tx, receiver, to.seal(secret, context))
      rotated += 1
    }
  }
  return { rotated, already }
}

import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { Config } from '../../../platform/settings/config.ts'
import type { AccountRow } from './account-store.ts'
import { PlatformFailure } from './failure.ts'
import { PLATFORM_TEXTS } from './messages.ts'
import type { Credentials } from './platform-client.ts'

export type Secret = 'portal_password' | 'subscription_key'
export const SECRETS: readonly Secret[] = ['portal_password', 'subscription_key']

/** The context that a sealed secret is bound to: it does not open for another account or field. */
export const contextOf = (accountId: string, secret: Secret): string =>
  `market_account ${accountId} ${secret}`

export const sealedOf = (account: AccountRow, secret: Secret): string | null => account[`${secret}_sealed`]

const missing = (content: Message) =>
  new PlatformFailure({ kind: 'fetch_failed', step: 'credentials', content })

/**
 * The opened credentials of an account. Throws PlatformFailure when they are incomplete or cannot be opened.
 */
export function openCredentials(
  account: AccountRow,
  { credentialEncryptionKey }: Pick<Config, 'credentialEncryptionKey'>,
): Credentials {
  const { portal_username: username } = account
  if (username === null || account.portal_password_sealed === null)
    throw missing(PLATFORM_TEXTS.PLATFORM_CREDENTIALS_MISSING())
  try {
    const sealer = makeSealer(credentialEncryptionKey)
    return {
      key: createHash('sha256')
        .update(`${account.id} ${username} ${account.portal_password_sealed}`)
        .digest('hex'),
      username,
      password: sealer.open(account.portal_password_sealed, contextOf(account.id, 'portal_password')),
      subscriptionKey: openedKey(account, sealer),
    }
  } catch (error) {
    if (error instanceof AppError) throw missing(error.content)
    throw error
  }
}

const openedKey = (
  { id, subscription_key_sealed: sealed }: AccountRow,
  sealer: Sealer,
): string | undefined =>
  sealed === null ? undefined : sealer.open(sealed, contextOf(id, 'subscription_key'))

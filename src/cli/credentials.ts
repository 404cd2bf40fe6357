import { rotateTotpSecrets } from '../areas/access/auth/index.ts'
import { rotateOidcSecrets } from '../areas/access/oidc/index.ts'
import { rotateChannelSecrets, rotateWebhookSecrets } from '../areas/alarms/notifications/index.ts'
import { rotateAuthority } from '../areas/charging/index.ts'
import { rotateCredentials } from '../areas/netting/market/index.ts'
import { makeSealer } from '../platform/auth/sealer.ts'
import { inSystemTx } from '../platform/db/tenant.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { withDeps } from './database.ts'

const SEALED_WITH = 'were sealed anew, with the key'

function keyIn(what: string, text: string): { text: string; keyId: string } {
  try {
    return { text, keyId: makeSealer(text).keyId }
  } catch {
    throw new UsageError(`${what} is not 32 bytes in base64 (openssl rand -base64 32)`)
  }
}

/**
 * Reads the old key from standard input, because an argument would appear in the process list. The new key
 * is in the environment.
 */
async function readKeys({ io, env }: Invocation) {
  const newText = env['CREDENTIAL_ENCRYPTION_KEY']?.trim()
  if (!newText) throw new UsageError('CREDENTIAL_ENCRYPTION_KEY is not set; it holds the new key')
  const newKey = keyIn('CREDENTIAL_ENCRYPTION_KEY', newText)
  const oldText = (await io.readInput()).trim()
  if (oldText === '') throw new UsageError('The old key is read from standard input, and nothing came')
  const oldKey = keyIn('The old key, from standard input,', oldText)
  if (oldKey.keyId === newKey.keyId) throw new UsageError('The old key and the new one are the same')
  return { oldKey, newKey }
}

export const credentialsRotate: Command = {
  options: {},
  positionals: 0,
  async run(invocation) {
    const { oldKey, newKey } = await readKeys(invocation)
    return withDeps(invocation, async ({ database }) => {
      const keys = { oldKey: oldKey.text, newKey: newKey.text }
      const [market, webhooks, channels, authority, totp, oidc] = await inSystemTx(
        database.kysely,
        async (tx) => [
          await rotateCredentials(tx, keys),
          await rotateWebhookSecrets(tx, keys),
          await rotateChannelSecrets(tx, keys),
          await rotateAuthority(tx, keys),
          await rotateTotpSecrets(tx, keys),
          await rotateOidcSecrets(tx, keys),
        ],
      )
      const { out } = invocation.io
      out(`${market.rotated} secrets of ${market.accounts} accounts ${SEALED_WITH} ${newKey.keyId}.`)
      if (webhooks.rotated > 0) out(`So were the secrets of ${webhooks.rotated} webhooks.`)
      if (channels.rotated > 0) out(`So were the secrets of ${channels.rotated} notification channels.`)
      if (authority === 'rotated') out('So was the key of the certificate authority of charging stations.')
      if (totp.rotated > 0) out(`So were the one-time passwords of ${totp.rotated} users.`)
      if (oidc.rotated > 0) out(`So were the client secrets of ${oidc.rotated} OpenID providers.`)
      const sealed = [market, webhooks, channels, totp, oidc]
      const sum = (field: 'rotated' | 'already') => sealed.reduce((total, part) => total + part[field], 0)
      const already = sum('already') + (authority === 'already' ? 1 : 0)
      if (already > 0) out(`${already} had that key already.`)
      if (sum('rotated') > 0 || authority === 'rotated')
        out('Restart the service with the new key; until then it cannot open them.')
      return 0
    })
  },
}

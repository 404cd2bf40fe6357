import { keyIdOf, makeSealer } from '../../../platform/auth/sealer.ts'
import { inSystemTx, type SystemTx, systemDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Authority } from './authority.ts'
import * as store from './store.ts'

const NAME = 'Netsaat charging stations'
const CONTEXT = 'charger_authority private_key'

type AuthorityDeps = Pick<Deps, 'database' | 'clock' | 'config'>

/**
 * Opens the authority with its key, and creates it at the first use. Throws 503 encryption_not_configured or
 * encryption_misconfigured where CREDENTIAL_ENCRYPTION_KEY is missing or is another one.
 */
export async function openAuthority({ database, clock, config }: AuthorityDeps): Promise<Authority> {
  const sealer = makeSealer(config.credentialEncryptionKey)
  const stored = (await store.findAuthority(systemDb(database.kysely))) ?? (await make())
  return {
    certificatePem: stored.certificate_pem,
    privateKeyPem: sealer.open(stored.private_key_sealed, CONTEXT),
  }

  async function make(): Promise<store.SealedAuthority> {
    const now = clock.now()
    const { createAuthority } = await import('./authority.ts')
    const { certificatePem, privateKeyPem } = await createAuthority(NAME, now)
    const sealed = {
      certificate_pem: certificatePem,
      private_key_sealed: sealer.seal(privateKeyPem, CONTEXT),
    }
    return inSystemTx(database.kysely, (tx) => store.insertAuthority(tx, sealed, new Date(now)))
  }
}

/** The certificate of the authority, PEM; undefined until a station first requested one. */
export const readAuthorityCertificate = async ({
  database,
}: Pick<Deps, 'database'>): Promise<string | undefined> =>
  (await store.findAuthority(systemDb(database.kysely)))?.certificate_pem

/** Seals the authority's key with the new key; throws, and so changes nothing, when it cannot be opened. */
export async function rotateAuthority(
  tx: SystemTx,
  keys: { readonly oldKey: string; readonly newKey: string },
): Promise<'none' | 'rotated' | 'already'> {
  const stored = await store.lockAuthority(tx)
  if (!stored) return 'none'
  const [from, to] = [makeSealer(keys.oldKey), makeSealer(keys.newKey)]
  const isNew = keyIdOf(stored.private_key_sealed) === to.keyId
  let key: string
  try {
    key = (isNew ? to : from).open(stored.private_key_sealed, CONTEXT)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be opened'
    throw new Error(`the certificate authority of charging stations: ${why}; nothing was changed`)
  }
  if (isNew) return 'already'
  await store.setSealedKey(tx, to.seal(key, CONTEXT))
  return 'rotated'
}

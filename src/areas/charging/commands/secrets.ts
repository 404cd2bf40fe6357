import { createHash } from 'node:crypto'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

type SealingKeys = Pick<Deps['config'], 'credentialEncryptionKey' | 'secretKey'>

/**
 * The request of such an action holds a password: it is stored sealed, opened only to be sent, never shown,
 * and erased when the command ends.
 */
export const hasSecretRequest = (action: CommandAction): boolean => action === 'set_password'

/** A sealer key for one purpose, derived from the secret of the service. */
export const deriveSealerKey = (secretKey: string, purpose: string): string =>
  createHash('sha256').update(purpose).update(secretKey).digest('base64')

/**
 * Without CREDENTIAL_ENCRYPTION_KEY the key is derived from SECRET_KEY: a sealed request lives for minutes
 * only.
 */
const commandSealer = ({ credentialEncryptionKey, secretKey }: SealingKeys): Sealer =>
  makeSealer(credentialEncryptionKey ?? deriveSealerKey(secretKey, 'commands of chargers'))

const context = (chargerId: string) => `password of charger ${chargerId}`

/** The stored form of a request with a password. */
export const sealPassword = (keys: SealingKeys, chargerId: string, password: string) => ({
  sealed: commandSealer(keys).seal(password, context(chargerId)),
})

/**
 * The request that is sent to the station. Throws AppError where the key is another one than it was sealed
 * with.
 */
export const openPassword = (
  keys: SealingKeys,
  chargerId: string,
  request: unknown,
): { password: string } => ({
  password: commandSealer(keys).open(String((request as { sealed?: unknown }).sealed), context(chargerId)),
})

/**
 * The names of password settings: AuthorizationKey in OCPP 1.6, BasicAuthPassword in 2.0.1. Their values are
 * never stored, whatever a station reports.
 */
const SECRET = /password|authorizationkey/i
export const isPasswordName = (name: unknown): boolean => typeof name === 'string' && SECRET.test(name)

const VALUES: ReadonlySet<string> = new Set(['value', 'attributeValue', 'actualValue', 'variableAttribute'])

/** A copy of a message of a station without the values of password keys and password variables. */
export function redactPasswords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactPasswords)
  if (typeof value !== 'object' || value === null) return value
  const { key, variable } = value as {
    readonly key?: unknown
    readonly variable?: { readonly name?: unknown }
  }
  const isOfSecret = isPasswordName(key) || isPasswordName(variable?.name)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(isOfSecret && VALUES.has(name)))
      .map(([name, value]) => [name, redactPasswords(value)]),
  )
}

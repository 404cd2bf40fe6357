import { createHash } from 'node:crypto'
import { makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { Deps } from '../../../platform/deps.ts'

type Keys = Pick<Deps['config'], 'credentialEncryptionKey' | 'secretKey'>

const derived = (secretKey: string, purpose: string): string =>
  createHash('sha256').update(purpose).update(secretKey).digest('base64')

/** Answers that show a password are kept for their Idempotency-Key, but not so that the database shows it. */
export const answerSealer = ({ secretKey }: Keys): Sealer =>
  makeSealer(derived(secretKey, 'answers of chargers'))

/** Without a key for credentials one of its own is made of the service's: the text lives for the minutes of a command. */
const commandSealer = ({ credentialEncryptionKey, secretKey }: Keys): Sealer =>
  makeSealer(credentialEncryptionKey ?? derived(secretKey, 'commands of chargers'))

const context = (chargerId: string) => `password of charger ${chargerId}`

/** A password on its way to a station, as the command keeps it until it has ended. */
export const sealPassword = (keys: Keys, chargerId: string, password: string) => ({
  sealed: commandSealer(keys).seal(password, context(chargerId)),
})

export const openPassword = (keys: Keys, chargerId: string, request: unknown): { password: string } => ({
  password: commandSealer(keys).open(String((request as { sealed?: unknown }).sealed), context(chargerId)),
})

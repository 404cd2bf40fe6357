import { createHash } from 'node:crypto'
import type { Deps } from '../../../platform/deps.ts'
import { makeSealer } from '../../../platform/sealer.ts'

type Keys = Pick<Deps['config'], 'credentialEncryptionKey' | 'secretKey'>

/** Without a key for credentials one of its own is made of the service's: the text lives for the minutes of a command. */
const sealer = ({ credentialEncryptionKey, secretKey }: Keys) =>
  makeSealer(
    credentialEncryptionKey ??
      createHash('sha256').update('commands of chargers').update(secretKey).digest('base64'),
  )

const context = (chargerId: string) => `password of charger ${chargerId}`

/** A password on its way to a station, as the command keeps it until it has ended. */
export const sealPassword = (keys: Keys, chargerId: string, password: string) => ({
  sealed: sealer(keys).seal(password, context(chargerId)),
})

export const openPassword = (keys: Keys, chargerId: string, request: unknown): { password: string } => ({
  password: sealer(keys).open(String((request as { sealed?: unknown }).sealed), context(chargerId)),
})

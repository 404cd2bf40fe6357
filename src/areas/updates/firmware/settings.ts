import { createPublicKey } from 'node:crypto'
import { byDefault, list, type Read, whole } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'
import { FIRMWARE_BYTES_DEFAULT, FIRMWARE_BYTES_MAX } from './limits.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    readonly firmwareMaxBytes: number
    /** Ed25519, base64: the 32 bytes of the key, or its SPKI. */
    readonly firmwarePublicKeys: readonly string[]
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Ed25519: the 32 bytes of a public key, or its SPKI as openssl writes it, in base64. */
function ed25519Key(part: string): Read<string> {
  const bytes = Buffer.from(part, 'base64')
  return BASE64.test(part) && (bytes.length === 32 || isEd25519(bytes))
    ? { value: part }
    : { allowed: 'allowed are Ed25519 public keys in base64, separated by commas' }
}

function isEd25519(key: Buffer): boolean {
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' }).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

export const firmwareSettings = settingsGroup(
  {
    FIRMWARE_MAX_BYTES: byDefault(whole(1, FIRMWARE_BYTES_MAX), FIRMWARE_BYTES_DEFAULT),
    FIRMWARE_PUBLIC_KEYS: byDefault(list(ed25519Key), []),
  },
  {
    toConfig: (values) => ({
      firmwareMaxBytes: values.FIRMWARE_MAX_BYTES,
      firmwarePublicKeys: values.FIRMWARE_PUBLIC_KEYS,
    }),
  },
)

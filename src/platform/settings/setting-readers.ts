import { createPublicKey } from 'node:crypto'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, SECRET_KEY_MIN_LENGTH } from '../../kernel/limits.ts'
import { parseNetworks } from '../http/networks.ts'
import { ROLES, type Role } from './config.ts'

/** What a setting says, or what would have been allowed. */
export type Read<T> = { readonly value: T; readonly warning?: string } | { readonly allowed: string }
/** Takes the trimmed text; undefined when the setting is absent or empty. */
export type Reader<T> = (raw: string | undefined) => Read<T>

const optional =
  <T>(read: (raw: string) => Read<T>): Reader<T | undefined> =>
  (raw) =>
    raw === undefined ? { value: undefined } : read(raw)

export const byDefault =
  <T>(read: Reader<T | undefined>, value: T): Reader<T> =>
  (raw) => {
    if (raw === undefined) return { value }
    const result = read(raw)
    return 'allowed' in result ? result : { value: result.value ?? value }
  }

export const text = optional<string>((raw) => ({ value: raw }))

export const whole = (min: number, max: number) =>
  optional<number>((raw) =>
    /^\d{1,9}$/.test(raw) && Number(raw) >= min && Number(raw) <= max
      ? { value: Number(raw) }
      : { allowed: `allowed is a whole number from ${min} to ${max}` },
  )

const FLAGS: Readonly<Record<string, boolean>> = {
  ...{ true: true, '1': true, yes: true, on: true },
  ...{ false: false, '0': false, no: false, off: false },
}
export const flag = optional<boolean>((raw) => {
  const value = FLAGS[raw.toLowerCase()]
  return value === undefined ? { allowed: 'allowed are true and false' } : { value }
})

export const word = (words: readonly string[]) =>
  optional<string>((raw) => {
    const lower = raw.toLowerCase()
    return words.includes(lower) ? { value: lower } : { allowed: `allowed are ${words.join(', ')}` }
  })

export const url = (protocols: readonly string[]) =>
  optional<string>((raw) =>
    URL.canParse(raw) && protocols.includes(new URL(raw).protocol)
      ? { value: raw }
      : { allowed: `allowed is a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}` },
  )

const parts = (raw: string): string[] =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Comma-separated; the first wrong part decides. */
export const list = <T>(read: (part: string) => Read<T>) =>
  optional<T[]>((raw) => {
    const value: T[] = []
    for (const part of parts(raw)) {
      const result = read(part)
      if ('allowed' in result) return result
      value.push(result.value)
    }
    return { value }
  })

/** An origin as browsers send it: without the slash that people write behind it. */
export function origin(part: string): Read<string> {
  const trimmed = part.replace(/\/$/, '')
  const parsed = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.origin === trimmed.toLowerCase()
    ? { value: parsed.origin }
    : {
        allowed: 'allowed are origins such as https://app.example.com, separated by commas (no path, no *)',
      }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Ed25519: the 32 bytes of a public key, or its SPKI as openssl writes it, in base64. */
export function ed25519Key(part: string): Read<string> {
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

export const addresses = optional<string[]>((raw) => {
  const networks = parts(raw)
  try {
    parseNetworks(networks)
    return { value: networks }
  } catch {
    return { allowed: 'allowed are addresses and networks such as 10.0.0.0/8, separated by commas' }
  }
})

export const email = optional<string>((raw) =>
  /^[^\s@]+@[^\s@]+$/.test(raw) && raw.length <= 254
    ? { value: raw }
    : { allowed: 'allowed is an e-mail address' },
)

/** The password policy of the API, stated here so that a wrong one stops the start and not the first login. */
export const password = optional<string>((raw) =>
  raw.length >= PASSWORD_MIN_LENGTH &&
  raw.length <= PASSWORD_MAX_LENGTH &&
  /\p{L}/u.test(raw) &&
  /\p{Nd}/u.test(raw)
    ? { value: raw }
    : {
        allowed: `allowed are ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters with a letter and a digit`,
      },
)

/** Keys that were published in some example, and so protect nothing. */
const KNOWN_KEYS =
  /^(.)\1*$|change[-_ ]?me|your[-_ ]?secret|secret[-_ ]?key|super[-_ ]?secret|example|password/i

export const secretKey = optional<string>((raw) => {
  if (raw.length < SECRET_KEY_MIN_LENGTH)
    return { allowed: `at least ${SECRET_KEY_MIN_LENGTH} characters are needed (openssl rand -base64 48)` }
  return KNOWN_KEYS.test(raw)
    ? { allowed: 'this is a known default or example; make one of your own (openssl rand -base64 48)' }
    : { value: raw }
})

const CREDENTIAL_KEY = /^[A-Za-z0-9+/_-]{43}=?$/

/** Never refused at start: the one area that needs it answers 503 encryption_misconfigured. */
export const credentialKey = optional<string>((raw) =>
  CREDENTIAL_KEY.test(raw)
    ? { value: raw }
    : {
        value: raw,
        warning:
          'is not 32 bytes in base64; stored market credentials cannot be used until it is (openssl rand -base64 32)',
      },
)

export interface RoleChoice {
  readonly roles: readonly Role[]
  readonly includesAll: boolean
}

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

export const roles: Reader<RoleChoice> = (raw) => {
  if (raw === undefined || raw.toLowerCase() === 'all') return { value: { roles: ROLES, includesAll: true } }
  const names = parts(raw.toLowerCase())
  if (names.length === 0 || !names.every(isRole))
    return { allowed: `allowed are all, or some of ${ROLES.join(', ')}, separated by commas` }
  const chosen = ROLES.filter((role) => names.includes(role))
  return { value: { roles: chosen, includesAll: chosen.length === ROLES.length } }
}

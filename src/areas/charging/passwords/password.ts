import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../../platform/auth/derive.ts'
import type { HashShare } from '../../../platform/auth/hash-shares.ts'
import { KEY_BYTES } from '../../../platform/auth/limits.ts'
import type { Passwords } from '../../../platform/auth/password.ts'
import { deriveSealerKey } from '../commands/index.ts'
import { STATION_CHECK_ITERATIONS } from '../limits.ts'

const GENERATED_BYTES = 20
const SALT_BYTES = 16
/** OCPP 1.6 writes its AuthorizationKey, 16 to 20 bytes of any kind, as hexadecimal digits. */
const KEY_TEXT = /^(?:[0-9a-f]{2}){16,20}$/i
const STORED = /^(quick|slow)\$(\d{1,3})\$(.+)$/
/** A check, which is a derived key in Base64, and the stretched password. */
const SLOW = /^([A-Za-z0-9+/]{43}=)\$(.+)$/

/** A new password of 20 random bytes, as 40 hexadecimal digits. */
export const generatePassword = (): string => randomBytes(GENERATED_BYTES).toString('hex')

/** The bytes that the text of a password stands for. */
export const passwordBytes = (password: string): Buffer =>
  KEY_TEXT.test(password) ? Buffer.from(password, 'hex') : Buffer.from(password, 'utf8')

const hmac = (bytes: Buffer, salt: string): Buffer => createHmac('sha256', salt).update(bytes).digest()

/**
 * Hashes a generated password. It has 160 random bits, so a salted HMAC is as good as a slow hash, and
 * stations that all reconnect at once do not keep the processors busy with stretching.
 */
export function hashGenerated(password: string): string {
  const bytes = passwordBytes(password)
  const salt = randomBytes(SALT_BYTES).toString('base64url')
  return `quick$${bytes.length}$${salt}$${hmac(bytes, salt).toString('base64')}`
}

/** What a password that a person has chosen is hashed and checked with. */
export interface StationPasswordDeps {
  readonly passwords: Passwords
  readonly config: { readonly secretKey: string }
}

/** Hashes a password that a person has chosen: stretched, with a quick check. */
export async function hashChosen(
  deps: StationPasswordDeps,
  password: string,
  share?: HashShare,
): Promise<string> {
  const bytes = passwordBytes(password)
  const stretched = await deps.passwords.hash(bytes.toString('hex'), share)
  return withCheck(deps, bytes, stretched)
}

/**
 * The quick check lets all stations reconnect after a restart within seconds, where stretching each password
 * takes minutes. Its salt is an HMAC under a key derived from SECRET_KEY, so a reader of the database alone cannot
 * test passwords against it. With SECRET_KEY as well it costs as many rounds as a password of PostgreSQL. When
 * SECRET_KEY changes, the check no longer matches, and the stretched password decides.
 */
async function deriveCheck(
  { config }: StationPasswordDeps,
  sent: Buffer,
  stretched: string,
): Promise<Buffer> {
  const salt = createHmac('sha256', deriveSealerKey(config.secretKey, 'checks of station passwords'))
    .update(stretched)
    .digest('base64url')
  return deriveKey({ password: sent.toString('hex'), salt, iterations: STATION_CHECK_ITERATIONS })
}

async function withCheck(deps: StationPasswordDeps, bytes: Buffer, stretched: string): Promise<string> {
  const check = await deriveCheck(deps, bytes, stretched)
  return `slow$${bytes.length}$${check.toString('base64')}$${stretched}`
}

interface StoredPassword {
  readonly kind: string
  readonly length: number
  readonly rest: string
}

function decode(stored: string | null | undefined): StoredPassword | undefined {
  const [, kind, length, rest] = STORED.exec(stored ?? '') ?? []
  if (kind === undefined || length === undefined || rest === undefined) return undefined
  return { kind, length: Number(length), rest }
}

/** The bytes of a sent password; many stations send the hexadecimal digits instead of the bytes. */
function bytesSent(sent: Buffer, length: number): Buffer {
  const text = sent.length === length * 2 ? sent.toString('latin1') : ''
  return /^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex') : sent
}

const NO_PASSWORD: StoredPassword = {
  kind: 'quick',
  length: GENERATED_BYTES,
  rest: `${'-'.repeat(22)}$${randomBytes(32).toString('base64')}`,
}

function matchesQuick(sent: Buffer, stored: StoredPassword | undefined): boolean {
  const isReal = stored?.kind === 'quick'
  const { length, rest } = isReal ? stored : NO_PASSWORD
  const [salt = '', hash = ''] = rest.split('$')
  const expected = Buffer.from(hash, 'base64')
  const computed = hmac(bytesSent(sent, length), salt)
  return expected.length === computed.length && timingSafeEqual(computed, expected) && isReal
}

interface Slow {
  readonly sent: Buffer
  readonly check: Buffer
  readonly stretched: string | undefined
}

const NO_CHECK = randomBytes(KEY_BYTES)

function decodeSlow(sent: Buffer, stored: StoredPassword | undefined): Slow {
  const isReal = stored?.kind === 'slow'
  const bytes = bytesSent(sent, isReal ? stored.length : GENERATED_BYTES)
  const [, check, stretched] = SLOW.exec(isReal ? stored.rest : '') ?? []
  if (check === undefined || stretched === undefined)
    return { sent: bytes, check: NO_CHECK, stretched: undefined }
  return { sent: bytes, check: Buffer.from(check, 'base64'), stretched }
}

async function matchesCheck(deps: StationPasswordDeps, { sent, check, stretched }: Slow): Promise<boolean> {
  const derived = await deriveCheck(deps, sent, stretched ?? '')
  return timingSafeEqual(derived, check) && stretched !== undefined
}

/** The stored form with a check that matches, when the stretched password is the one that was sent. */
async function matchesStretched(
  deps: StationPasswordDeps,
  { sent, stretched }: Slow,
  share: HashShare,
): Promise<string | undefined> {
  const isValid = await deps.passwords.verify(sent.toString('hex'), stretched, share)
  return isValid && stretched !== undefined ? withCheck(deps, sent, stretched) : undefined
}

export interface StoredPasswords {
  readonly passwordHash: string | null
  readonly nextPasswordHash: string | null
}

export interface SentPassword {
  readonly sent: Buffer
  readonly charger: StoredPasswords | undefined
  /** The share under which its stretching waits. */
  readonly share: HashShare
}

export interface PasswordMatch {
  readonly which: 'current' | 'next'
  /** The stored form to be replaced, because its check was made under another SECRET_KEY. */
  readonly renewed?: string
}

/**
 * Matches a sent password, byte for byte, with those of a charger. A refusal costs the same work whether the
 * charger exists, which kind of password it has and whether it has one: two HMACs, two checks and two stretchings.
 * A generated password is recognized before the first check, a chosen one before the first stretching.
 */
export async function matchPassword(
  deps: StationPasswordDeps,
  { sent, charger, share }: SentPassword,
): Promise<PasswordMatch | undefined> {
  const stored = [
    { which: 'current', password: decode(charger?.passwordHash) },
    { which: 'next', password: decode(charger?.nextPasswordHash) },
  ] as const
  const quick = stored.filter(({ password }) => matchesQuick(sent, password))[0]
  if (quick) return { which: quick.which }
  const slow = stored.map(({ which, password }) => ({ which, ...decodeSlow(sent, password) }))
  for (const one of slow) if (await matchesCheck(deps, one)) return { which: one.which }
  for (const one of slow) {
    const renewed = await matchesStretched(deps, one, share)
    if (renewed !== undefined) return { which: one.which, renewed }
  }
  return undefined
}

export interface NewPassword {
  readonly clear: string
  readonly hash: string
  /** The generated password, which the response shows this once; null where the request named one. */
  readonly shown: string | null
}

/**
 * The password of a request, which is stretched, or a generated one. To be called outside a transaction: it
 * is slow.
 */
export async function makePassword(
  deps: StationPasswordDeps,
  requested: string | undefined,
  share: HashShare,
): Promise<NewPassword> {
  if (requested !== undefined)
    return { clear: requested, hash: await hashChosen(deps, requested, share), shown: null }
  const clear = generatePassword()
  return { clear, hash: hashGenerated(clear), shown: clear }
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Passwords } from '../../../platform/auth/password.ts'

const GENERATED_BYTES = 20
const SALT_BYTES = 16
/** OCPP 1.6 writes its AuthorizationKey, 16 to 20 bytes of any kind, as hexadecimal digits. */
const KEY_TEXT = /^(?:[0-9a-f]{2}){16,20}$/i
const STORED = /^(quick|slow)\$(\d{1,3})\$(.+)$/

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

/** Hashes a password that a person has chosen: stretched. */
export async function hashChosen(passwords: Passwords, password: string): Promise<string> {
  const bytes = passwordBytes(password)
  return `slow$${bytes.length}$${await passwords.hash(bytes.toString('hex'))}`
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

function matchesSlow(
  passwords: Passwords,
  sent: Buffer,
  stored: StoredPassword | undefined,
): Promise<boolean> {
  const { length, rest } = stored?.kind === 'slow' ? stored : { length: GENERATED_BYTES, rest: undefined }
  return passwords.verify(bytesSent(sent, length).toString('hex'), rest)
}

export interface StoredPasswords {
  readonly passwordHash: string | null
  readonly nextPasswordHash: string | null
}

/**
 * Matches a sent password, byte for byte, with those of a charger. A refusal costs the same work whether the
 * charger exists, which kind of password it has and whether it has one: two HMACs and two stretchings, in the
 * thread pool. A generated password is recognized before the first stretching.
 */
export async function matchPassword(
  passwords: Passwords,
  sent: Buffer,
  charger: StoredPasswords | undefined,
): Promise<'current' | 'next' | undefined> {
  const current = decode(charger?.passwordHash)
  const next = decode(charger?.nextPasswordHash)
  const [isCurrent, isNext] = [matchesQuick(sent, current), matchesQuick(sent, next)]
  if (isCurrent) return 'current'
  if (isNext) return 'next'
  if (await matchesSlow(passwords, sent, current)) return 'current'
  return (await matchesSlow(passwords, sent, next)) ? 'next' : undefined
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
  { passwords }: { readonly passwords: Passwords },
  requested: string | undefined,
): Promise<NewPassword> {
  if (requested !== undefined)
    return { clear: requested, hash: await hashChosen(passwords, requested), shown: null }
  const clear = generatePassword()
  return { clear, hash: hashGenerated(clear), shown: clear }
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { TOTP_DRIFT_STEPS, TOTP_SECRET_BYTES, TOTP_STEP_S } from './limits.ts'

/*
 * One-time passwords by the time (TOTP, RFC 6238) with the parameters that every authenticator app supports:
 * HMAC-SHA-1, 6 digits, steps of 30 seconds.
 */
const DIGITS = 6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const makeTotpSecret = (): Buffer => randomBytes(TOTP_SECRET_BYTES)

/** RFC 4648 without padding. */
export function toBase32(bytes: Buffer): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      text += BASE32[(value >>> (bits - 5)) & 31] ?? ''
      bits -= 5
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + (BASE32[(value << (5 - bits)) & 31] ?? '') : text
}

/** The number of the step that contains an instant (epoch milliseconds). */
export const stepAt = (instant: number): number => Math.floor(instant / (TOTP_STEP_S * 1000))

/** The code of a step (RFC 4226, 5.3). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text)

/**
 * Returns the step whose code was entered; undefined for a wrong code. The codes of the neighbouring steps are
 * accepted, because clocks of telephones differ and people need time to type.
 */
export function matchingStep(secret: Buffer, code: string, instant: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const now = stepAt(instant)
  for (let step = now - TOTP_DRIFT_STEPS; step <= now + TOTP_DRIFT_STEPS; step += 1)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step
  return undefined
}

/** The URI that authenticator apps read, usually from a QR code. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

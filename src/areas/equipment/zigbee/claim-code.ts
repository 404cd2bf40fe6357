import { createHmac, randomInt } from 'node:crypto'
import { CROCKFORD, shortIdOf, tenantOfShortId } from '../../../platform/auth/short-id.ts'
import { ZIGBEE_CODE_CHARACTERS } from './limits.ts'

const GROUP = 4

/** Format `1F-7K4M-Q2XD-90TV`, easy to dictate: the short id of the tenant, and the random characters. */
export function generateCode(tenantId: number): string {
  const characters = Array.from(
    { length: ZIGBEE_CODE_CHARACTERS },
    () => CROCKFORD[randomInt(CROCKFORD.length)],
  )
  return `${shortIdOf(tenantId)}-${characters.join('').replace(/.{4}(?=.)/g, '$&-')}`.toUpperCase()
}

/** Canonical form for hashing: upper case without separators; letters that look like digits become digits. */
const normalizeCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0')

/** The tenant.id that a code names, true or not; undefined for one without, as they were before ADR 0121. */
export const tenantOfCode = (code: string): number | undefined =>
  tenantOfShortId(normalizeCode(code).slice(0, -ZIGBEE_CODE_CHARACTERS).toLowerCase())

/**
 * Keyed hash (HMAC), because 60 bits could be searched exhaustively by someone with a copy of the database.
 */
export const hashCode = (secretKey: string, code: string): Buffer =>
  createHmac('sha256', secretKey)
    .update(`zigbee claim ${normalizeCode(code)}`)
    .digest()

/** The last group of a code, which lists show. */
export const codeEnding = (code: string): string => code.slice(-GROUP)
export const maskCode = (ending: string): string => `****-****-${ending}`

import { createHash, randomBytes } from 'node:crypto'
import { LINK_TOKEN_BYTES } from './limits.ts'

/** The secret of a link in a mail: the clear text goes into the mail only, the hash into the database. */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(LINK_TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

/** SHA-256; a token of 256 random bits needs no slow hash. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * The link as the mail shows it; without PUBLIC_BASE_URL only its path, since a host name would be a guess.
 */
export const linkWithToken = (baseUrl: string | undefined, path: string, token: string): string =>
  `${(baseUrl ?? '').replace(/\/+$/, '')}${path}?token=${token}`

import { createHash, randomBytes } from 'node:crypto'
import { LINK_TOKEN_BYTES } from './limits.ts'

/**
 * Makes the secret of a link in a mail: the token is only in the mail, its hash is stored in the database.
 */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(LINK_TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

/** Returns the SHA-256 hash; a token of 256 random bits needs no slow hash. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Returns the link for a mail; without PUBLIC_BASE_URL only its path, because the host is not known. */
export const linkWithToken = (baseUrl: string | undefined, path: string, token: string): string =>
  `${(baseUrl ?? '').replace(/\/+$/, '')}${path}?token=${token}`

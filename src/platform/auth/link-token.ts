import { createHash, randomBytes } from 'node:crypto'
import { LINK_TOKEN_BYTES } from './limits.ts'
import { SHORT_ID, shortIdOf, tenantOfShortId } from './short-id.ts'

export interface MadeToken {
  readonly token: string
  readonly tokenHash: Buffer
}

const withHash = (token: string): MadeToken => ({ token, tokenHash: hashLinkToken(token) })
const randomText = () => randomBytes(LINK_TOKEN_BYTES).toString('base64url')

/** Makes a secret that belongs to no tenant. It is given to its holder only; its hash is stored in the database. */
export const makeLinkToken = (): MadeToken => withHash(randomText())

/** Makes the secret of a link, ticket or code of a tenant: `<short id of the tenant>.<random>`. */
export const makeTenantToken = (tenantId: number): MadeToken =>
  withHash(`${shortIdOf(tenantId)}.${randomText()}`)

const TENANT_TOKEN = new RegExp(`^(${SHORT_ID})\\.[\\w-]{43}$`)

/** The tenant.id that a token names, true or not; undefined for one without, as they were before ADR 0121. */
export function tenantOfToken(token: string): number | undefined {
  const [, shortId] = TENANT_TOKEN.exec(token) ?? []
  return shortId === undefined ? undefined : tenantOfShortId(shortId)
}

/** Returns the SHA-256 hash of the whole text; a token of 256 random bits needs no slow hash. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Returns the link for a mail; without PUBLIC_BASE_URL only its path, because the host is not known. */
export const linkWithToken = (baseUrl: string | undefined, path: string, token: string): string =>
  `${(baseUrl ?? '').replace(/\/+$/, '')}${path}?token=${token}`

import { createSigner, createVerifier } from 'fast-jwt'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/uuid.ts'
import type { Clock } from '../runtime/clock.ts'
import { ACCESS_TOKEN_TTL_S, MFA_TOKEN_TTL_S, REFRESH_TOKEN_TTL_S } from './limits.ts'

/** `mfa`: between the password and the one-time password of a login. */
type TokenType = 'access' | 'refresh' | 'mfa'

/** The claims of the interface: exp in epoch seconds, sub the user, tenant_id the tenant's uuid. */
export interface TokenClaims {
  readonly exp: number
  readonly sub: string
  readonly tenant_id: string
  readonly type: TokenType
}

export interface Tokens {
  /** `at`: the start of the lifetime, epoch milliseconds (default: now). */
  issue(type: TokenType, user: { id: string; tenantUid: string }, at?: number): string
  /** Returns the claims of a token of that type; throws 401 TOKEN_EXPIRED or INVALID_CREDENTIALS. */
  verify(type: TokenType, token: string): TokenClaims
}

const TTL_S: Readonly<Record<TokenType, number>> = {
  access: ACCESS_TOKEN_TTL_S,
  refresh: REFRESH_TOKEN_TTL_S,
  mfa: MFA_TOKEN_TTL_S,
}

const invalid = () => new AppError(401, 'INVALID_CREDENTIALS', ERROR_TEXTS.TOKEN_INVALID())

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value)

/**
 * The instant at which a token was issued, epoch milliseconds. It follows from `exp`, so that no further
 * claim is needed.
 */
export const issuedAt = ({ type, exp }: TokenClaims): number => (exp - TTL_S[type]) * 1000

export function makeTokens({ secretKey, clock }: { secretKey: string; clock: Clock }): Tokens {
  // `noTimestamp`: the interface lists the claims, and `iat` is not among them. Expiry is checked against our own
  // clock.
  const sign = createSigner({ key: secretKey, algorithm: 'HS256', noTimestamp: true })
  const decode = createVerifier({
    key: secretKey,
    algorithms: ['HS256'],
    ignoreExpiration: true,
    cache: 1000,
  })
  const seconds = (instant: number) => Math.floor(instant / 1000)
  return {
    issue: (type, { id, tenantUid }, at = clock.now()) =>
      sign({ exp: seconds(at) + TTL_S[type], sub: id, tenant_id: tenantUid, type }),
    verify(type, token) {
      let claims: Partial<Record<keyof TokenClaims, unknown>>
      try {
        claims = decode(token) as typeof claims
      } catch {
        throw invalid()
      }
      const { exp, sub, tenant_id } = claims
      if (claims.type !== type || !isSeconds(exp) || !isUuid(sub) || !isUuid(tenant_id)) throw invalid()
      if (exp <= seconds(clock.now())) throw new AppError(401, 'TOKEN_EXPIRED', ERROR_TEXTS.TOKEN_EXPIRED())
      return { exp, sub, tenant_id, type }
    },
  }
}

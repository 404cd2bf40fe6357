import * as client from 'openid-client'
import { AppError } from '../../../kernel/errors.ts'
import { OIDC_FAILURES } from '../../../kernel/oidc-failures.ts'
import { AddressRefusedError } from '../../../platform/net/connect-guard.ts'

export type OidcFailureCode = keyof typeof OIDC_FAILURES

/** Failures of a callback are not responses: their codes are in the fragment of the address to return to. */
const STATUSES: Readonly<Record<OidcFailureCode, number>> = {
  OIDC_ACCESS_DENIED: 400,
  OIDC_ADDRESS_NOT_ALLOWED: 409,
  OIDC_CLIENT_REFUSED: 400,
  OIDC_CODE_NOT_VALID: 400,
  OIDC_DOMAIN_NOT_ALLOWED: 400,
  OIDC_EMAIL_NOT_VERIFIED: 400,
  OIDC_NOT_AVAILABLE: 404,
  OIDC_PROVIDER_INVALID: 502,
  OIDC_PROVIDER_REFUSED: 400,
  OIDC_PROVIDER_UNREACHABLE: 502,
  OIDC_STATE_NOT_VALID: 400,
  OIDC_TOKEN_NOT_VALID: 400,
  OIDC_USER_INACTIVE: 400,
  OIDC_USER_LINKED: 400,
  OIDC_USER_NOT_ALLOWED: 400,
  OIDC_USER_UNKNOWN: 400,
}

export const oidcFailure = (code: OidcFailureCode): AppError =>
  new AppError(STATUSES[code], code, OIDC_FAILURES[code]())

/** The error and its causes, outermost first. */
function* causesOf(error: unknown): Generator<unknown> {
  for (let one = error, depth = 0; one !== undefined && depth < 10; depth += 1) {
    yield one
    one = one instanceof Error ? one.cause : undefined
  }
}

/** `discovery`: the document and the keys; `token`: the exchange of the code and what follows it. */
export type OidcPhase = 'discovery' | 'token'

const NO_ANSWER = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const REFUSED_CLIENT = ['invalid_client', 'unauthorized_client']

/**
 * The failure of a call of openid-client. Every failure of a connection has the same code, so that an address
 * that a tenant configures does not reveal which ports are open (ADR 0054).
 */
export function failureCodeOf(error: unknown, phase: OidcPhase): OidcFailureCode {
  for (const cause of causesOf(error))
    if (cause instanceof AddressRefusedError)
      return cause.reason === 'network' ? 'OIDC_ADDRESS_NOT_ALLOWED' : 'OIDC_PROVIDER_UNREACHABLE'
  if (error instanceof client.AuthorizationResponseError)
    return error.error === 'access_denied' ? 'OIDC_ACCESS_DENIED' : 'OIDC_PROVIDER_REFUSED'
  if (error instanceof client.ResponseBodyError)
    return REFUSED_CLIENT.includes(error.error) ? 'OIDC_CLIENT_REFUSED' : 'OIDC_PROVIDER_REFUSED'
  if (error instanceof client.WWWAuthenticateChallengeError) return 'OIDC_CLIENT_REFUSED'
  if (error instanceof client.ClientError && error.code !== undefined && !NO_ANSWER.includes(error.code))
    return phase === 'token' ? 'OIDC_TOKEN_NOT_VALID' : 'OIDC_PROVIDER_INVALID'
  return 'OIDC_PROVIDER_UNREACHABLE'
}

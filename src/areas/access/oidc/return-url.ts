import { conflict } from '../../../kernel/errors.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { OIDC_TEXTS } from './messages.ts'

/** The page of the web console to which a sign-in returns when the client names no other. */
const SIGN_IN_PAGE = '/sign-in'
const CALLBACK = '/api/auth/oidc/callback'

type Base = Pick<Config, 'publicBaseUrl'>

/** 409 without PUBLIC_BASE_URL, because the provider has to know the address to return to. */
function baseOf({ publicBaseUrl }: Base): string {
  if (publicBaseUrl === undefined) throw conflict('STATE_CONFLICT', OIDC_TEXTS.OIDC_PUBLIC_URL_MISSING())
  return publicBaseUrl
}

/** The redirect URI that is registered at the provider. */
export const callbackUrl = (config: Base): string => `${baseOf(config)}${CALLBACK}`
export const defaultReturnUrl = (config: Base): string => `${baseOf(config)}${SIGN_IN_PAGE}`

/** The address below PUBLIC_BASE_URL that a client asks for; 422 for any other, which would be an open redirect. */
export function returnUrlOf(config: Base, requested: string | undefined): string {
  if (requested === undefined) return defaultReturnUrl(config)
  const refusal = () => invalidInput(['body', 'redirect_uri'], OIDC_TEXTS.OIDC_REDIRECT_NOT_ALLOWED())
  const base = new URL(`${baseOf(config)}/`)
  if (!URL.canParse(requested)) throw refusal()
  const url = new URL(requested)
  const isBelow = url.origin === base.origin && url.pathname.startsWith(base.pathname)
  if (!isBelow || url.username !== '' || url.password !== '') throw refusal()
  url.hash = ''
  return url.href
}

/** Adds the outcome as the fragment, which browsers send to no server and which no access log contains. */
export function withOutcome(returnUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(returnUrl)
  url.hash = new URLSearchParams(outcome).toString()
  return url.href
}

/** The client of the API. The access token is in memory only; the refresh token is in a cookie that no script reads. */
import { ApiError, NetsaatClient } from '../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../clients/typescript/src/operations.ts'
import { BASE_URL } from '../kernel/base-url.ts'

const withoutToken = new NetsaatClient({ baseUrl: BASE_URL })

/** Called when the service no longer accepts the session. */
let onEnd: () => void = () => {}
export const onSessionEnd = (listener: () => void): void => {
  onEnd = listener
}

/** The token of the check whether there is a session, for the first request after it; it would expire later. */
let unusedToken: string | undefined
export const forgetUnusedToken = (): void => {
  unusedToken = undefined
}

async function refresh(): Promise<string | undefined> {
  try {
    const { data } = await withoutToken.post('/api/auth/session/refresh', { isRepeatable: true })
    return data?.access_token
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}

export async function obtainToken(): Promise<string> {
  const token = unusedToken ?? (await refresh())
  unusedToken = undefined
  if (token !== undefined) return token
  onEnd()
  throw new SignedOutError()
}

/** The request needs a session, and there is none. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError'
}

export const makeClient = (language: 'tr' | 'en'): NetsaatClient =>
  new NetsaatClient({ baseUrl: BASE_URL, credentials: { obtainToken }, language })

/** Whether this browser has a session. */
export async function hasSession(): Promise<boolean> {
  unusedToken = await refresh()
  return unusedToken !== undefined
}

export type SignInStep = { readonly step: 'done' } | { readonly step: 'code'; readonly mfaToken: string }

/** First step of signing in. */
export async function signIn(client: NetsaatClient, email: string, password: string): Promise<SignInStep> {
  const { data } = await client.post('/api/auth/login', { body: { email, password } })
  return takeTokens(data)
}

type LoginOutcome = ResponseOf<'POST', '/api/auth/login'>

async function takeTokens(data: LoginOutcome): Promise<SignInStep> {
  if ('mfa_token' in data) return { step: 'code', mfaToken: data.mfa_token }
  await keep(data.refresh_token)
  return { step: 'done' }
}

/** Second step, for users with one-time passwords. */
export async function signInWithCode(client: NetsaatClient, mfaToken: string, code: string): Promise<void> {
  const { data } = await client.post('/api/auth/login/totp', { body: { mfa_token: mfaToken, code } })
  await keep(data.refresh_token)
}

/** Where the browser keeps the secret of a sign-in at a provider: it lasts as long as the tab. */
const PROVIDER_SECRET_KEY = 'netsaat-sign-in-secret'

/** Sends the browser to the OpenID provider of the tenant, which is named by an address or by its short name. */
export async function startAtProvider(client: NetsaatClient, name: string): Promise<void> {
  const by = name.includes('@') ? { email: name } : { tenant: name }
  const { data } = await client.post('/api/auth/oidc/start', {
    body: { ...by, redirect_uri: `${BASE_URL}/sign-in` },
  })
  sessionStorage.setItem(PROVIDER_SECRET_KEY, data.sign_in_secret)
  location.assign(data.authorization_url)
}

export type ProviderOutcome = { readonly code: string } | { readonly error: string }

/** What the provider returned with, taken from the fragment of the address, which it then leaves. */
export function takeProviderOutcome(): ProviderOutcome | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const [code, error] = [fragment.get('code'), fragment.get('error')]
  if (code === null && error === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code === null ? { error: error ?? '' } : { code }
}

/** Finishes the sign-in; undefined when it did not begin in this browser. */
export async function finishAtProvider(client: NetsaatClient, code: string): Promise<SignInStep | undefined> {
  const sign_in_secret = sessionStorage.getItem(PROVIDER_SECRET_KEY)
  sessionStorage.removeItem(PROVIDER_SECRET_KEY)
  if (sign_in_secret === null) return undefined
  const { data } = await client.post('/api/auth/oidc/token', { body: { code, sign_in_secret } })
  return takeTokens(data)
}

const keep = (refreshToken: string) =>
  withoutToken.put('/api/auth/session', { body: { refresh_token: refreshToken } })

export async function endSession(): Promise<void> {
  forgetUnusedToken()
  await withoutToken.delete('/api/auth/session')
}

/** A client without a token, whose errors are in the language. */
export const makeAnonymousClient = (language: 'tr' | 'en'): NetsaatClient =>
  new NetsaatClient({ baseUrl: BASE_URL, language })

import { timingSafeEqual } from 'node:crypto'
import * as client from 'openid-client'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashLinkToken, makeLinkToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { signInByProvider } from '../auth/index.ts'
import {
  OIDC_CODE_TTL_MS,
  OIDC_SIGN_IN_TTL_MS,
  OIDC_SIGN_INS_MAX,
  OIDC_SUBJECT_MAX_LENGTH,
} from '../limits.ts'
import type { OidcClients } from './client.ts'
import { oidcFailure } from './failures.ts'
import { findLinkedUser, linkUser } from './link.ts'
import { OIDC_TEXTS } from './messages.ts'
import { callbackUrl, defaultReturnUrl, returnUrlOf, withOutcome } from './return-url.ts'
import type { RedeemOidcCode, StartOidc } from './schema.ts'
import * as signIns from './sign-in-store.ts'
import * as store from './store.ts'

/** Where the browser is to be sent, and the secret that proves later that it is the same browser. */
export async function start(deps: Deps, clients: OidcClients, { tenant, email, redirect_uri }: StartOidc) {
  if ((tenant === undefined) === (email === undefined))
    throw invalidInput(['body', 'tenant'], OIDC_TEXTS.OIDC_TENANT_OR_EMAIL())
  const { config, clock, database } = deps
  const redirectUri = callbackUrl(config)
  const returnUrl = returnUrlOf(config, redirect_uri)
  const by = email === undefined ? { slug: tenant ?? '' } : { email: normalizeEmail(email) }
  const provider = await store.findEnabled(systemDb(database.kysely), by)
  if (!provider) throw oidcFailure('OIDC_NOT_AVAILABLE')
  const [state, browser] = [makeTenantToken(provider.tenant_id), makeLinkToken()]
  const secrets = { nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() }
  const url = await clients.authorizationUrl(provider, { ...secrets, state: state.token, redirectUri })
  const now = clock.now()
  const signIn: signIns.NewSignIn = {
    ...{ state_hash: state.tokenHash, browser_hash: browser.tokenHash },
    ...{ nonce: secrets.nonce, code_verifier: secrets.codeVerifier },
    ...{ issuer: provider.issuer, client_id: provider.client_id, return_url: returnUrl },
    ...{ created_at: new Date(now), expires_at: new Date(now + OIDC_SIGN_IN_TTL_MS) },
  }
  await inTenantTx(database.kysely, provider.tenant_id, (tx) => signIns.insert(tx, signIn, OIDC_SIGN_INS_MAX))
  return {
    authorization_url: url,
    sign_in_secret: browser.token,
    expires_in: OIDC_SIGN_IN_TTL_MS / 1000,
  }
}

type TakenSignIn = NonNullable<Awaited<ReturnType<typeof take>>>

/** The sign-in of a state that has not been called back yet. */
async function take({ database, clock }: Deps, state: string) {
  const tenantId = await findTokenTenant(database.pool, signIns.STATES, state)
  if (tenantId === undefined) return undefined
  const signIn = await inTenantTx(database.kysely, tenantId, (tx) =>
    signIns.take(tx, hashLinkToken(state), new Date(clock.now())),
  )
  return signIn && { ...signIn, tenantId }
}

/** The provider of a sign-in, unless it was disabled or replaced since the start. */
function unchanged(signIn: TakenSignIn, provider: store.ProviderRow | undefined): store.ProviderRow {
  const isSame = provider?.issuer === signIn.issuer && provider.client_id === signIn.client_id
  if (!provider?.is_enabled || !isSame) throw oidcFailure('OIDC_NOT_AVAILABLE')
  return provider
}

/** The user of the subject who signed in at the provider, and a one-time code for this sign-in. */
async function finish(
  deps: Deps,
  clients: OidcClients,
  { signIn, state, url }: { readonly signIn: TakenSignIn; readonly state: string; readonly url: URL },
): Promise<string> {
  const { kysely } = deps.database
  const { tenantId, nonce, code_verifier: codeVerifier } = signIn
  const provider = unchanged(signIn, await store.find({ db: kysely, tenantId }))
  const identity = await clients.exchange(provider, { state, url, nonce, codeVerifier })
  if (identity.subject.length > OIDC_SUBJECT_MAX_LENGTH) throw oidcFailure('OIDC_TOKEN_NOT_VALID')
  const isKnown = await inTenantTx(kysely, tenantId, (tx) => findLinkedUser(tx, identity))
  // No transaction is open while the provider is called.
  const claims = isKnown === undefined ? await identity.claims() : undefined
  const code = makeTenantToken(tenantId)
  await inTenantTx(kysely, tenantId, async (tx) => {
    const current = unchanged(signIn, await store.lock(tx))
    const at = new Date(deps.clock.now())
    const linked = await findLinkedUser(tx, identity)
    const userId =
      linked ?? (claims && (await linkUser(tx, { issuer: identity.issuer, claims, provider: current, at })))
    if (userId === undefined) throw oidcFailure('OIDC_USER_UNKNOWN')
    const expiresAt = new Date(at.getTime() + OIDC_CODE_TTL_MS)
    const completed = { userId, codeHash: code.tokenHash, expiresAt }
    if (!(await signIns.complete(tx, signIn.id, completed))) throw oidcFailure('OIDC_STATE_NOT_VALID')
  })
  return code.token
}

/**
 * Completes the redirect of the provider. The result is the address to send the browser to, with a one-time code or
 * the code of the failure in its fragment. A state is accepted once, whatever the outcome.
 */
export async function callBack(deps: Deps, clients: OidcClients, search: URLSearchParams): Promise<string> {
  const { config } = deps
  const url = new URL(callbackUrl(config))
  url.search = search.toString()
  const state = search.get('state') ?? ''
  const signIn = await take(deps, state)
  if (!signIn) return withOutcome(defaultReturnUrl(config), { error: 'OIDC_STATE_NOT_VALID' })
  try {
    return withOutcome(signIn.return_url, { code: await finish(deps, clients, { signIn, state, url }) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return withOutcome(signIn.return_url, { error: error.code })
  }
}

/**
 * Exchanges a one-time code for the tokens. A code is spent by its first use, also by one with a wrong secret: it was
 * stolen then.
 */
export async function redeem(deps: Deps, { code, sign_in_secret }: RedeemOidcCode) {
  const { kysely, pool } = deps.database
  const startedAt = deps.clock.now()
  const tenantId = await findTokenTenant(pool, signIns.CODES, code)
  if (tenantId === undefined) throw oidcFailure('OIDC_CODE_NOT_VALID')
  const signIn = await inTenantTx(kysely, tenantId, (tx) => signIns.redeem(tx, hashLinkToken(code)))
  const isValid =
    signIn !== undefined &&
    signIn.expires_at.getTime() > startedAt &&
    timingSafeEqual(signIn.browser_hash, hashLinkToken(sign_in_secret))
  if (!isValid || signIn.user_id === null) throw oidcFailure('OIDC_CODE_NOT_VALID')
  const user = await signIns.findActiveUser(tenantDb(kysely, tenantId), signIn.user_id)
  if (!user) throw oidcFailure('OIDC_USER_INACTIVE')
  return signInByProvider(deps, user, startedAt)
}

import { LRUCache } from 'lru-cache'
import * as client from 'openid-client'
import { makeSealer } from '../../../platform/auth/sealer.ts'
import { makeAddressPolicy } from '../../../platform/net/address-policy.ts'
import { makeConnectGuard } from '../../../platform/net/connect-guard.ts'
import { type GuardedInit, makeGuardedFetch } from '../../../platform/net/guarded-fetch.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  OIDC_CLOCK_SKEW_CHANGE_MAX_S,
  OIDC_CLOCK_TOLERANCE_S,
  OIDC_DISCOVERIES_MAX,
  OIDC_DISCOVERY_KEPT_MS,
  OIDC_RESPONSE_MAX_BYTES,
  OIDC_TIMEOUT_MS,
} from '../limits.ts'
import { failureCodeOf, type OidcPhase, oidcFailure } from './failures.ts'
import { secretContext } from './secrets.ts'
import type { ProviderRow } from './store.ts'

/** What a sign-in sends to the provider, and what its callback is compared with. */
export interface SignInSecrets {
  readonly nonce: string
  readonly codeVerifier: string
}

/** The claims of a subject; `email` and the others are as the provider sent them. */
export interface OidcClaims {
  readonly subject: string
  readonly email: unknown
  readonly emailVerified: unknown
  readonly name: unknown
}

export interface OidcClients {
  /** Fetches the discovery document and the keys again; throws the failure. */
  probe(provider: ProviderRow): Promise<void>
  authorizationUrl(
    provider: ProviderRow,
    request: SignInSecrets & { readonly state: string; readonly redirectUri: string },
  ): Promise<string>
  /** Exchanges the code of a callback; `claims` asks for those that the ID token lacks. */
  exchange(
    provider: ProviderRow,
    callback: SignInSecrets & { readonly state: string; readonly url: URL },
  ): Promise<{ readonly issuer: string; readonly subject: string; claims(): Promise<OidcClaims> }>
}

type Calling = Pick<Deps, 'config' | 'ownEndpoints' | 'clock' | 'log'>

/**
 * The addresses that a provider may have: public ones with https, and WEBHOOK_ALLOWED_NETWORKS. This is checked
 * for each address that the discovery document names, too.
 */
const guardedFetch = ({ config, ownEndpoints }: Calling) =>
  makeGuardedFetch({
    guardOf: ({ protocol }) =>
      makeConnectGuard({
        policy: makeAddressPolicy({
          allowedNetworks: config.webhookAllowedNetworks,
          isPublicPermitted: protocol === 'https:',
        }),
        ownEndpoints,
      }),
    timeoutMs: OIDC_TIMEOUT_MS,
    bodyMaxBytes: OIDC_RESPONSE_MAX_BYTES,
  })

/** The method of client authentication that the provider supports; client_secret_basic is the default. */
const authenticateBy =
  (secret: string): client.ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isByPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    return (isByPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(server, ...rest)
  }

/**
 * Seconds that the clock of the service is ahead of the clock of the machine, which openid-client reads. It is zero
 * unless the service runs with a clock of its own.
 */
const clockSkewOf = ({ clock }: Calling): number => Math.round((clock.now() - Date.now()) / 1000)

async function discover(
  deps: Calling,
  provider: ProviderRow,
  clockSkewS: number,
): Promise<client.Configuration> {
  const secret = makeSealer(deps.config.credentialEncryptionKey).open(
    provider.client_secret_sealed,
    secretContext(provider.tenant_id),
  )
  const fetchGuarded = guardedFetch(deps)
  return client.discovery(
    new URL(provider.issuer),
    provider.client_id,
    { [client.clockTolerance]: OIDC_CLOCK_TOLERANCE_S, [client.clockSkew]: clockSkewS },
    authenticateBy(secret),
    {
      [client.customFetch]: (url, init) => fetchGuarded(url, init as GuardedInit),
      timeout: OIDC_TIMEOUT_MS / 1000,
      // The fetch decides where http is allowed. The signature is checked also of ID tokens that come over TLS.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    },
  )
}

/** The browser follows this address, so it must be an ordinary one; http only where the issuer has it too. */
function assertBrowsable({ protocol }: URL, { issuer }: ProviderRow): void {
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return
  throw oidcFailure('OIDC_PROVIDER_INVALID')
}

/** The discovery documents of providers, kept for a time, shared by concurrent sign-ins. */
function makeDiscoveries(deps: Calling) {
  interface Discovery {
    readonly at: number
    readonly clockSkewS: number
    readonly found: Promise<client.Configuration>
  }
  const kept = new LRUCache<string, Discovery>({ max: OIDC_DISCOVERIES_MAX })
  // The sealed secret differs after each change of it, so no former configuration is used.
  const keyOf = ({ tenant_id, issuer, client_id, client_secret_sealed }: ProviderRow) =>
    [tenant_id, issuer, client_id, client_secret_sealed].join(' ')
  return {
    forget: (provider: ProviderRow) => void kept.delete(keyOf(provider)),
    find(provider: ProviderRow): Promise<client.Configuration> {
      const key = keyOf(provider)
      const now = deps.clock.now()
      const clockSkewS = clockSkewOf(deps)
      const entry = kept.get(key)
      if (
        entry &&
        now - entry.at < OIDC_DISCOVERY_KEPT_MS &&
        Math.abs(clockSkewS - entry.clockSkewS) <= OIDC_CLOCK_SKEW_CHANGE_MAX_S
      )
        return entry.found
      const found = discover(deps, provider, clockSkewS)
      kept.set(key, { at: now, clockSkewS, found })
      found.catch(() => kept.get(key)?.found === found && kept.delete(key))
      return found
    },
  }
}

/** Only the message of an error is logged, because the error may hold tokens. */
async function reporting<T>(
  { log }: Calling,
  { provider, phase }: { readonly provider: ProviderRow; readonly phase: OidcPhase },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = failureCodeOf(error, phase)
    const reason = error instanceof Error ? error.message : 'unknown'
    log.warn({ tenant_id: provider.tenant_id, code, reason }, 'a call of an OpenID provider failed')
    throw oidcFailure(code)
  }
}

async function readClaims(
  configuration: client.Configuration,
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
): Promise<OidcClaims> {
  const own = tokens.claims()
  const subject = own?.sub ?? ''
  const isComplete = own?.['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint
  const more = isComplete ? {} : await client.fetchUserInfo(configuration, tokens.access_token, subject)
  const all: Readonly<Record<string, unknown>> = { ...own, ...more }
  return { subject, email: all['email'], emailVerified: all['email_verified'], name: all['name'] }
}

export function makeOidcClients(deps: Calling): OidcClients {
  const discoveries = makeDiscoveries(deps)
  const discovered = (provider: ProviderRow) =>
    reporting(deps, { provider, phase: 'discovery' }, () => discoveries.find(provider))
  return {
    async probe(provider) {
      discoveries.forget(provider)
      const configuration = await discovered(provider)
      const { jwks_uri, authorization_endpoint, token_endpoint } = configuration.serverMetadata()
      if (!jwks_uri || !authorization_endpoint || !token_endpoint) throw oidcFailure('OIDC_PROVIDER_INVALID')
      assertBrowsable(new URL(authorization_endpoint), provider)
      const keys = await reporting(deps, { provider, phase: 'discovery' }, () =>
        guardedFetch(deps)(jwks_uri, { method: 'GET', headers: { accept: 'application/json' } }),
      )
      const text = await keys.text()
      if (keys.status !== 200 || !isKeySet(text)) throw oidcFailure('OIDC_PROVIDER_INVALID')
    },
    async authorizationUrl(provider, { state, nonce, codeVerifier, redirectUri }) {
      const configuration = await discovered(provider)
      const challenge = await client.calculatePKCECodeChallenge(codeVerifier)
      if (!configuration.serverMetadata().authorization_endpoint) throw oidcFailure('OIDC_PROVIDER_INVALID')
      const url = client.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: provider.scopes.join(' '), state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      })
      assertBrowsable(url, provider)
      return url.href
    },
    async exchange(provider, { url, state, nonce, codeVerifier }) {
      const configuration = await discovered(provider)
      const at = { provider, phase: 'token' } as const
      const tokens = await reporting(deps, at, () =>
        client.authorizationCodeGrant(configuration, url, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
          idTokenExpected: true,
        }),
      )
      const { iss, sub } = tokens.claims() ?? {}
      if (iss === undefined || sub === undefined) throw oidcFailure('OIDC_TOKEN_NOT_VALID')
      return {
        issuer: iss,
        subject: sub,
        claims: () => reporting(deps, at, () => readClaims(configuration, tokens)),
      }
    },
  }
}

function isKeySet(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as { keys?: unknown } | null)?.keys)
  } catch {
    return false
  }
}

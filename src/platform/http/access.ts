import type { FastifyRequest } from 'fastify'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Permission } from '../../kernel/permissions.ts'
import type { App, Principal } from './app-type.ts'
import { type InternalRequests, requireWebhookSecret } from './internal-requests.ts'
import { HTTP_TEXTS } from './messages.ts'

/** The access rule of a route. */
export type Access =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'network' }
  | { readonly kind: 'broker' }
  | {
      readonly kind: 'user'
      readonly refusesApiKeys?: boolean
      /** Also for users who have to set up one-time passwords first. */
      readonly isForEnrolment?: boolean
    }
  | { readonly kind: 'permission'; readonly permission: Permission; readonly refusesApiKeys?: boolean }
  | { readonly kind: 'superuser' }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** `Authorization: Token …` is accepted as well, which clients of InfluxDB send. */
    isTokenScheme?: boolean
  }
}

const route = (access: Access) => ({ config: { access } })

/** Any user with the permission in their own tenant. */
export const needs = (permission: Permission) => route({ kind: 'permission', permission })
/** The same, also with the scheme `Token` in Authorization. */
export const acceptsTokenScheme = ({ config }: ReturnType<typeof route>) => ({
  config: { ...config, isTokenScheme: true },
})
/** Any user with a valid token. */
export const forAnyUser = route({ kind: 'user' })
/**
 * Any user with a token of a login. API keys are refused, so that a stolen key can neither take the account over
 * nor create further keys.
 */
export const forSignedIn = route({ kind: 'user', refusesApiKeys: true })
/** The same, also before one-time passwords are set up that the tenant requires. */
export const forEnrolment = route({ kind: 'user', refusesApiKeys: true, isForEnrolment: true })
/** The same for users with the permission. */
export const needsSignIn = (permission: Permission) =>
  route({ kind: 'permission', permission, refusesApiKeys: true })
/** Any user with a valid token, also before one-time passwords are set up that the tenant requires. */
export const forProfile = route({ kind: 'user', isForEnrolment: true })
export const forSuperuser = route({ kind: 'superuser' })
/** Callers without a token. */
export const forEveryone = route({ kind: 'everyone' })
/** Callers without a token, from INTERNAL_ALLOWED_NETWORKS only; other callers receive 404. */
export const forInternalNetworks = route({ kind: 'network' })
/** The same for the message broker, which needs BROKER_WEBHOOK_SECRET unless it runs on this machine. */
export const forBroker = route({ kind: 'broker' })

/** Throws at start for a route without an access rule. */
export function requireAccessRules(app: App): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) {
      throw new Error(`${String(method)} ${url} says neither which permission it needs nor that it is public`)
    }
  })
}

export interface AccessRules {
  /** Returns the principal of a bearer token; throws a 401 with the reason. */
  readonly authenticate: (token: string) => Promise<Principal>
  readonly internalRequests: InternalRequests
  readonly brokerWebhookSecret: string | undefined
}

const invalid = () => new AppError(401, 'INVALID_CREDENTIALS', ERROR_TEXTS.TOKEN_NEEDED())

/** The token of a request; 401 without one. */
export function bearerToken(header: string | undefined, isTokenScheme = false): string {
  const [, scheme = '', token] = /^(\w+) +(\S+) *$/.exec(header ?? '') ?? []
  const isKnown = /^Bearer$/i.test(scheme) || (isTokenScheme && /^Token$/i.test(scheme))
  if (token === undefined || !isKnown) throw invalid()
  return token
}

/** Whether the operation is closed to API keys. They have no superuser rights either. */
export const refusesApiKeys = (access: Access | undefined): boolean =>
  access?.kind === 'superuser' ||
  ((access?.kind === 'user' || access?.kind === 'permission') && access.refusesApiKeys === true)

function authorize(principal: Principal, access: Access): void {
  const { permissions, isSuperuser, apiKeyId, mustEnrolTotp = false } = principal
  if (mustEnrolTotp && !(access.kind === 'user' && access.isForEnrolment))
    throw new AppError(403, 'TOTP_REQUIRED', ERROR_TEXTS.TOTP_NEEDED())
  if (apiKeyId !== undefined && refusesApiKeys(access)) {
    throw new AppError(403, 'API_KEY_NOT_ALLOWED', ERROR_TEXTS.API_KEY_NOT_ALLOWED())
  }
  if (access.kind === 'superuser' && !isSuperuser) {
    throw new AppError(403, 'SUPERUSER_REQUIRED', ERROR_TEXTS.SUPERUSER_NEEDED())
  }
  if (access.kind === 'permission' && !permissions.has(access.permission)) {
    throw new AppError(
      403,
      'PERMISSION_DENIED',
      ERROR_TEXTS.PERMISSION_NEEDED({ permission: access.permission }),
    )
  }
}

/** Rejects unauthorized requests with 401, 403 or 404 before the body is read. */
export function checkAccess(app: App, rules: AccessRules): void {
  const { authenticate, internalRequests, brokerWebhookSecret } = rules
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { access, isTokenScheme } = request.routeOptions.config
    if (!access || access.kind === 'everyone') return
    if (access.kind === 'network' || access.kind === 'broker') {
      if (!internalRequests.isInternal(request))
        throw new AppError(404, 'RESOURCE_NOT_FOUND', HTTP_TEXTS.ENDPOINT_UNKNOWN())
      if (access.kind === 'broker' && !internalRequests.isFromThisMachine(request))
        requireWebhookSecret(request, brokerWebhookSecret)
      return
    }
    request.principal = await authenticate(bearerToken(request.headers.authorization, isTokenScheme))
    authorize(request.principal, access)
  })
}

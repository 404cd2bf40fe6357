import { Type } from 'typebox'
import { forEveryone, needsSignIn } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { messageBody } from '../../../platform/http/language.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { LoginOutcome } from '../auth/index.ts'
import { makeOidcClients, type OidcClients } from './client.ts'
import { getProvider, putProvider, removeProvider, testProvider } from './provider-service.ts'
import {
  OidcProvider,
  OidcProviderTest,
  OidcStart,
  PutOidcProvider,
  RedeemOidcCode,
  StartOidc,
} from './schema.ts'
import { callBack, redeem, start } from './sign-in.ts'

const tags = ['authentication']
const manage = needsSignIn('manage:user')
const ONLY_ADMINS = 'The caller must hold every permission (403).'

/** Sign-in at the OpenID provider of a tenant; mounted at /api/auth/oidc. */
export function oidcRoutes(app: App): void {
  const clients = makeOidcClients(app.deps)
  providerRoutes(app)
  providerActionRoutes(app, clients)
  signInRoutes(app, clients)
}

function providerRoutes(app: App): void {
  const { deps } = app

  app.get(
    '/provider',
    {
      ...withErrors(manage, 404),
      schema: {
        tags,
        operationId: 'getOidcProvider',
        summary: 'Get the OpenID provider of the tenant',
        description: '404 when the tenant has none. The client secret is never returned.',
        response: { 200: OidcProvider },
      },
    },
    (request) => getProvider(deps, request.tenantDb()),
  )

  app.put(
    '/provider',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'putOidcProvider',
        summary: 'Set the OpenID provider of the tenant',
        description:
          `${ONLY_ADMINS} Omitted fields get their defaults; an omitted client secret is unchanged. The client ` +
          'secret is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key. ' +
          'The addresses of the provider must be public and have https, or be in WEBHOOK_ALLOWED_NETWORKS.',
        body: PutOidcProvider,
        response: { 200: OidcProvider },
      },
    },
    (request) =>
      request.tenantTx((tx) => putProvider(deps, tx, { principal: request.principal, body: request.body })),
  )
}

function providerActionRoutes(app: App, clients: OidcClients): void {
  app.delete(
    '/provider',
    {
      ...withErrors(manage, 404),
      schema: {
        tags,
        operationId: 'deleteOidcProvider',
        summary: 'Delete the OpenID provider of the tenant',
        description:
          `${ONLY_ADMINS} Users stay, also created ones, and so do their links to subjects of the issuer. Users ` +
          'without a password can set one by a reset link.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => removeProvider(tx, request.principal))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/provider/test',
    {
      ...withErrors(manage, 404),
      schema: {
        tags,
        operationId: 'testOidcProvider',
        summary: 'Fetch the discovery document and the keys of the provider now',
        description: `${ONLY_ADMINS} The client secret is tested only by a sign-in.`,
        response: { 200: OidcProviderTest },
      },
    },
    async (request, reply) => {
      const { ok, content } = await testProvider(clients, request.tenantDb(), request.principal)
      return { ok, ...messageBody(reply, content), message_code: content.code }
    },
  )
}

function signInRoutes(app: App, clients: OidcClients): void {
  const { deps } = app

  app.post(
    '/start',
    {
      ...withErrors(forEveryone, 404),
      schema: {
        tags,
        operationId: 'startOidcSignIn',
        summary: 'Begin to sign in at the OpenID provider of a tenant',
        description:
          'The browser keeps `sign_in_secret` and goes to `authorization_url`. After the sign-in it returns to ' +
          '`redirect_uri` with `code` or `error` in the fragment. 404 OIDC_NOT_AVAILABLE for an unknown tenant or ' +
          'address, and without an enabled provider; 502 when the provider cannot be used.',
        security: [],
        body: StartOidc,
        response: { 200: OidcStart },
      },
    },
    ({ body }) => start(deps, clients, body),
  )

  // Called by browsers that the provider redirects, not by clients of the API.
  app.get('/callback', { ...forEveryone, schema: { hide: true } }, async (request, reply) => {
    const { searchParams } = new URL(request.url, 'http://localhost')
    return reply.redirect(await callBack(deps, clients, searchParams), 302)
  })

  app.post(
    '/token',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'redeemOidcCode',
        summary: 'Exchange the one-time code of a sign-in for the tokens',
        description:
          'A code is accepted once, within 60 seconds, and only with the secret of the browser that started: else ' +
          '400 OIDC_CODE_NOT_VALID. Where the tenant requires one-time passwords, a user who has them receives ' +
          '`mfa_required`, as at a login.',
        security: [],
        body: RedeemOidcCode,
        response: { 200: LoginOutcome },
      },
    },
    ({ body }) => redeem(deps, body),
  )
}

import { Type } from 'typebox'
import { found } from '../../../../kernel/errors.ts'
import { forSignedIn, needs, needsSignIn } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { SignInPolicy, UserTotp } from './schema.ts'
import * as totp from './service.ts'
import { isRequired } from './store.ts'

const RESOURCE = 'one-time passwords'

/** One-time passwords of other users; mounted at /api/users. */
export function userTotpRoutes(app: App): void {
  const tags = ['users']

  getResource(
    app,
    '/:id/totp',
    {
      ...needs('read:user'),
      schema: {
        tags,
        operationId: 'getUserTotp',
        summary: 'Get the state and the events of the one-time passwords of a user',
        params: IdParams,
        response: { 200: UserTotp },
      },
    },
    async (request) => found('user', await totp.userStatus(request.tenantDb(), request.params.id)),
  )

  app.delete(
    '/:id/totp',
    {
      ...needsSignIn('manage:user'),
      schema: {
        tags,
        operationId: 'resetUserTotp',
        summary: 'Remove the one-time passwords of a user who has lost the device',
        description:
          'The reset is recorded (`events`). A user who holds more permissions than the caller cannot be changed ' +
          '(403). 404 when the user has none.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const change = { principal, userId: params.id, now: app.deps.clock.now() }
      found(RESOURCE, await request.tenantTx((tx) => totp.reset(tx, change)))
      return reply.code(204).send(null)
    },
  )
}

/** Rules of the tenant for logins; mounted at /api/auth/sign-in-policy. */
export function signInPolicyRoutes(app: App): void {
  const tags = ['authentication']

  app.get(
    '/',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'getSignInPolicy',
        summary: 'Get the rules of the tenant for logins',
        response: { 200: SignInPolicy },
      },
    },
    async (request) => ({ require_totp: await isRequired(request.tenantDb()) }),
  )

  app.put(
    '/',
    {
      ...needsSignIn('manage:user'),
      schema: {
        tags,
        operationId: 'setSignInPolicy',
        summary: 'Set the rules of the tenant for logins',
        description:
          'The caller must hold every permission (403), and use one-time passwords in order to require them (409 ' +
          'TOTP_NOT_ENROLLED). Users without them can then only set them up (403 TOTP_REQUIRED); API keys stay ' +
          'usable.',
        body: SignInPolicy,
        response: { 200: SignInPolicy },
      },
    },
    (request) => request.tenantTx((tx) => totp.setPolicy(tx, request.principal, request.body.require_totp)),
  )
}

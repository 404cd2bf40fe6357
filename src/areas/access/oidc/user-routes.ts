import { Type } from 'typebox'
import { needsSignIn } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { unlinkUser } from './link.ts'

/** Links of users to accounts of an OpenID provider; mounted at /api/users. */
export function userOidcRoutes(app: App): void {
  app.delete(
    '/:id/oidc-link',
    {
      ...needsSignIn('manage:user'),
      schema: {
        tags: ['users'],
        operationId: 'deleteUserOidcLink',
        summary: 'Unlink a user from the account of the OpenID provider',
        description:
          'The next sign-in with the verified address of the user links again, also another account of the ' +
          'provider. Tokens stay valid. A user who holds more permissions than the caller cannot be changed (403). ' +
          '404 when the user has no link.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const change = { principal: request.principal, userId: request.params.id }
      await request.tenantTx((tx) => unlinkUser(tx, change))
      return reply.code(204).send(null)
    },
  )
}

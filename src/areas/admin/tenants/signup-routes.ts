import { AppError } from '../../../kernel/errors.ts'
import { shareOfClient } from '../../../platform/auth/hash-shares.ts'
import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { messageBody } from '../../../platform/http/language.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { TENANT_TEXTS } from './messages.ts'
import { ConfirmSignup, Message, PendingSignup, ResendSignup, SignedUp, Signup } from './schema.ts'
import {
  confirmSignup,
  requestSignup,
  resendSignup,
  signUpAtOnce,
  verifiesSignups,
} from './signup-service.ts'

const tags = ['authentication']

/** Mounted at /api/auth/signup. */
export function signupRoutes(app: App): void {
  const { deps } = app
  const mode = {
    ...withErrors(forEveryone, 403),
    // Refused before the body is read, like every 403.
    onRequest: async () => {
      if (!deps.config.tenantSignupEnabled) {
        throw new AppError(403, 'PERMISSION_DENIED', TENANT_TEXTS.SIGNUP_NOT_ENABLED())
      }
    },
  }

  app.post(
    '/',
    {
      ...mode,
      schema: {
        tags,
        operationId: 'signUp',
        summary: 'Create a tenant with the caller as its admin',
        description:
          'Enabled only when TENANT_SIGNUP_ENABLED is set; otherwise 403. With SIGNUP_VERIFICATION `required` ' +
          '(the default when SMTP_URL is set) the response is 202, whether or not the address is registered, ' +
          'and the account is created when the link of the mail is confirmed. With `off` it is created at ' +
          'once (201), and a registered address is 409 DUPLICATE_ENTRY.',
        security: [],
        body: Signup,
        response: { 201: SignedUp, 202: PendingSignup },
      },
    },
    async ({ body, ip }, reply) => {
      const share = shareOfClient(addressKey(ip), 'signup')
      if (!verifiesSignups(deps.config)) return reply.code(201).send(await signUpAtOnce(deps, body, share))
      const pending = await requestSignup(deps, body, share)
      return reply.code(202).send({ ...messageBody(reply, TENANT_TEXTS.SIGNUP_REQUESTED()), ...pending })
    },
  )

  app.post(
    '/resend',
    {
      ...mode,
      schema: {
        tags,
        operationId: 'resendSignupLink',
        summary: 'Request the link of a pending signup again',
        description:
          'The new link replaces the previous one. The response is the same for an unknown signup.',
        security: [],
        body: ResendSignup,
        response: { 202: Message },
      },
    },
    async ({ body }, reply) => {
      resendSignup(deps, body)
      return reply.code(202).send(messageBody(reply, TENANT_TEXTS.SIGNUP_LINK_REQUESTED()))
    },
  )

  app.post(
    '/confirm',
    {
      ...mode,
      schema: {
        tags,
        operationId: 'confirmSignup',
        summary: 'Create the account of a pending signup',
        description:
          'An unknown, expired, replaced or used token is 400 INVALID_SIGNUP_TOKEN, a wrong password 422, an ' +
          'address that was registered meanwhile 409 DUPLICATE_ENTRY.',
        security: [],
        body: ConfirmSignup,
        response: { 201: SignedUp },
      },
    },
    async ({ body, ip }, reply) =>
      reply.code(201).send(await confirmSignup(deps, body, shareOfClient(addressKey(ip), 'link'))),
  )
}

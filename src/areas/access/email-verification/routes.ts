import { AppError } from '../../../kernel/errors.ts'
import { shareOfClient } from '../../../platform/auth/hash-shares.ts'
import { forEveryone, forSignedIn } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { messageBody } from '../../../platform/http/language.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { ConfirmEmail, Message } from './schema.ts'
import { confirmEmail, queueVerificationLink } from './service.ts'

const tags = ['authentication']

/** Mounted at /api/auth/email-verification. */
export function emailVerificationRoutes(app: App): void {
  const { deps } = app

  app.post(
    '/request',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'requestEmailVerification',
        summary: 'Request a link that verifies the e-mail address of the caller',
        description: 'The link is valid for 24 hours and replaces the previous one.',
        response: { 202: Message },
      },
    },
    async ({ principal }, reply) => {
      const user = { tenantId: principal.tenantId, userId: principal.id }
      if (!queueVerificationLink(deps, user))
        throw new AppError(429, 'RATE_LIMITED', ACCESS_TEXTS.VERIFICATION_QUEUE_FULL())
      return reply.code(202).send(messageBody(reply, ACCESS_TEXTS.VERIFICATION_LINK_REQUESTED()))
    },
  )

  app.post(
    '/confirm',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'confirmEmailVerification',
        summary: 'Verify an e-mail address with the token of a link',
        description:
          'An unknown, expired, replaced or used token is 400 INVALID_VERIFICATION_TOKEN. A wrong password is ' +
          '422; the link remains valid.',
        security: [],
        body: ConfirmEmail,
        response: { 200: Message },
      },
    },
    async ({ body, ip }, reply) => {
      await confirmEmail(deps, body, shareOfClient(addressKey(ip), 'link'))
      return messageBody(reply, ACCESS_TEXTS.EMAIL_VERIFIED())
    },
  )
}

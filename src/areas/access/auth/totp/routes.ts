import { forEnrolment, forSignedIn } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { messageBody } from '../../../../platform/http/language.ts'
import { ACCESS_TEXTS } from '../../messages.ts'
import type { Lockout } from '../lockout.ts'
import { Message } from '../schema.ts'
import { ConfirmTotp, EnrolTotp, OwnTotp, ProveTotp, RecoveryCodes, TotpEnrolment } from './schema.ts'
import * as totp from './service.ts'

const tags = ['authentication']

/** One-time passwords of the caller; mounted at /api/auth. */
export function totpRoutes(app: App, lockout: Lockout): void {
  const { deps } = app

  app.get(
    '/totp',
    {
      ...forEnrolment,
      schema: {
        tags,
        operationId: 'getOwnTotp',
        summary: 'Get the state of the one-time passwords of the caller',
        response: { 200: OwnTotp },
      },
    },
    (request) => totp.ownStatus(request.tenantDb(), request.principal),
  )

  app.post(
    '/totp/enrol',
    {
      ...forEnrolment,
      schema: {
        tags,
        operationId: 'enrolTotp',
        summary: 'Begin to set up one-time passwords (TOTP)',
        description:
          'Returns a new secret for an authenticator app. It is in force only after `confirm`. 409 ' +
          'TOTP_ALREADY_ENABLED when one-time passwords are in force; a wrong password is 422.',
        body: EnrolTotp,
        response: { 200: TotpEnrolment },
      },
    },
    ({ principal, body }) => totp.enrol(deps, lockout, { principal, body }),
  )

  app.post(
    '/totp/confirm',
    {
      ...forEnrolment,
      schema: {
        tags,
        operationId: 'confirmTotp',
        summary: 'Put one-time passwords in force',
        description:
          'Needs a code of the enrolled secret; a wrong one is 422. From now on a login has two steps. Existing ' +
          'tokens stay valid. The response contains the recovery codes.',
        body: ConfirmTotp,
        response: { 200: RecoveryCodes },
      },
    },
    ({ principal, body }) => totp.confirm(deps, lockout, { principal, body }),
  )
  provenRoutes(app, lockout)
}

/** Operations that need the password and a code. */
function provenRoutes(app: App, lockout: Lockout): void {
  const { deps } = app

  app.post(
    '/totp/recovery-codes',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'replaceRecoveryCodes',
        summary: 'Replace the recovery codes of the caller',
        description: 'A wrong password or code is 422. The older codes are no longer accepted.',
        body: ProveTotp,
        response: { 200: RecoveryCodes },
      },
    },
    ({ principal, body }) => totp.replaceRecoveryCodes(deps, lockout, { principal, body }),
  )

  app.post(
    '/totp/disable',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'disableTotp',
        summary: 'Remove the one-time passwords of the caller',
        description:
          'A wrong password or code is 422. Where the tenant requires one-time passwords, the caller has to set ' +
          'them up again.',
        body: ProveTotp,
        response: { 200: Message },
      },
    },
    async ({ principal, body }, reply) => {
      await totp.disable(deps, lockout, { principal, body })
      return messageBody(reply, ACCESS_TEXTS.TOTP_REMOVED())
    },
  )
}

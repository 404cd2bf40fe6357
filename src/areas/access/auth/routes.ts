import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, found } from '../../../kernel/errors.ts'
import { forEveryone, forProfile, forSignedIn } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { messageBody } from '../../../platform/http/language.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { browserSessionRoutes } from './browser-session/routes.ts'
import { type Lockout, makeLockout } from './lockout.ts'
import { confirmReset, sendResetLink } from './reset.ts'
import {
  ChangePassword,
  Login,
  LoginOutcome,
  LoginResponse,
  Message,
  Profile,
  Refresh,
  RefreshResponse,
  ResetConfirm,
  ResetRequest,
  UpdateProfile,
} from './schema.ts'
import { changePassword, changeProfile, login, loginWithCode, profile, refresh } from './service.ts'
import { totpRoutes } from './totp/routes.ts'
import { LoginTotp } from './totp/schema.ts'

const tags = ['authentication']
const noSecurity: [] = []

export function authRoutes(app: App): void {
  const { rates, deps } = app
  const lockout = makeLockout({ rates, failures: deps.config.rateLimits.loginFailures })
  tokenRoutes(app, lockout)
  browserSessionRoutes(app)
  profileRoutes(app)
  passwordRoutes(app, lockout)
  totpRoutes(app, lockout)
}

function tokenRoutes(app: App, lockout: Lockout): void {
  const { deps } = app

  app.post(
    '/login',
    {
      ...withErrors(forEveryone, 401),
      schema: {
        tags,
        operationId: 'login',
        summary: 'Sign in with e-mail address and password',
        security: noSecurity,
        description:
          'A user with one-time passwords receives `mfa_required` and a token for the second step, ' +
          '`/api/auth/login/totp`, instead of the tokens.',
        body: Login,
        response: { 200: LoginOutcome },
      },
    },
    ({ ip, body: { email, password } }) =>
      login(deps, lockout, { email: normalizeEmail(email), password, address: addressKey(ip) }),
  )

  app.post(
    '/login/totp',
    {
      ...withErrors(forEveryone, 401),
      schema: {
        tags,
        operationId: 'loginWithTotp',
        summary: 'Second step of a login: one-time password or recovery code',
        description:
          'A code is accepted once. A wrong one is 401 INVALID_TOTP_CODE; after too many of them the user is ' +
          'locked out for a time (429).',
        security: noSecurity,
        body: LoginTotp,
        response: { 200: LoginResponse },
      },
    },
    ({ body }) => loginWithCode(deps, lockout, body),
  )

  app.post(
    '/refresh',
    {
      ...withErrors(forEveryone, 401),
      schema: {
        tags,
        operationId: 'refreshToken',
        summary: 'Exchange a refresh token for a new access token',
        description:
          'Refresh tokens are not stored. One that was issued before the last password reset is refused ' +
          '(401).',
        security: noSecurity,
        body: Refresh,
        response: { 200: RefreshResponse },
      },
    },
    ({ body }) => refresh(deps, body.refresh_token),
  )
}

function profileRoutes(app: App): void {
  app.get(
    '/me',
    {
      ...forProfile,
      schema: {
        tags,
        operationId: 'getProfile',
        summary: 'Get the profile of the caller',
        response: { 200: Profile },
      },
    },
    async (request) => found('user', await profile(request.tenantDb(), request.principal)),
  )

  app.put(
    '/me',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'updateProfile',
        summary: 'Change the language of the caller',
        description: 'Absent fields stay as they are.',
        body: UpdateProfile,
        response: { 200: Profile },
      },
    },
    async (request) => {
      await request.tenantTx((tx) => changeProfile(tx, request.principal, request.body))
      return found('user', await profile(request.tenantDb(), request.principal))
    },
  )
}

function passwordRoutes(app: App, lockout: Lockout): void {
  const { deps } = app

  app.post(
    '/change-password',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the password of the caller',
        description: 'Existing tokens stay valid until they expire. A wrong current password is 422.',
        body: ChangePassword,
        response: { 200: Message },
      },
    },
    async ({ principal, body }, reply) => {
      await changePassword(deps, lockout, { principal, body })
      return messageBody(reply, ACCESS_TEXTS.PASSWORD_CHANGED())
    },
  )

  app.post(
    '/password-reset/request',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'requestPasswordReset',
        summary: 'Request a link to reset a password',
        description:
          'The response has the same content and duration whether or not the address is registered. The new ' +
          'link revokes all earlier links.',
        security: noSecurity,
        body: ResetRequest,
        response: { 202: Message },
      },
    },
    async ({ body }, reply) => {
      const isQueued = deps.background.run('send a reset link', () => sendResetLink(deps, body.email))
      if (!isQueued) throw new AppError(429, 'RATE_LIMITED', ACCESS_TEXTS.RESET_QUEUE_FULL())
      return reply.code(202).send(messageBody(reply, ACCESS_TEXTS.RESET_LINK_REQUESTED()))
    },
  )

  app.post(
    '/password-reset/confirm',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'confirmPasswordReset',
        summary: 'Set a new password with the token of a reset link',
        description:
          'An unknown, expired, revoked or used token is 400 INVALID_RESET_TOKEN. Refresh tokens that were ' +
          'issued before stop working; access tokens stay valid until they expire. The response takes ' +
          'up to about one second.',
        security: noSecurity,
        body: ResetConfirm,
        response: { 200: Message },
      },
    },
    async ({ ip, body }, reply) => {
      await confirmReset(deps, lockout, { ...body, address: addressKey(ip) })
      return messageBody(reply, ACCESS_TEXTS.PASSWORD_RESET())
    },
  )
}

import { randomUUID } from 'node:crypto'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import type { HashShare } from '../../../platform/auth/hash-shares.ts'
import { hashLinkToken, makeLinkToken } from '../../../platform/auth/link-token.ts'
import { inSystemTx, systemDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { queueVerificationLink } from '../../access/email-verification/index.ts'
import { SIGNUP_TTL_MS } from './limits.ts'
import { TENANT_TEXTS } from './messages.ts'
import type { ConfirmSignup, ResendSignup, Signup } from './schema.ts'
import { createTenant } from './service.ts'
import { alreadyRegisteredMail, signupMail } from './signup-mails.ts'
import * as store from './signup-store.ts'

/**
 * Signup in two modes (ADR 0059):
 *
 * - With verification nothing but a pending signup exists until the link in the mail is used together with
 *   the password of the signup. So nobody can reserve an address of somebody else, and the owner of the
 *   address does not activate an account of a stranger by opening the link.
 * - Without it the account exists at once. Its address is not verified, so it cannot send invitations while
 *   the service sends mails.
 */

/** Without the setting, addresses are verified when the service can send mails. */
export const verifiesSignups = ({
  signupVerification,
  smtpUrl,
}: Pick<Config, 'signupVerification' | 'smtpUrl'>): boolean =>
  signupVerification === undefined ? smtpUrl !== undefined : signupVerification === 'required'

const tooManyMails = () => new AppError(429, 'RATE_LIMITED', TENANT_TEXTS.SIGNUP_QUEUE_FULL())

/** Creates the account at once. If the service sends mails, a link verifies the address later. */
export async function signUpAtOnce(deps: Deps, body: Signup, share: HashShare) {
  const passwordHash = await deps.passwords.hash(body.password, share)
  const { tenant, tenantId, admin } = await inSystemTx(deps.database.kysely, (tx) =>
    createTenant(tx, {
      name: body.tenant_name,
      admin: {
        email: body.email,
        passwordHash,
        fullName: body.full_name,
        isEmailVerified: false,
        language: body.language,
      },
    }),
  )
  // A link that cannot be queued is requested again by the user.
  if (deps.config.smtpUrl !== undefined) queueVerificationLink(deps, { tenantId, userId: admin.id })
  return { tenant, user: admin }
}

async function storeAndSend(deps: Deps, id: string, body: Signup & { passwordHash: string }): Promise<void> {
  const email = normalizeEmail(body.email)
  const { token, tokenHash } = makeLinkToken()
  const now = deps.clock.now()
  const isRegistered = await inSystemTx(deps.database.kysely, async (tx) => {
    if (await store.isRegistered(tx, email)) return true
    await store.add(tx, {
      id,
      email,
      tenant_name: body.tenant_name,
      full_name: body.full_name,
      password_hash: body.passwordHash,
      token_hash: tokenHash,
      language: body.language ?? null,
      expires_at: new Date(now + SIGNUP_TTL_MS),
      created_at: new Date(now),
    })
    return false
  })
  const { publicBaseUrl } = deps.config
  const recipient = { to: email, language: body.language ?? null, baseUrl: publicBaseUrl }
  await deps.mail.send(isRegistered ? alreadyRegisteredMail(recipient) : signupMail(recipient, token))
}

/**
 * Stores a pending signup and mails its link. Content and duration of the response do not reveal whether the
 * address has an account.
 */
export async function requestSignup(deps: Deps, body: Signup, share: HashShare) {
  const passwordHash = await deps.passwords.hash(body.password, share)
  const id = randomUUID()
  const isQueued = deps.background.run('send a signup link', () =>
    storeAndSend(deps, id, { ...body, passwordHash }),
  )
  if (!isQueued) throw tooManyMails()
  return { signup_id: id, expires_at: new Date(deps.clock.now() + SIGNUP_TTL_MS) }
}

/** Mails a new link, which replaces the previous one; does nothing for an unknown signup. */
export function resendSignup(deps: Deps, body: ResendSignup): void {
  const email = normalizeEmail(body.email)
  const isQueued = deps.background.run('send a signup link', async () => {
    const { token, tokenHash } = makeLinkToken()
    const now = deps.clock.now()
    const link = { token_hash: tokenHash, expires_at: new Date(now + SIGNUP_TTL_MS), now: new Date(now) }
    const signup = { id: body.signup_id, email }
    const found = await store.replaceLink(systemDb(deps.database.kysely), signup, link)
    if (!found) return
    const language = found.language as Language | null
    await deps.mail.send(signupMail({ to: email, language, baseUrl: deps.config.publicBaseUrl }, token))
  })
  if (!isQueued) throw tooManyMails()
}

const invalidLink = () => new AppError(400, 'INVALID_SIGNUP_TOKEN', TENANT_TEXTS.SIGNUP_LINK_NOT_VALID())

/**
 * Creates tenant and admin of a pending signup, once. 400 for every invalid link, whatever the reason. The
 * signup remains pending when the password is wrong or the address was registered meanwhile.
 */
export async function confirmSignup(deps: Deps, { token, password }: ConfirmSignup, share: HashShare) {
  const { kysely } = deps.database
  const tokenHash = hashLinkToken(token)
  const signup = await store.find(systemDb(kysely), tokenHash, new Date(deps.clock.now()))
  if (!signup) throw invalidLink()
  if (!(await deps.passwords.verify(password, signup.password_hash, share)))
    throw invalidInput(['body', 'password'], TENANT_TEXTS.PASSWORD_NOT_OF_SIGNUP())
  const { email, password_hash: passwordHash, full_name: fullName } = signup
  const { tenant, admin } = await inSystemTx(kysely, async (tx) => {
    if (!(await store.consume(tx, tokenHash))) throw invalidLink()
    const created = await createTenant(tx, {
      name: signup.tenant_name,
      admin: {
        email,
        passwordHash,
        fullName,
        isEmailVerified: true,
        language: signup.language as Language | null,
      },
    })
    await store.removeOthers(tx, email)
    return created
  })
  return { tenant, user: admin }
}

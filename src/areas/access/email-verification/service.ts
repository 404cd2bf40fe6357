import { AppError } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import type { HashShare } from '../../../platform/auth/hash-shares.ts'
import { hashLinkToken, linkWithToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { composeLetter } from '../../../platform/mail/compose.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { EMAIL_VERIFICATION_TTL_MS } from '../limits.ts'
import { ACCESS_MAILS, ACCESS_TEXTS } from '../messages.ts'
import type { ConfirmEmail } from './schema.ts'
import * as store from './store.ts'

/** Mails a link that replaces the previous one; does nothing when the address is verified already. */
async function sendLink(deps: Deps, { tenantId, userId }: { tenantId: number; userId: string }) {
  const { token, tokenHash } = makeTenantToken(tenantId)
  const user = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const unverified = await store.findUnverified(tx, userId)
    if (!unverified) return undefined
    const expires_at = new Date(deps.clock.now() + EMAIL_VERIFICATION_TTL_MS)
    await store.replaceLink(tx, { user_id: userId, token_hash: tokenHash, expires_at })
    return unverified
  })
  if (!user) return
  const letter = composeLetter({
    to: user.email,
    language: user.language as Language | null,
    subject: ACCESS_MAILS.VERIFICATION_MAIL_SUBJECT(),
    body: ACCESS_MAILS.VERIFICATION_MAIL(),
    link: linkWithToken(deps.config.publicBaseUrl, '/email-verification', token),
    token,
  })
  await deps.mail.send(letter)
}

/** False when too many mails are waiting. */
export const queueVerificationLink = (deps: Deps, user: { tenantId: number; userId: string }): boolean =>
  deps.background.run('send a verification link', () => sendLink(deps, user))

const invalidLink = () =>
  new AppError(400, 'INVALID_VERIFICATION_TOKEN', ACCESS_TEXTS.VERIFICATION_LINK_NOT_VALID())

/**
 * Marks the address of a user as verified, once. The password is needed, so that somebody else who receives
 * the mail does not verify an account that a stranger has opened with their address.
 */
export async function confirmEmail(
  deps: Deps,
  { token, password }: ConfirmEmail,
  share: HashShare,
): Promise<void> {
  const { kysely, pool } = deps.database
  const tokenHash = hashLinkToken(token)
  const tenantId = await findTokenTenant(pool, store.LINK_TOKENS, token)
  if (tenantId === undefined) throw invalidLink()
  const now = new Date(deps.clock.now())
  const link = await store.findLink(tenantDb(kysely, tenantId), tokenHash, now)
  if (!link) throw invalidLink()
  if (!(await deps.passwords.verify(password, link.passwordHash ?? undefined, share)))
    throw invalidInput(['body', 'password'], ACCESS_TEXTS.PASSWORD_NOT_OF_ACCOUNT())
  await inTenantTx(kysely, tenantId, async (tx) => {
    if (!(await store.consumeLink(tx, tokenHash))) throw invalidLink()
    await store.markVerified(tx, link.userId)
  })
}

import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { shareOfClient } from '../../../platform/auth/hash-shares.ts'
import { hashLinkToken, linkWithToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import { composeLetter } from '../../../platform/mail/compose.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCESS_MAILS, ACCESS_TEXTS } from '../messages.ts'
import type { Lockout } from './lockout.ts'
import type { ResetConfirm } from './schema.ts'
import * as store from './store.ts'

const MINUTE_MS = 60_000

/**
 * Mails a reset link to the active user with that address and revokes earlier links; does nothing for unknown
 * addresses. The route does not wait for it, so neither content nor timing of its response reveals whether
 * the address exists.
 */
export async function sendResetLink(deps: Deps, email: string): Promise<void> {
  const { kysely } = deps.database
  const user = await store.findByEmail(systemDb(kysely), normalizeEmail(email))
  if (!user) return
  const { token, tokenHash } = makeTenantToken(user.tenantId)
  const ttlMinutes = deps.config.passwordResetTtlMinutes
  await inTenantTx(kysely, user.tenantId, async (tx) => {
    await store.lockUser(tx, user.id)
    const now = deps.clock.now()
    await store.revokeLinks(tx, user.id, new Date(now))
    await store.deleteExpiredLinks(tx, user.id, new Date(now - DAY_MS))
    await store.insertLink(tx, {
      user_id: user.id,
      token_hash: tokenHash,
      expires_at: new Date(now + ttlMinutes * MINUTE_MS),
      created_at: new Date(now),
    })
  })
  const letter = composeLetter({
    to: user.email,
    language: user.language as Language | null,
    subject: ACCESS_MAILS.RESET_MAIL_SUBJECT(),
    body: ACCESS_MAILS.RESET_MAIL({ minutes: ttlMinutes }),
    link: linkWithToken(deps.config.publicBaseUrl, '/password-reset', token),
    token,
  })
  await deps.mail.send(letter)
}

const nextSecond = (instant: number) => (Math.floor(instant / 1000) + 1) * 1000

/**
 * Invalidates older refresh tokens after a new password was committed. Token times and password_changed_at
 * are whole seconds, so the boundary is the second after the commit, and this function returns when that
 * second has begun: every token issued before is older, every token issued after is not.
 */
async function invalidateOlderTokens(
  deps: Deps,
  user: { tenantId: number; userId: string },
  storedChangedAt: number,
): Promise<void> {
  const boundary = nextSecond(deps.clock.now())
  if (boundary !== storedChangedAt) {
    await store.setPasswordChangedAt(
      tenantDb(deps.database.kysely, user.tenantId),
      user.userId,
      new Date(boundary),
    )
  }
  await deps.clock.sleep(Math.max(boundary - deps.clock.now(), 0))
}

const invalidLink = () => new AppError(400, 'INVALID_RESET_TOKEN', ACCESS_TEXTS.RESET_LINK_NOT_VALID())

/**
 * Sets the password by a link, once. 400 for every invalid link, whatever the reason. The link was mailed to
 * the owner, so the client at this address key may sign in afterwards.
 */
export async function confirmReset(
  deps: Deps,
  lockout: Lockout,
  { token, new_password, address }: ResetConfirm & { readonly address: string },
): Promise<void> {
  const { kysely, pool } = deps.database
  const tokenHash = hashLinkToken(token)
  const now = () => new Date(deps.clock.now())
  const tenantId = await findTokenTenant(pool, store.LINK_TOKENS, token)
  if (tenantId === undefined) throw invalidLink()
  if (!(await store.findLink(tenantDb(kysely, tenantId), tokenHash, now()))) throw invalidLink()
  const passwordHash = await deps.passwords.hash(new_password, shareOfClient(address, 'link'))
  const changedAt = nextSecond(deps.clock.now())
  const user = await inTenantTx(kysely, tenantId, async (tx) => {
    const link = await store.consumeLink(tx, tokenHash, now())
    if (!link) throw invalidLink()
    const reset = await store.resetPassword(tx, link.userId, {
      passwordHash,
      changedAt: new Date(changedAt),
    })
    if (!reset) throw invalidLink()
    await store.markEmailVerified(tx, link.userId)
    return { tenantId, userId: link.userId, email: reset.email }
  })
  const attempt = { email: user.email, address }
  await Promise.all([lockout.lift(attempt), lockout.succeeded(attempt)])
  await invalidateOlderTokens(deps, user, changedAt)
}

/**
 * Command line: sets the password of the active user with that address, with the effects of a reset. False
 * when there is no such user.
 */
export async function resetPasswordByEmail(
  deps: Deps,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const { kysely } = deps.database
  const user = await store.findByEmail(systemDb(kysely), normalizeEmail(email))
  if (!user) return false
  const passwordHash = await deps.passwords.hash(password)
  const changedAt = nextSecond(deps.clock.now())
  await inTenantTx(kysely, user.tenantId, async (tx) => {
    await store.resetPassword(tx, user.id, { passwordHash, changedAt: new Date(changedAt) })
    await store.revokeLinks(tx, user.id, new Date(deps.clock.now()))
  })
  await invalidateOlderTokens(deps, { tenantId: user.tenantId, userId: user.id }, changedAt)
  return true
}

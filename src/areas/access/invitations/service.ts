import { nameInMail } from '../../../kernel/display-name.ts'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, conflict } from '../../../kernel/errors.ts'
import type { HashShare } from '../../../platform/auth/hash-shares.ts'
import { hashLinkToken, linkWithToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { composeLetter } from '../../../platform/mail/compose.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { INVITATION_TTL_MS } from '../limits.ts'
import { ACCESS_MAILS, ACCESS_TEXTS } from '../messages.ts'
import { assertNotStronger, findRolePermissions, resolveGrantableRoles } from '../roles/index.ts'
import { addUser, isEmailVerified } from '../users/index.ts'
import type { AcceptInvitation, CreateInvitation } from './schema.ts'
import * as store from './store.ts'

const alreadyRegistered = () => conflict('DUPLICATE_ENTRY', ACCESS_TEXTS.USER_EMAIL_EXISTS())

/** A pending invitation with roles that the caller could not grant cannot be replaced by the caller. */
async function assertNotWeakened(
  tx: TenantTx,
  principal: Principal,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const roleIds = (await store.listOpen(tx, email, now)).flatMap(({ role_ids }) => role_ids)
  await assertGrantable(tx, principal, roleIds)
}

async function assertGrantable(tx: TenantTx, principal: Principal, roleIds: readonly string[]) {
  if (roleIds.length === 0) return
  const roles = await findRolePermissions(tx, [...new Set(roleIds)])
  const permissions = roles.flatMap((role) => role.permissions)
  assertNotStronger(principal, 'the pending invitation', permissions)
}

/** Undefined for an invitation that is not pending. */
export async function revoke(tx: TenantTx, principal: Principal, { id, at }: { id: string; at: Date }) {
  const invitation = await store.findPending(tx, id)
  if (!invitation) return undefined
  await assertGrantable(tx, principal, invitation.role_ids)
  return store.revokePending(tx, id, at)
}

const notVerified = () => new AppError(403, 'EMAIL_NOT_VERIFIED', ACCESS_TEXTS.INVITER_NOT_VERIFIED())

/** Creates an invitation and revokes earlier ones for the address. The mail is sent after the response. */
export async function invite(deps: Deps, principal: Principal, body: CreateInvitation) {
  const email = normalizeEmail(body.email)
  const { token, tokenHash } = makeTenantToken(principal.tenantId)
  const sendsMails = deps.config.smtpUrl !== undefined
  const { invitation, tenant } = await inTenantTx(deps.database.kysely, principal.tenantId, async (tx) => {
    const roleIds = await resolveGrantableRoles(tx, principal, { ids: body.role_ids ?? [] })
    if (sendsMails && !(await isEmailVerified(tx, principal.id))) throw notVerified()
    if (await store.isRegistered(tx, email)) throw alreadyRegistered()
    const tenant = await store.lockTenant(tx)
    const now = deps.clock.now()
    await assertNotWeakened(tx, principal, { email, now: new Date(now) })
    await store.revokeOpen(tx, email, new Date(now))
    const invitation = await store.add(tx, {
      email,
      role_ids: roleIds,
      language: body.language ?? null,
      token_hash: tokenHash,
      invited_by: principal.id,
      expires_at: new Date(now + INVITATION_TTL_MS),
      created_at: new Date(now),
    })
    return { invitation, tenant }
  })
  const mail = composeLetter({
    to: email,
    language: body.language ?? null,
    subject: ACCESS_MAILS.INVITATION_MAIL_SUBJECT(),
    body: ACCESS_MAILS.INVITATION_MAIL({ tenant: nameInMail(tenant.name) }),
    link: linkWithToken(deps.config.publicBaseUrl, '/invitation', token),
    token,
  })
  const isQueued = deps.background.run('send an invitation', () => deps.mail.send(mail))
  // The undelivered link is revoked by the next invitation.
  if (!isQueued) throw new AppError(429, 'RATE_LIMITED', ACCESS_TEXTS.INVITATION_QUEUE_FULL())
  return invitation
}

const invalidLink = () =>
  new AppError(400, 'INVALID_INVITATION_TOKEN', ACCESS_TEXTS.INVITATION_LINK_NOT_VALID())

/**
 * Creates the invited user, once. 400 for every invalid link, whatever the reason. Roles deleted meanwhile
 * are omitted. The invitation stays open when the address was registered meanwhile.
 */
export async function accept(deps: Deps, { token, full_name, password }: AcceptInvitation, share: HashShare) {
  const { kysely, pool } = deps.database
  const tokenHash = hashLinkToken(token)
  const now = () => new Date(deps.clock.now())
  const tenantId = await findTokenTenant(pool, store.LINK_TOKENS, token)
  if (tenantId === undefined) throw invalidLink()
  if (!(await store.findOpen(tenantDb(kysely, tenantId), tokenHash, now()))) throw invalidLink()
  const passwordHash = await deps.passwords.hash(password, share)
  return inTenantTx(kysely, tenantId, async (tx) => {
    const invitation = await store.accept(tx, tokenHash, now())
    if (!invitation) throw invalidLink()
    const { email, role_ids, language } = invitation
    const roles = role_ids.length > 0 ? await findRolePermissions(tx, role_ids) : []
    return addUser(tx, {
      email,
      passwordHash,
      fullName: full_name,
      roleIds: roles.map(({ id }) => id),
      isEmailVerified: true,
      language,
    })
  })
}

import { displayNameFault } from '../../../kernel/display-name.ts'
import { isEmail, normalizeEmail } from '../../../kernel/email.ts'
import { found } from '../../../kernel/errors.ts'
import { DISPLAY_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH } from '../../../kernel/limits.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { addUser, assertMayManage, lockUserForUpdate } from '../users/index.ts'
import type { OidcClaims } from './client.ts'
import { oidcFailure } from './failures.ts'
import * as store from './store.ts'

interface LinkedUser {
  readonly id: string
  readonly is_active: boolean
  readonly is_superuser: boolean
}

/**
 * A superuser operates the installation, and the provider belongs to a tenant: its administrator could otherwise
 * sign in as the superuser.
 */
function assertMaySignIn(user: LinkedUser): string {
  if (user.is_superuser) throw oidcFailure('OIDC_USER_NOT_ALLOWED')
  if (!user.is_active) throw oidcFailure('OIDC_USER_INACTIVE')
  return user.id
}

export const findLinkedUser = async (
  tx: TenantTx,
  subject: { readonly issuer: string; readonly subject: string },
): Promise<string | undefined> => {
  const user = await store.findLinked(tx, subject)
  return user && assertMaySignIn(user)
}

/** The verified address of the claims, in an allowed domain. */
function verifiedEmail({ email, emailVerified }: OidcClaims, domains: readonly string[]): string {
  if (
    emailVerified !== true ||
    typeof email !== 'string' ||
    email.length > EMAIL_MAX_LENGTH ||
    !isEmail(email)
  )
    throw oidcFailure('OIDC_EMAIL_NOT_VERIFIED')
  const address = normalizeEmail(email)
  if (!domains.includes(address.slice(address.lastIndexOf('@') + 1)))
    throw oidcFailure('OIDC_DOMAIN_NOT_ALLOWED')
  return address
}

/** The name, unless it could not be entered as the name of a user. */
function nameOf({ name }: OidcClaims): string | null {
  if (typeof name !== 'string') return null
  const text = name.trim()
  const isFitting = text !== '' && [...text].length <= DISPLAY_NAME_MAX_LENGTH
  return isFitting && displayNameFault(text) === undefined ? text : null
}

interface NewLink {
  readonly issuer: string
  readonly claims: OidcClaims
  readonly provider: store.ProviderRow
  readonly at: Date
}

/**
 * Binds a subject that signs in for the first time to the user with its verified address, or creates the user. A
 * created user has no password, and the address is not verified for the service: the tenant chooses the provider,
 * which can assert any address.
 */
export async function linkUser(tx: TenantTx, { issuer, claims, provider, at }: NewLink): Promise<string> {
  const { subject } = claims
  const email = verifiedEmail(claims, provider.allowed_domains)
  const known = await store.findByEmail(tx, email)
  if (known) {
    assertMaySignIn(known)
    if (await store.isLinked(tx, issuer, known.id)) throw oidcFailure('OIDC_USER_LINKED')
    await store.link(tx, { issuer, subject, userId: known.id, at })
    return known.id
  }
  const { creates_users, role_id } = provider
  if (!creates_users || role_id === null || (await store.isAddressTaken(tx, email)))
    throw oidcFailure('OIDC_USER_UNKNOWN')
  const { id } = await addUser(tx, {
    email,
    passwordHash: null,
    fullName: nameOf(claims),
    roleIds: [role_id],
    isEmailVerified: false,
  })
  await store.link(tx, { issuer, subject, userId: id, at })
  return id
}

/** Frees a user for another subject, which is linked at its first sign-in by the verified address. */
export async function unlinkUser(
  tx: TenantTx,
  { principal, userId }: { readonly principal: Principal; readonly userId: string },
): Promise<void> {
  const user = found('user', await lockUserForUpdate(tx, userId))
  assertMayManage(principal, user)
  found('OpenID link', await store.unlink(tx, userId))
}

import { normalizeEmail } from '../../../../kernel/email.ts'
import { AppError, conflict } from '../../../../kernel/errors.ts'
import { PERMISSIONS } from '../../../../kernel/permissions.ts'
import { makeSealer } from '../../../../platform/auth/sealer.ts'
import { makeTotpSecret, matchingStep, toBase32, totpUri } from '../../../../platform/auth/totp.ts'
import {
  inTenantTx,
  systemDb,
  type TenantDb,
  type TenantTx,
  tenantDb,
} from '../../../../platform/db/tenant.ts'
import type { Principal } from '../../../../platform/http/app-type.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { ACCESS_TEXTS } from '../../messages.ts'
import { assertNotStronger } from '../../roles/index.ts'
import { assertMayManage, findUser, lockUserForUpdate } from '../../users/index.ts'
import type { Lockout } from '../lockout.ts'
import { requirePasswordIfSet } from '../password-check.ts'
import { findByEmail } from '../store.ts'
import { acceptCode, makeRecoveryCodes, openSecret, secretContext } from './codes.ts'
import type { EnrolTotp, ProveTotp } from './schema.ts'
import * as store from './store.ts'

const ISSUER = 'Netsaat'
const wrongCode = () => invalidInput(['body', 'code'], ACCESS_TEXTS.CODE_NOT_VALID())
const userOf = ({ tenantId, id }: Principal) => ({ tenantId, userId: id })
const isEnabled = (row: { confirmed_at: Date | null } | undefined): boolean =>
  row !== undefined && row.confirmed_at !== null

async function statusOf(db: TenantDb, userId: string) {
  const row = await store.find(db, userId)
  return {
    enabled: isEnabled(row),
    enabled_at: row?.confirmed_at ?? null,
    recovery_codes_left: await store.countRecoveryCodes(db, userId),
  }
}

export const ownStatus = async (db: TenantDb, { id }: Principal) => ({
  ...(await statusOf(db, id)),
  required: await store.isRequired(db),
})

/** Undefined when there is no such user. */
export async function userStatus(db: TenantDb, userId: string) {
  const user = await findUser(db, userId)
  return user && { ...(await statusOf(db, user.id)), events: await store.listEvents(db, user.id) }
}

/** Whether the second step of a login is necessary. */
export const needsCode = async (db: TenantDb, userId: string): Promise<boolean> =>
  isEnabled(await store.find(db, userId))

interface Call<Body> {
  readonly principal: Principal
  readonly body: Body
}

/** Makes a secret, which is in force only once one of its codes was entered. */
export async function enrol(deps: Deps, lockout: Lockout, { principal, body }: Call<EnrolTotp>) {
  const sealer = makeSealer(deps.config.credentialEncryptionKey)
  await requirePasswordIfSet(deps, lockout, { principal, password: body.password, field: 'password' })
  const secret = makeTotpSecret()
  const email = await inTenantTx(deps.database.kysely, principal.tenantId, async (tx) => {
    const sealed = sealer.seal(secret.toString('base64'), secretContext(principal.id))
    const at = new Date(deps.clock.now())
    if (!(await store.putSecret(tx, { userId: principal.id, sealed, at })))
      throw conflict('TOTP_ALREADY_ENABLED', ACCESS_TEXTS.TOTP_ALREADY_ENABLED())
    return (await findUser(tx, principal.id))?.email ?? principal.id
  })
  return { secret: toBase32(secret), otpauth_uri: totpUri(secret, { issuer: ISSUER, account: email }) }
}

async function newRecoveryCodes(tx: TenantTx, userId: string) {
  const { codes, hashes } = makeRecoveryCodes()
  await store.replaceRecoveryCodes(tx, userId, hashes)
  return { recovery_codes: codes }
}

/** Puts the enrolled secret in force. */
export async function confirm(deps: Deps, lockout: Lockout, { principal, body }: Call<{ code: string }>) {
  const userId = principal.id
  await lockout.countCode(userId)
  const codes = await inTenantTx(deps.database.kysely, principal.tenantId, async (tx) => {
    const row = await store.lock(tx, userId)
    if (!row) throw conflict('TOTP_NOT_ENROLLED', ACCESS_TEXTS.TOTP_NOT_ENROLLED())
    if (isEnabled(row)) throw conflict('TOTP_ALREADY_ENABLED', ACCESS_TEXTS.TOTP_ALREADY_ENABLED())
    const now = deps.clock.now()
    const step = matchingStep(openSecret(deps, userId, row.secret_sealed), body.code, now)
    if (step === undefined) throw wrongCode()
    await store.confirm(tx, userId, { step, at: new Date(now) })
    await store.record(tx, { userId, actorId: userId, event: 'enabled', at: new Date(now) })
    return newRecoveryCodes(tx, userId)
  })
  await lockout.codeAccepted(userId)
  return codes
}

/** Checks the password, if there is one, and the code of a user with one-time passwords. */
async function prove(deps: Deps, lockout: Lockout, { principal, body }: Call<ProveTotp>): Promise<void> {
  if (!(await needsCode(tenantDb(deps.database.kysely, principal.tenantId), principal.id)))
    throw conflict('TOTP_NOT_ENROLLED', ACCESS_TEXTS.TOTP_NOT_ENROLLED())
  await requirePasswordIfSet(deps, lockout, { principal, password: body.password, field: 'password' })
  if (!(await acceptCode(deps, lockout, { ...userOf(principal), code: body.code }))) throw wrongCode()
}

export async function replaceRecoveryCodes(deps: Deps, lockout: Lockout, call: Call<ProveTotp>) {
  await prove(deps, lockout, call)
  const { id: userId, tenantId } = call.principal
  return inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    if (!(await store.lock(tx, userId))) throw conflict('TOTP_NOT_ENROLLED', ACCESS_TEXTS.TOTP_NOT_ENROLLED())
    const at = new Date(deps.clock.now())
    await store.record(tx, { userId, actorId: userId, event: 'recovery_codes_replaced', at })
    return newRecoveryCodes(tx, userId)
  })
}

export async function disable(deps: Deps, lockout: Lockout, call: Call<ProveTotp>): Promise<void> {
  await prove(deps, lockout, call)
  const { id: userId, tenantId } = call.principal
  await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const at = new Date(deps.clock.now())
    if (await store.remove(tx, userId))
      await store.record(tx, { userId, actorId: userId, event: 'disabled', at })
  })
}

/** Removes the one-time passwords of a user who has lost the device. Undefined when there is nothing to remove. */
export async function reset(
  tx: TenantTx,
  { principal, userId, now }: { principal: Principal; userId: string; now: number },
): Promise<true | undefined> {
  const user = await lockUserForUpdate(tx, userId)
  if (!user) return undefined
  assertMayManage(principal, user)
  if (!(await store.remove(tx, user.id))) return undefined
  await store.record(tx, { userId: user.id, actorId: principal.id, event: 'reset', at: new Date(now) })
  return true
}

/** Command line: the same for the active user with that address. False when there is nothing to remove. */
export async function resetTotpByEmail(deps: Deps, email: string): Promise<boolean> {
  const { kysely } = deps.database
  const user = await findByEmail(systemDb(kysely), normalizeEmail(email))
  if (!user) return false
  return inTenantTx(kysely, user.tenantId, async (tx) => {
    if (!(await store.remove(tx, user.id))) return false
    const at = new Date(deps.clock.now())
    await store.record(tx, { userId: user.id, actorId: null, event: 'reset', at })
    return true
  })
}

/**
 * Sets whether the tenant requires one-time passwords. Only a full administrator may do so, because the setting
 * protects the strongest users too; with one-time passwords, because the caller would otherwise be excluded by
 * the next request.
 */
export async function setPolicy(tx: TenantTx, principal: Principal, isRequired: boolean) {
  assertNotStronger(principal, 'the role admin', PERMISSIONS)
  if (isRequired && !(await needsCode(tx, principal.id)))
    throw new AppError(409, 'TOTP_NOT_ENROLLED', ACCESS_TEXTS.TOTP_NOT_ENROLLED())
  await store.setRequired(tx, isRequired)
  return { require_totp: isRequired }
}

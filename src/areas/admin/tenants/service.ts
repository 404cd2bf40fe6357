import { randomBytes } from 'node:crypto'
import { conflict, found } from '../../../kernel/errors.ts'
import type { HashShare } from '../../../platform/auth/hash-shares.ts'
import { changes } from '../../../platform/db/columns.ts'
import {
  inSystemTx,
  inTenantTx,
  type SystemTx,
  systemDb,
  type TenantTx,
} from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { createSystemRoles, findSystemRole, type SystemRoleName } from '../../access/roles/index.ts'
import { addUser, type NewUser } from '../../access/users/index.ts'
import { createSystemPolicies } from '../../alarms/system-alarms/index.ts'
import { createSystemTemplates } from '../../equipment/device-templates/index.ts'
import { disconnectGateways } from '../../equipment/gateway-link/index.ts'
import { copySystemOrganizations } from '../../netting/index.ts'
import { TENANT_TEXTS } from './messages.ts'
import type { CreateTenant, UpdateTenant } from './schema.ts'
import { toSlug } from './slug.ts'
import * as store from './store.ts'

/** Inserts the records that every tenant starts with. Returns the ids of its system roles by name. */
async function insertInitialRecords(tx: TenantTx): Promise<Record<SystemRoleName, string>> {
  const roles = await createSystemRoles(tx)
  await copySystemOrganizations(tx)
  await createSystemPolicies(tx)
  await createSystemTemplates(tx)
  return roles
}

interface NewTenant {
  readonly name: string
  /** Derived from the name when omitted. */
  readonly slug?: string | undefined
  readonly admin: Omit<NewUser, 'roleIds'>
}

const SLUG_ATTEMPTS = 20

/**
 * Takes the first free slug of `name`, `name-2`, `name-3` …; after some attempts, one with a random suffix.
 */
async function insertWithFreeSlug(tx: SystemTx, name: string) {
  const base = toSlug(name)
  for (let number = 1; number <= SLUG_ATTEMPTS; number += 1) {
    const tenant = await store.insert(tx, { name, slug: number === 1 ? base : `${base}-${number}` })
    if (tenant) return tenant
  }
  return store.insert(tx, { name, slug: `${base}-${randomBytes(4).toString('hex')}` })
}

/**
 * Creates a tenant with its initial records and its first admin. 409 when the slug or the address is taken.
 */
export async function createTenant(tx: SystemTx, { name, slug, admin }: NewTenant) {
  const row = slug === undefined ? await insertWithFreeSlug(tx, name) : await store.insert(tx, { name, slug })
  if (!row) throw conflict('DUPLICATE_ENTRY', TENANT_TEXTS.TENANT_SLUG_EXISTS())
  const { key, ...tenant } = row
  const tenantTx = { db: tx.db, tenantId: key }
  const roles = await insertInitialRecords(tenantTx)
  const user = await addUser(tenantTx, { ...admin, roleIds: [roles.admin] })
  return { tenantId: key, tenant, admin: user }
}

export async function createTenantFromBody(deps: Deps, body: CreateTenant, share: HashShare) {
  const passwordHash = await deps.passwords.hash(body.admin_password, share)
  const { tenant, admin } = await inSystemTx(deps.database.kysely, (tx) =>
    createTenant(tx, {
      name: body.name,
      slug: body.slug,
      admin: {
        email: body.admin_email,
        passwordHash,
        fullName: body.admin_full_name,
        isEmailVerified: true,
      },
    }),
  )
  return { ...tenant, admin }
}

/**
 * Renames, deactivates or reactivates a tenant. 409 when callers would deactivate their own tenant. The sessions
 * of its gateways end after the commit, when their logins are refused already. 409 when its deletion was requested.
 */
export async function updateTenant(
  deps: Deps,
  { id, body, ownTenantUid }: { id: string; body: UpdateTenant; ownTenantUid: string },
) {
  if (body.is_active === false && id.toLowerCase() === ownTenantUid.toLowerCase())
    throw conflict('STATE_CONFLICT', TENANT_TEXTS.TENANT_IS_OWN())
  const { kysely } = deps.database
  const set = changes(body, ['name', 'is_active'])
  if (!set) throw invalidInput(['body'], TENANT_TEXTS.TENANT_CHANGE_EMPTY())
  const updated = await inSystemTx(kysely, (tx) => store.update(tx, id, set))
  if (!updated) {
    found('tenant', await store.findByUid(systemDb(kysely), id))
    throw conflict('STATE_CONFLICT', TENANT_TEXTS.TENANT_IS_BEING_DELETED())
  }
  const { key, ...tenant } = updated
  if (!tenant.is_active) await disconnectGateways(deps, key)
  return tenant
}

interface NewTenantUser {
  /** Slug of the tenant. */
  readonly tenant: string
  readonly role: SystemRoleName
  readonly email: string
  readonly password: string
  readonly fullName?: string | undefined
  readonly isSuperuser?: boolean | undefined
}

/** Command line: creates a user with a system role. 404 when there is no such tenant. */
export async function createTenantUser(deps: Deps, user: NewTenantUser) {
  const { kysely } = deps.database
  const tenant = found('tenant', await store.findBySlug(systemDb(kysely), user.tenant))
  const passwordHash = await deps.passwords.hash(user.password)
  return inTenantTx(kysely, tenant.key, async (tx) => {
    const role = await findSystemRole(tx, user.role)
    return addUser(tx, { ...user, passwordHash, roleIds: [role.id], isEmailVerified: true })
  })
}

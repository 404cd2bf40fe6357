import { invalidReference } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { lockTenantByTenant } from '../../../platform/db/tenant-lists.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'

const columns = [
  'tenant_id',
  'issuer',
  'client_id',
  'client_secret_sealed',
  'scopes',
  'allowed_domains',
  'creates_users',
  'role_id',
  'is_enabled',
  'allows_password',
  'created_at',
  'updated_at',
] as const

export interface ProviderRow {
  readonly tenant_id: number
  readonly issuer: string
  readonly client_id: string
  readonly client_secret_sealed: string
  readonly scopes: string[]
  readonly allowed_domains: string[]
  readonly creates_users: boolean
  readonly role_id: string | null
  readonly is_enabled: boolean
  readonly allows_password: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const constraints = { oidc_provider_role_fkey: () => invalidReference('role_id') }

export const find = (db: TenantDb): Promise<ProviderRow | undefined> =>
  selectRows(db, 'oidc_provider').select(columns).executeTakeFirst()

/** Serializes the changes of the provider, and the users that its sign-ins link or create. */
export const lock = (tx: TenantTx): Promise<ProviderRow | undefined> =>
  selectRows(tx, 'oidc_provider').select(columns).forNoKeyUpdate().executeTakeFirst()

export const put = (
  { db, tenantId }: TenantTx,
  { created_at, ...values }: Omit<ProviderRow, 'tenant_id'>,
): Promise<ProviderRow> =>
  refusing(
    constraints,
    db
      .insertInto('oidc_provider')
      .values({ tenant_id: tenantId, created_at, ...values })
      .onConflict((oc) => oc.column('tenant_id').doUpdateSet(values))
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export async function remove(tx: TenantTx): Promise<true | undefined> {
  await deleteRows(tx, 'oidc_sign_in').execute()
  const { numDeletedRows } = await deleteRows(tx, 'oidc_provider').executeTakeFirst()
  return numDeletedRows > 0n ? true : undefined
}

/** The enabled provider of an active tenant, by the slug of the tenant or the address of one of its users. */
export async function findEnabled(
  { db }: SystemDb,
  by: { readonly slug: string } | { readonly email: string },
): Promise<ProviderRow | undefined> {
  const providers = db
    .selectFrom('oidc_provider')
    .innerJoin('tenant', 'tenant.id', 'oidc_provider.tenant_id')
    .where('tenant.is_active', '=', true)
    .where('oidc_provider.is_enabled', '=', true)
    .select(columns.map((column) => `oidc_provider.${column}` as const))
  const one =
    'slug' in by
      ? providers.where('tenant.slug', '=', by.slug)
      : providers.where('oidc_provider.tenant_id', 'in', (eb) =>
          eb.selectFrom('login_email').select('tenant_id').where('email', '=', by.email),
        )
  return one.executeTakeFirst()
}

/** Of all tenants, locked, for a new key. */
export const lockSecrets = (tx: SystemTx) =>
  lockTenantByTenant(tx, 'oidc_provider', (tenant) =>
    selectRows(tenant, 'oidc_provider').select(['tenant_id', 'client_secret_sealed']).forUpdate().execute(),
  )

export const setSecret = ({ db }: SystemTx, tenantId: number, sealed: string) =>
  db
    .updateTable('oidc_provider')
    .set({ client_secret_sealed: sealed })
    .where('tenant_id', '=', tenantId)
    .execute()

const linkedColumns = ['u.id', 'u.is_active', 'u.is_superuser'] as const

interface Subject {
  readonly issuer: string
  readonly subject: string
}

export const findLinked = (tx: TenantTx, { issuer, subject }: Subject) =>
  selectRows(tx, 'oidc_identity as i')
    .innerJoin('app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'),
    )
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .select(linkedColumns)
    .executeTakeFirst()

export const findByEmail = (tx: TenantTx, email: string) =>
  selectRows(tx, 'login_email as l')
    .innerJoin('app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'l.tenant_id').onRef('u.id', '=', 'l.user_id'),
    )
    .where('l.email', '=', email)
    .select(linkedColumns)
    .executeTakeFirst()

/** Whether a user of any tenant has the address. */
export async function isAddressTaken({ db }: TenantTx, email: string): Promise<boolean> {
  const row = await db.selectFrom('login_email').select('email').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

export async function isLinked(tx: TenantTx, issuer: string, userId: string): Promise<boolean> {
  const row = await selectRows(tx, 'oidc_identity')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export const link = (
  { db, tenantId }: TenantTx,
  { issuer, subject, userId, at }: Subject & { readonly userId: string; readonly at: Date },
) =>
  db
    .insertInto('oidc_identity')
    .values({ tenant_id: tenantId, issuer, subject, user_id: userId, created_at: at })
    .execute()

/** Removes the links of a user to subjects of every issuer, and the sign-ins that have found the user already. */
export async function unlink(tx: TenantTx, userId: string): Promise<true | undefined> {
  await deleteRows(tx, 'oidc_sign_in').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await deleteRows(tx, 'oidc_identity')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n ? true : undefined
}

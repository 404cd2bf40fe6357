import { sql } from 'kysely'
import type { Permission } from '../../../kernel/permissions.ts'
import { hashApiKey, tenantOfApiKey } from '../../../platform/auth/api-key.ts'
import { cacheTenantKeys } from '../../../platform/auth/tenant-key-store.ts'
import { searchTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cacheByAccessVersion } from '../rights-cache/index.ts'
import type { ApiKeyQuery } from './schema.ts'

export type KeyKind = 'personal' | 'machine'
/** Which keys an operation sees: those of one user, or the machine keys of the tenant. */
export type KeyOwner = { readonly kind: 'personal'; readonly userId: string } | { readonly kind: 'machine' }

export interface KeyRow {
  id: string
  tenant_id: number
  tenant_uid: string
  is_tenant_active: boolean
  user_id: string
  permissions: Permission[]
  expires_at: Date
  /** When the key was last used as it was read; the rows of known keys are not read again. */
  last_used_at: Date | null
  /** The access version of the tenant. */
  version: string | null
  /** Only where there are read replicas. */
  wrote_until?: number | null
}

const COLUMNS = `
  k.id, k.tenant_id, t.uid as tenant_uid, t.is_active as is_tenant_active, k.user_id, k.expires_at, k.last_used_at,
  v.version,
  array(select granted from unnest(k.permissions) granted
        where granted in (
          select unnest(r.permissions) from user_role ur
          join role r on r.tenant_id = $2 and r.id = ur.role_id
          where ur.tenant_id = $2 and ur.user_id = k.user_id)) as permissions`
const LAST_WRITE = `
  (select (extract(epoch from w.until) * 1000)::float8 from user_last_write w
   where w.tenant_id = $2 and w.user_id = k.user_id) as wrote_until`
const FROM = `
  from api_key k
  join tenant t on t.id = k.tenant_id
  join app_user u on u.tenant_id = $2 and u.id = k.user_id
  left join access_version v on v.tenant_id = $2
  where k.tenant_id = $2 and k.secret_hash = $1 and u.is_active`

const FIND_API_KEY = `select ${COLUMNS} ${FROM}`
const FIND_API_KEY_AND_LAST_WRITE = `select ${COLUMNS}, ${LAST_WRITE} ${FROM}`

const KEYS = { table: 'api_key', column: 'secret_hash' } as const

/** The tenant of a key that names none, by the hash of its text in hexadecimal digits. */
const searchKeyTenant = cacheTenantKeys((pool, hash) =>
  searchTokenTenant(pool, KEYS, Buffer.from(hash, 'hex')),
)

const cachedKeys = cacheByAccessVersion<KeyRow>()

/**
 * The key of an active user, also of an inactive tenant, with those of its permissions that the user still has. Every
 * request with a key calls it. With read replicas the end of the user's writes is read as well.
 */
export async function findByText(
  { database, nodeReads, replicas }: Pick<Deps, 'database' | 'nodeReads' | 'replicas'>,
  token: string,
): Promise<KeyRow | undefined> {
  const secretHash = hashApiKey(token)
  const key = secretHash.toString('hex')
  const tenantId = tenantOfApiKey(token) ?? (await searchKeyTenant(database.pool, key))
  if (tenantId === undefined) return undefined
  const { pool } = nodeReads?.forTenant(tenantId) ?? database
  const values = [secretHash, tenantId]
  async function load() {
    const { rows } = await pool.query<KeyRow>({ name: 'find_api_key', text: FIND_API_KEY, values })
    return rows[0] && { rights: rows[0], version: rows[0].version }
  }
  if (!replicas) return cachedKeys(database.pool, { tenantId, key, pool, load })
  const { rows } = await pool.query<KeyRow>({
    name: 'find_api_key_and_last_write',
    text: FIND_API_KEY_AND_LAST_WRITE,
    values,
  })
  return rows[0]
}

export const noteUse = ({ db, tenantId }: TenantDb, id: string, at: Date) =>
  db
    .updateTable('api_key')
    .set({ last_used_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

const columns = [
  'api_key.id',
  'api_key.name',
  'api_key.prefix',
  'api_key.user_id',
  'api_key.permissions',
  'api_key.expires_at',
  'api_key.last_used_at',
  'api_key.created_at',
] as const

function selectKeys(tenant: TenantDb, owner: KeyOwner) {
  const rows = selectRows(tenant, 'api_key').where('api_key.kind', '=', owner.kind)
  return owner.kind === 'personal' ? rows.where('api_key.user_id', '=', owner.userId) : rows
}

/** With `owner_is_active`: keys of an inactive owner are refused. */
const selectWithOwner = (tenant: TenantDb, owner: KeyOwner) =>
  selectKeys(tenant, owner)
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('app_user as u')
        .where('u.tenant_id', '=', tenant.tenantId)
        .whereRef('u.id', '=', 'api_key.user_id')
        .select('u.is_active')
        .$asScalar()
        .$notNull()
        .as('owner_is_active'),
    )

export const list = (tenant: TenantDb, owner: KeyOwner, query: ApiKeyQuery) =>
  readPage(
    selectWithOwner(tenant, owner).where(matchesSearch(query.search, ['api_key.name', 'api_key.prefix'])),
    query,
  )

export const find = (tenant: TenantDb, owner: KeyOwner, id: string) =>
  selectWithOwner(tenant, owner)
    .$narrowType<{ permissions: Permission[] }>()
    .where('api_key.id', '=', id)
    .executeTakeFirst()

export const lock = (tx: TenantTx, owner: KeyOwner, id: string) =>
  selectKeys(tx, owner)
    .select(['id', 'permissions'])
    .$narrowType<{ permissions: Permission[] }>()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Serializes the creation of keys that count together: by user, or by tenant. */
export async function lockCount(tx: TenantTx, owner: KeyOwner): Promise<void> {
  const { db, tenantId } = tx
  const subject = owner.kind === 'personal' ? owner.userId : 'machine'
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api_key ${tenantId} ${subject}`}, 0))`.execute(
    db,
  )
}

export async function count(tx: TenantTx, owner: KeyOwner): Promise<number> {
  const { total } = await selectKeys(tx, owner)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const removeExpired = (tx: TenantTx, owner: KeyOwner, before: Date) => {
  const rows = deleteRows(tx, 'api_key').where('kind', '=', owner.kind).where('expires_at', '<', before)
  return (owner.kind === 'personal' ? rows.where('user_id', '=', owner.userId) : rows).execute()
}

export interface NewKey {
  readonly kind: KeyKind
  readonly user_id: string
  readonly name: string
  readonly prefix: string
  readonly secret_hash: Buffer
  readonly permissions: Permission[]
  readonly expires_at: Date
  readonly created_at: Date
}

export const insert = ({ db, tenantId }: TenantTx, key: NewKey) =>
  db
    .insertInto('api_key')
    .values({ tenant_id: tenantId, ...key })
    .returning('id')
    .executeTakeFirstOrThrow()

export const changeOwner = (tx: TenantTx, id: string, userId: string) =>
  updateRows(tx, 'api_key').set({ user_id: userId }).where('id', '=', id).execute()

export const remove = (tx: TenantTx, id: string) => deleteRows(tx, 'api_key').where('id', '=', id).execute()

import { sql } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { ID_TAG_DEPTH_MAX } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { IdTagQuery } from './schema.ts'

const columns = [
  ...(['id', 'tag', 'name', 'status', 'parent_id', 'expires_at', 'allows_concurrent'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const

const constraints = {
  id_tag_tag_key: () => conflict('DUPLICATE_ENTRY', CHARGING_TEXTS.TAG_EXISTS()),
  id_tag_parent_fkey: () => invalidReference('parent_id'),
}

const idTags = (tenant: TenantDb) =>
  selectRows(tenant, 'id_tag')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('id_tag as p')
        .select('p.tag')
        .where('p.tenant_id', '=', tenant.tenantId)
        .whereRef('p.id', '=', 'id_tag.parent_id')
        .as('parent_tag'),
    )

export function list(tenant: TenantDb, query: IdTagQuery) {
  let rows = idTags(tenant)
  if (query.tag !== undefined) rows = rows.where(sql`lower(tag)`, '=', sql`lower(${query.tag})`)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.parent_id !== undefined) rows = rows.where('parent_id', '=', query.parent_id)
  return readPage(rows.where(matchesSearch(query.search, ['tag', 'name'])), query)
}

export const find = (tenant: TenantDb, id: string) => idTags(tenant).where('id', '=', id).executeTakeFirst()

interface TagColumns {
  readonly tag?: string
  readonly name?: string | null
  readonly status?: string
  readonly parent_id?: string | null
  readonly expires_at?: Date | null
  readonly allows_concurrent?: boolean
}

export const create = ({ db, tenantId }: TenantTx, set: TagColumns & { readonly tag: string }, now: Date) =>
  refusing(
    constraints,
    db
      .insertInto('id_tag')
      .values({ ...set, tenant_id: tenantId, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, set: TagColumns, now: Date) =>
  refusing(
    constraints,
    updateRows(tx, 'id_tag')
      .set({ ...set, updated_at: now })
      .where('id', '=', id)
      .execute(),
  )

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred('id tag', deleteRows(tx, 'id_tag').where('id', '=', id).returning('id').executeTakeFirst())

/** Serializes changes of groups, so that two tags do not become each other's groups. */
export const lockGroups = (tx: TenantTx) => lockResource(tx, `id tags ${tx.tenantId}`)

/** The ids from a tag up through its groups. */
export async function groupsAbove({ db, tenantId }: TenantDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive up as (
      select id, parent_id from id_tag where (tenant_id, id) = (${tenantId}, ${id}::uuid)
      union
      select t.id, t.parent_id from up join id_tag t on t.tenant_id = ${tenantId} and t.id = up.parent_id)
    select id from up`.execute(db)
  return rows.map((row) => row.id)
}

export async function levelsBelow({ db, tenantId }: TenantDb, id: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive down as (
      select ${id}::uuid as id, 0 as level
      union
      select t.id, down.level + 1 from down join id_tag t on t.tenant_id = ${tenantId} and t.parent_id = down.id)
    select max(level)::int as levels from down`.execute(db)
  return at(rows, 0).levels
}

interface TagLevel {
  readonly id: string
  readonly tag: string
  readonly status: string
  readonly expires_at: Date | null
  readonly allows_concurrent: boolean
}

/** A tag and the groups above it, from the bottom; empty for an unknown tag. The case does not matter. */
export async function readTagWithGroups({ db, tenantId }: TenantDb, tag: string): Promise<TagLevel[]> {
  const { rows } = await sql<TagLevel>`
    with recursive up as (
      select id, tag, status, expires_at, allows_concurrent, parent_id, 0 as depth from id_tag
      where tenant_id = ${tenantId} and lower(tag) = lower(${tag})
      union all
      select t.id, t.tag, t.status, t.expires_at, t.allows_concurrent, t.parent_id, up.depth + 1
      from up join id_tag t on t.tenant_id = ${tenantId} and t.id = up.parent_id
      where up.depth < ${ID_TAG_DEPTH_MAX})
    select id, tag, status, expires_at, allows_concurrent from up order by depth`.execute(db)
  return rows
}

/** Locks a tag: of two concurrent starts the second one sees the session of the first. */
export const lockTag = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'id_tag').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Whether a tag has an active session. A refused one does not count: its station must not charge, whether or
 * not it reports the end.
 */
export const hasActiveSession = async (tenant: TenantDb, tag: string): Promise<boolean> =>
  (await selectRows(tenant, 'charging_session')
    .select('id')
    .where(sql`lower(id_tag)`, '=', sql`lower(${tag})`)
    .where('state', '=', 'active')
    .where('authorization_status', '=', 'accepted')
    .limit(1)
    .executeTakeFirst()) !== undefined

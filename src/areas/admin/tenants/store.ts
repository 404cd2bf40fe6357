import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import type { TenantQuery } from './schema.ts'

const columns = ['tenant.uid as id', 'name', 'slug', 'is_active', 'created_at'] as const

export function list({ db }: SystemDb, query: TenantQuery) {
  let rows = db.selectFrom('tenant').select(columns)
  if (query.is_active !== undefined) rows = rows.where('is_active', '=', query.is_active)
  return readPage(rows.where(matchesSearch(query.search, ['name', 'slug'])), query)
}

/** Undefined when the slug is taken, also by a transaction that is not committed yet. */
export const insert = ({ db }: SystemTx, { name, slug }: { name: string; slug: string }) =>
  db
    .insertInto('tenant')
    .values({ name, slug })
    .onConflict((oc) => oc.column('slug').doNothing())
    .returning([...columns, 'tenant.id as key'])
    .executeTakeFirst()

export const findByUid = ({ db }: SystemDb, uid: string) =>
  db.selectFrom('tenant').select(columns).where('uid', '=', uid).executeTakeFirst()

/** Undefined for an unknown tenant, and for one whose deletion was requested. */
export const update = ({ db }: SystemTx, uid: string, set: { name?: string; is_active?: boolean }) =>
  db
    .updateTable('tenant')
    .set(set)
    .where('uid', '=', uid)
    .where('deletion_requested_at', 'is', null)
    .returning([...columns, 'tenant.id as key'])
    .executeTakeFirst()

export const findBySlug = ({ db }: SystemDb, slug: string) =>
  db
    .selectFrom('tenant')
    .select([...columns, 'tenant.id as key'])
    .where('slug', '=', slug)
    .executeTakeFirst()

export async function hasAny({ db }: SystemDb): Promise<boolean> {
  return (await db.selectFrom('tenant').select('id').limit(1).executeTakeFirst()) !== undefined
}

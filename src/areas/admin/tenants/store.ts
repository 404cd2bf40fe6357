import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import { SYSTEM_ORGANIZATIONS_LOCK, shareResource } from '../../../platform/db/locks.ts'
import type { SystemDb, SystemTx, TenantTx } from '../../../platform/db/tenant.ts'
import type { TenantQuery } from './schema.ts'

const columns = ['tenant.uid as id', 'name', 'slug', 'is_active', 'created_at'] as const

export function list({ db }: SystemDb, query: TenantQuery) {
  let rows = db.selectFrom('tenant').select(columns)
  if (query.is_active !== undefined) rows = rows.where('is_active', '=', query.is_active)
  return readPage(rows, query)
}

/** Undefined when the slug is taken, also by a transaction that is not committed yet. */
export const insert = ({ db }: SystemTx, { name, slug }: { name: string; slug: string }) =>
  db
    .insertInto('tenant')
    .values({ name, slug })
    .onConflict((oc) => oc.column('slug').doNothing())
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

/**
 * Copies the system-wide organizations into a new tenant under the same ids, so that references stay within
 * the tenant. Changes of system organizations take the same lock exclusively before they list the tenants, so
 * no tenant is missed.
 */
export async function copySystemOrganizations(tx: TenantTx): Promise<void> {
  await shareResource(tx, SYSTEM_ORGANIZATIONS_LOCK)
  await sql`insert into organization (tenant_id, id, org_type, name, is_active, is_system)
    select ${tx.tenantId}::int, id, org_type, name, is_active, true from system_organization`.execute(tx.db)
}

import { sql } from 'kysely'
import type { JsonColumns } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import { DELETIONS_AT_ONCE } from './limits.ts'
import type { DeletionQuery, DeletionStatus } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'tenant_deletion.rows_deleted': Readonly<Record<string, number>>
  }
}

const STATUS = sql<DeletionStatus>`case when finished_at is not null then 'completed'
  when started_at is not null then 'running' else 'queued' end`

const columns = [
  'id',
  'tenant_uid as tenant_id',
  'name',
  'slug',
  STATUS.as('status'),
  'requested_by',
  'requested_by_email',
  'requested_at',
  'started_at',
  'progressed_at',
  'finished_at',
  'tables_total',
  'tables_done',
  'current_table',
  'rows_deleted as counts',
] as const

/** The record as the API shows it. */
function toView<Row extends { counts: JsonColumns['tenant_deletion.rows_deleted'] }>({
  counts,
  ...row
}: Row) {
  const byTable = Object.entries(counts).map(([table, rows]) => ({ table, rows }))
  return {
    ...row,
    rows_deleted: byTable.reduce((sum, { rows }) => sum + rows, 0),
    rows_by_table: byTable.sort((a, b) => a.table.localeCompare(b.table)),
  }
}

export async function list({ db }: SystemDb, query: DeletionQuery) {
  let rows = db.selectFrom('tenant_deletion').select(columns)
  if (query.status) rows = rows.where(STATUS, '=', query.status)
  const page = await readPage(rows.where(matchesSearch(query.search, ['name', 'slug'])), query)
  return { ...page, items: page.items.map(toView) }
}

export async function find({ db }: SystemDb, id: string) {
  const row = await db.selectFrom('tenant_deletion').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toView(row)
}

export async function findOfTenant({ db }: SystemDb, tenantKey: number) {
  const row = await db
    .selectFrom('tenant_deletion')
    .select(columns)
    .where('tenant_key', '=', tenantKey)
    .executeTakeFirst()
  return row && toView(row)
}

/** Locks the tenant until the end of the transaction. */
export const lockTenant = ({ db }: SystemTx, uid: string) =>
  db
    .selectFrom('tenant')
    .select(['id as key', 'uid', 'name', 'slug', 'is_active', 'deletion_requested_at'])
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst()

interface NewDeletion {
  readonly tenant: {
    readonly key: number
    readonly uid: string
    readonly name: string
    readonly slug: string
  }
  readonly by: { readonly id: string; readonly email: string }
  readonly at: Date
}

export async function insert({ db }: SystemTx, { tenant, by, at }: NewDeletion): Promise<void> {
  await db.updateTable('tenant').set({ deletion_requested_at: at }).where('id', '=', tenant.key).execute()
  await db
    .insertInto('tenant_deletion')
    .values({
      tenant_key: tenant.key,
      tenant_uid: tenant.uid,
      name: tenant.name,
      slug: tenant.slug,
      requested_by: by.id,
      requested_by_email: by.email,
      requested_at: at,
    })
    .execute()
}

/** The address of the user who requests a deletion. */
export async function emailOf({ db }: SystemDb, tenantId: number, userId: string): Promise<string> {
  const { email } = await db
    .selectFrom('app_user')
    .select('email')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return email
}

/** A deletion that is not finished. */
export interface OpenDeletion {
  readonly id: string
  readonly tenantKey: number
  readonly tenantUid: string
}

export const listOpen = ({ db }: SystemDb): Promise<OpenDeletion[]> =>
  db
    .selectFrom('tenant_deletion')
    .select(['id', 'tenant_key as tenantKey', 'tenant_uid as tenantUid'])
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .orderBy('id')
    .limit(DELETIONS_AT_ONCE)
    .execute()

/** Records the start, once. Returns its instant. */
export async function start({ db }: SystemTx, id: string, { at, tables }: { at: Date; tables: number }) {
  const { started_at } = await db
    .updateTable('tenant_deletion')
    .set((eb) => ({ started_at: eb.fn.coalesce('started_at', eb.val(at)), tables_total: tables }))
    .where('id', '=', id)
    .returning('started_at')
    .executeTakeFirstOrThrow()
  return started_at ?? at
}

export async function recordTableDone({ db }: SystemTx, id: string, tablesDone: number): Promise<void> {
  await sql`update tenant_deletion set tables_done = greatest(tables_done, ${tablesDone}::int) where id = ${id}`.execute(
    db,
  )
}

export async function recordRows(
  { db }: SystemTx,
  id: string,
  { table, rows, at }: { table: string; rows: number; at: Date },
): Promise<void> {
  await sql`update tenant_deletion set current_table = ${table}, progressed_at = ${at},
      rows_deleted = rows_deleted
        || jsonb_build_object(${table}::text, coalesce((rows_deleted ->> ${table}::text)::bigint, 0) + ${rows}::bigint)
    where id = ${id}`.execute(db)
}

/** Deletes the tenant, which has no rows any more, and ends the deletion. */
export async function finish({ db }: SystemTx, { id, tenantKey }: OpenDeletion, at: Date): Promise<void> {
  await db.deleteFrom('tenant').where('id', '=', tenantKey).execute()
  await db
    .updateTable('tenant_deletion')
    .set({ finished_at: at, progressed_at: at, current_table: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Locks the record until the end of the transaction, so that two processes never delete for it at the same time. False
 * when the deletion has been finished.
 */
export async function lockOpen({ db }: SystemTx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('tenant_deletion')
    .select('id')
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

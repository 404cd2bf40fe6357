import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import { inTenantTx, type SystemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'
import type { ExportRequest } from './export-request.ts'
import { EXPORT_FAILURES } from './messages.ts'
import type { ExportQuery } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'data_export.request': ExportRequest
    'data_export.error': Message
  }
}

const columns = [
  'id',
  'status',
  'format',
  'file_name',
  'rows_done',
  'rows_total',
  'size_bytes',
  'error',
  'request',
  'created_at',
  'started_at',
  'finished_at',
  'location',
] as const

export type ExportRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'data_export').select(columns).where('id', '=', id).executeTakeFirst()

export function list(tenant: TenantDb, query: ExportQuery) {
  let rows = selectRows(tenant, 'data_export').select(columns)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  return readPage(rows.where(matchesSearch(query.search, ['file_name'])), query)
}

/** Serializes adding and claiming exports in a tenant. */
export const lockExports = (tx: TenantTx) => lockResource(tx, `exports ${tx.tenantId}`)

/** The number of waiting and running exports of the tenant. */
export async function countOpen(tenant: TenantDb): Promise<number> {
  const { count } = await selectRows(tenant, 'data_export')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes finished exports beyond the newest `keep`. The next sweep deletes their files. */
export async function deleteOldest(tx: TenantTx, keep: number): Promise<void> {
  await deleteRows(tx, 'data_export')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('data_export')
        .select('id')
        .where('tenant_id', '=', tx.tenantId)
        .where('status', 'in', ['completed', 'failed'])
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(keep)
        .limit(1_000),
    )
    .execute()
}

export interface NewExport {
  readonly request: ExportRequest
  readonly location: string
  readonly requestedBy: string
  readonly at: Date
}

export const create = ({ db, tenantId }: TenantTx, { request, location, requestedBy, at }: NewExport) =>
  db
    .insertInto('data_export')
    .values({
      tenant_id: tenantId,
      format: request.format,
      request: toJson(request),
      file_name: request.file_name,
      location,
      requested_by: requestedBy,
      created_at: at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'data_export')
    .where('id', '=', id)
    .returning(['id', 'format', 'location'])
    .executeTakeFirst()

export interface WaitingExport {
  readonly tenantId: number
  readonly id: string
}

/**
 * The waiting exports of storage locations: the oldest one of each active tenant, the oldest first, so that no
 * tenant starves.
 */
export async function listWaiting(
  { db }: SystemDb,
  locations: readonly string[],
  limit: number,
): Promise<WaitingExport[]> {
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select tenant_id, id from (
      select distinct on (tenant_id) tenant_id, id, created_at from data_export q
      where location = any(${locations}::text[]) and status = 'queued'
        and exists (select 1 from tenant t where t.id = q.tenant_id and t.is_active)
        and not exists (select 1 from data_export r where r.tenant_id = q.tenant_id and r.status = 'running')
      order by tenant_id, created_at, id) oldest
    order by created_at, id limit ${limit}`.execute(db)
  return rows.map(({ tenant_id, id }) => ({ tenantId: tenant_id, id }))
}

/** Claims an export, unless another process has claimed it or another export of the tenant is running. */
export const claim = ({ db }: SystemDb, { tenantId, id }: WaitingExport, at: Date) =>
  inTenantTx(db, tenantId, async (tx) => {
    await lockExports(tx)
    return tx.db
      .updateTable('data_export')
      .set({ status: 'running', started_at: at, heartbeat_at: at, rows_done: '0' })
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('data_export as other')
              .select('other.id')
              .where('other.tenant_id', '=', tenantId)
              .where('other.status', '=', 'running'),
          ),
        ),
      )
      .returning(['id', 'request', 'attempts'])
      .executeTakeFirst()
  })

const PROCESS_GONE = toJson<JsonColumns['data_export.error']>(EXPORT_FAILURES.EXPORT_PROCESS_GONE())

/** Deletes expired exports, and fails exports whose process has not returned in time. */
export async function expire(
  { db }: SystemDb,
  { keptSince, lostSince, at }: { readonly keptSince: Date; readonly lostSince: Date; readonly at: Date },
): Promise<void> {
  await sql`delete from data_export where status in ('completed', 'failed') and created_at < ${keptSince}`.execute(
    db,
  )
  await sql`
    update data_export set status = 'failed', finished_at = ${at},
      error = ${PROCESS_GONE}::jsonb
    where status in ('queued', 'running') and coalesce(heartbeat_at, created_at) < ${lostSince}`.execute(db)
}

export interface StoredFile {
  readonly tenantId: number
  readonly id: string
  readonly format: string
  readonly attempts: number
  readonly isRunning: boolean
}

/**
 * The exports that have a file or are being written, in any storage location, because locations may share a
 * folder. The newest first.
 */
export async function listFiles({ db }: SystemDb): Promise<StoredFile[]> {
  const rows = await db
    .selectFrom('data_export')
    .select(['tenant_id', 'id', 'format', 'attempts', 'status'])
    .where('status', 'in', ['running', 'completed'])
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ tenant_id, id, format, attempts, status }) => ({
    tenantId: tenant_id,
    id,
    format,
    attempts,
    isRunning: status === 'running',
  }))
}

export const deleteExport = ({ db }: SystemDb, { tenantId, id }: WaitingExport) =>
  db.deleteFrom('data_export').where('tenant_id', '=', tenantId).where('id', '=', id).execute()

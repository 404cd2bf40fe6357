import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb } from '../../../platform/db/tenant.ts'
import { EXPORT_FAILURES } from './messages.ts'
import type { WaitingExport } from './store.ts'

const STOPPED_TWICE = toJson<JsonColumns['data_export.error']>(EXPORT_FAILURES.EXPORT_PROCESS_STOPPED_TWICE())

export interface RunningExport extends WaitingExport {
  /** The number of the attempt; it distinguishes the processes that made the same export one after the other. */
  readonly attempt: number
}

/** The running exports of storage locations with their last heartbeat. */
export async function listRunning({ db }: SystemDb, locations: readonly string[]) {
  const rows = await db
    .selectFrom('data_export')
    .select(['tenant_id', 'id', 'attempts', 'heartbeat_at'])
    .where('location', 'in', locations)
    .where('status', '=', 'running')
    .orderBy('created_at')
    .limit(RUNNING_READ_MAX)
    .execute()
  return rows.map(({ tenant_id, id, attempts, heartbeat_at }) => ({
    tenantId: tenant_id,
    id,
    attempt: attempts,
    beatAt: heartbeat_at?.getTime(),
  }))
}
/** More than the processes of one machine make at once. */
const RUNNING_READ_MAX = 1_000

/** Returns the exports of dead processes to the queue; an export that was attempted too often fails. */
export async function releaseDead(
  { db }: SystemDb,
  dead: readonly RunningExport[],
  { attemptsMax, at }: { readonly attemptsMax: number; readonly at: Date },
): Promise<void> {
  for (const { tenantId, id, attempt } of dead) {
    await sql`
      update data_export set
        status = case when attempts >= ${attemptsMax} then 'failed' else 'queued' end,
        error = case when attempts >= ${attemptsMax} then ${STOPPED_TWICE}::jsonb end,
        finished_at = case when attempts >= ${attemptsMax} then ${at}::timestamptz end
      where tenant_id = ${tenantId} and id = ${id} and status = 'running' and attempts = ${attempt}`.execute(
      db,
    )
  }
}

export interface Progress {
  readonly rowsDone: number
  readonly rowsTotal: number | null
}

/** Renews the heartbeat; false when the export was deleted or belongs to another process now. */
export async function heartbeat(
  { db, tenantId }: TenantDb,
  { id, attempt }: RunningExport,
  { rowsDone, rowsTotal, at }: Progress & { readonly at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('data_export')
    .set({
      heartbeat_at: at,
      rows_done: String(rowsDone),
      rows_total: rowsTotal === null ? null : String(rowsTotal),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type Completion =
  | { readonly status: 'completed'; readonly sizeBytes: number }
  | { readonly status: 'failed'; readonly error: Message }
  /** Returned to the queue when the service stops; does not count as an attempt. */
  | { readonly status: 'queued' }

/** Records the result of an export; false when the export was deleted or belongs to another process now. */
export async function finish(
  { db, tenantId }: TenantDb,
  { id, attempt }: RunningExport,
  {
    ending: completion,
    progress,
    at,
  }: { readonly ending: Completion; readonly progress: Progress; readonly at: Date },
): Promise<boolean> {
  const isRequeued = completion.status === 'queued'
  const row = await db
    .updateTable('data_export')
    .set({
      status: completion.status,
      error: completion.status === 'failed' ? toJson(completion.error) : null,
      size_bytes: completion.status === 'completed' ? String(completion.sizeBytes) : null,
      rows_done: isRequeued ? '0' : String(progress.rowsDone),
      // The expected number of buckets is known before the read; buckets without data have no row.
      rows_total:
        completion.status === 'completed'
          ? String(progress.rowsDone)
          : (progress.rowsTotal?.toString() ?? null),
      finished_at: isRequeued ? null : at,
    })
    .set((eb) => (isRequeued ? { attempts: eb('attempts', '-', 1) } : {}))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

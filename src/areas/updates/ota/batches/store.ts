import { sql } from 'kysely'
import type { Message } from '../../../../kernel/messages.ts'
import type { JsonText } from '../../../../platform/db/json-columns.ts'
import { readPage } from '../../../../platform/db/list.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { isOfActiveTenant, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import type { OtaStatus } from '../updates/states.ts'
import type { BatchQuery } from './schema.ts'
import type { BatchStatus } from './states.ts'
import type { StatusCounts } from './wave-decision.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'ota_batch.reason': Message
  }
}

const columns = [
  ...(['id', 'firmware_version_id', 'wave', 'wave_sizes', 'success_threshold_pct'] as const),
  ...([
    'error_threshold_pct',
    'rollback_on_error',
    'reason',
    'created_by',
    'created_at',
    'finished_at',
  ] as const),
  sql<BatchStatus>`status`.as('status'),
] as const

/** The number of updates of the batch by status. */
const countsOfBatch = (tenantId: number) =>
  sql<Record<string, number>>`(
  select coalesce(jsonb_object_agg(c.status, c.total), '{}') from (
    select u.status, count(*) as total from ota_update u
    where (u.tenant_id, u.batch_id) = (${tenantId}, ota_batch.id) group by u.status
  ) c)`.as('counts')

const rowsOf = (tenant: TenantDb) =>
  selectRows(tenant, 'ota_batch').select(columns).select(countsOfBatch(tenant.tenantId))

export function list(tenant: TenantDb, query: BatchQuery) {
  let rows = rowsOf(tenant)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.firmware_version_id !== undefined)
    rows = rows.where('firmware_version_id', '=', query.firmware_version_id)
  return readPage(rows, query)
}

export const find = (tenant: TenantDb, id: string) => rowsOf(tenant).where('id', '=', id).executeTakeFirst()

export const lock = (tx: TenantTx, id: string) =>
  selectRows(tx, 'ota_batch').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

export interface NewBatch {
  readonly firmware_version_id: string
  readonly wave_sizes: number[]
  readonly success_threshold_pct: number
  readonly error_threshold_pct: number
  readonly rollback_on_error: boolean
  readonly created_by: string
  readonly created_at: Date
}

export async function insert({ db, tenantId }: TenantTx, batch: NewBatch): Promise<string> {
  const { id } = await db
    .insertInto('ota_batch')
    .values({ tenant_id: tenantId, ...batch })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function countWave(
  tx: TenantTx,
  { id, wave }: { readonly id: string; readonly wave: number },
): Promise<StatusCounts> {
  const rows = await selectRows(tx, 'ota_update')
    .select(['status', (eb) => eb.fn.countAll().as('total')])
    .where('batch_id', '=', id)
    .where('wave', '=', wave)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]))
}

/** Begins a wave: its queued updates become due and their deadlines start. Returns their ids. */
export async function beginWave(
  tx: TenantTx,
  { id, wave, at }: { readonly id: string; readonly wave: number; readonly at: Date },
): Promise<string[]> {
  await updateRows(tx, 'ota_batch').set({ wave }).where('id', '=', id).execute()
  const rows = await updateRows(tx, 'ota_update')
    .set({
      is_due: true,
      attempt_started_at: at,
      // timestamptz + interval is STABLE, which a distributed database refuses in UPDATE.
      deadline_at: sql<Date>`to_timestamp(${at.getTime() / 1000}::float8 + timeout_s)`,
    })
    .where('batch_id', '=', id)
    .where('wave', '=', wave)
    .where('status', '=', 'queued' satisfies OtaStatus)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export const finish = (
  tx: TenantTx,
  id: string,
  set: {
    readonly status: BatchStatus
    readonly reason: JsonText<Message> | null
    readonly finished_at: Date
  },
) => updateRows(tx, 'ota_batch').set(set).where('id', '=', id).execute()

/** The updates of a batch that have one of these statuses, in the order of their waves. */
export async function listUpdates(
  tx: TenantTx,
  id: string,
  statuses: readonly OtaStatus[],
): Promise<string[]> {
  const rows = await selectRows(tx, 'ota_update')
    .select('id')
    .where('batch_id', '=', id)
    .where('status', 'in', statuses)
    .orderBy('wave')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Ids of due updates whose devices are not notified yet. */
export async function listDueUpdates(tenant: TenantDb, id: string): Promise<string[]> {
  const rows = await selectRows(tenant, 'ota_update')
    .select('id')
    .where('batch_id', '=', id)
    .where('status', '=', 'queued' satisfies OtaStatus)
    .where('is_due', '=', true)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Running batches of all active tenants without an open update in their wave: the devices of the last ones were
 * deleted.
 */
export async function listWithSettledWave(
  { db }: SystemDb,
  limit: number,
): Promise<{ readonly tenantId: number; readonly id: string }[]> {
  const rows = await db
    .selectFrom('ota_batch as b')
    .select(['b.tenant_id', 'b.id'])
    .where('b.status', '=', 'running')
    .where(isOfActiveTenant('b.tenant_id'))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ota_update as u')
            .select('u.id')
            .whereRef('u.tenant_id', '=', 'b.tenant_id')
            .whereRef('u.batch_id', '=', 'b.id')
            .whereRef('u.wave', '=', 'b.wave')
            .where('u.finished_at', 'is', null),
        ),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }))
}

/** Makes updates that are being installed roll back at their end, without another retry. */
export const markInstallingForRollback = (tx: TenantTx, id: string) =>
  updateRows(tx, 'ota_update')
    .set({ rolls_back: true, retries_left: 0 })
    .where('batch_id', '=', id)
    .where('status', '=', 'installing' satisfies OtaStatus)
    .execute()

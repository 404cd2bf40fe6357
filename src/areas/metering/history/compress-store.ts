import { sql } from 'kysely'
import { decodeChunk, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { iso, type LocalDate, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { dayRange, runOnKysely } from './chunk-store.ts'
import { ROWS_KEPT_MS } from './limits.ts'
import { metricBits, ROW_CELLS } from './rows.ts'

export interface DeviceKey {
  readonly tenantId: number
  readonly deviceKey: number
}

/** Active tenants after an id, by id. */
export async function listTenants(
  { db }: SystemDb,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = db.selectFrom('tenant').select('id').where('is_active', '=', true).where('id', '>', after)
  return (await rows.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** Keys of the devices of a tenant after a key, by key. */
export async function listDeviceKeys(
  tenant: TenantDb,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = selectRows(tenant, 'device').select('key').where('key', '>', after)
  return (await rows.orderBy('key').limit(limit).execute()).map(({ key }) => key)
}

/** The first row of a device in a range; undefined without any. */
export async function firstRow(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  { from, to }: Range,
): Promise<number | undefined> {
  const { rows } = await sql<{ ts: Date }>`
    select ts from measurement where tenant_id = ${tenantId} and device_key = ${deviceKey}
      and ts >= ${new Date(from)} and ts < ${new Date(to)} order by ts limit 1`.execute(db)
  return rows[0]?.ts.getTime()
}

/** The first row of each device in a range; devices without any are left out. */
export async function firstRows(
  { db, tenantId }: TenantDb,
  deviceKeys: readonly number[],
  { from, to }: Range,
): Promise<{ readonly deviceKey: number; readonly first: number }[]> {
  const { rows } = await sql<{ key: number; first: Date }>`
    select k.key, m.ts as first from unnest(${[...deviceKeys]}::int[]) as k (key)
    cross join lateral (select ts from measurement where tenant_id = ${tenantId} and device_key = k.key
      and ts >= ${new Date(from)} and ts < ${new Date(to)} order by ts limit 1) m order by k.key`.execute(db)
  return rows.map(({ key, first }) => ({ deviceKey: key, first: first.getTime() }))
}

/** Counts the rows of a day, at most `limit`. */
export async function countDayRows(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  { day, limit }: { readonly day: LocalDate; readonly limit: number },
): Promise<number> {
  const { from, to } = dayRange(day)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from measurement where tenant_id = ${tenantId}
      and device_key = ${deviceKey} and ts >= ${new Date(from)} and ts < ${new Date(to)} limit ${limit}) counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export interface StoredChunk {
  readonly samples: SampleColumns
  /** Published ROWS_KEPT_MS ago, so that its rows may be deleted. */
  readonly isSettled: boolean
}

/** Locks the chunk of a day until the transaction ends; undefined when there is none. */
export async function lockChunk(
  { db, tenantId }: TenantTx,
  deviceKey: number,
  day: LocalDate,
): Promise<StoredChunk | undefined> {
  const { rows } = await sql<{ content: Buffer; is_settled: boolean }>`
    select content, published_at <= now() - ${ROWS_KEPT_MS}::float8 * interval '1 millisecond' as is_settled
    from measurement_chunk
    where tenant_id = ${tenantId} and device_key = ${deviceKey} and day = ${day} for update`.execute(db)
  const [row] = rows
  return row && { samples: decodeChunk(row.content), isSettled: row.is_settled }
}

/** Reads at most `limit` rows of a day, ascending. */
export async function readDayRows(
  { db, tenantId }: TenantTx,
  deviceKey: number,
  { day, limit }: { readonly day: LocalDate; readonly limit: number },
): Promise<unknown[][]> {
  const { from, to } = dayRange(day)
  return runOnKysely(db)(
    `select ${ROW_CELLS} from measurement where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4
     order by ts limit $5`,
    [tenantId, deviceKey, iso(from), iso(to), limit],
  )
}

/** Deletes the rows of a day and returns exactly those that were deleted. */
export async function deleteDayRows(
  { db, tenantId }: TenantTx,
  deviceKey: number,
  day: LocalDate,
): Promise<unknown[][]> {
  const { from, to } = dayRange(day)
  return runOnKysely(db)(
    `delete from measurement where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4 returning ${ROW_CELLS}`,
    [tenantId, deviceKey, iso(from), iso(to)],
  )
}

export interface NewChunk {
  readonly day: LocalDate
  readonly samples: SampleColumns
  readonly content: Uint8Array
  /** Whether all samples are rows as well. */
  readonly hasRows: boolean
}

/** Publishes a chunk, in place of an earlier one of the day. */
export async function publishChunk(
  { db, tenantId }: TenantTx,
  deviceKey: number,
  { day, samples, content, hasRows }: NewChunk,
): Promise<void> {
  const bits = metricBits(samples)
  // The time of the database: it decides when the rows may be deleted, for processes with different clocks.
  await sql`
    insert into measurement_chunk (tenant_id, device_key, day, samples, metrics, content, has_rows, published_at)
    values (${tenantId}, ${deviceKey}, ${day}, ${samples.rows}, ${bits}, ${Buffer.from(content)}, ${hasRows}, now())
    on conflict (tenant_id, device_key, day) do update set samples = excluded.samples, metrics = excluded.metrics,
      content = excluded.content, has_rows = excluded.has_rows, published_at = excluded.published_at`.execute(
    db,
  )
}

/** Records that the rows of a day are deleted. */
export const markCleared = ({ db, tenantId }: TenantTx, deviceKey: number, day: LocalDate) =>
  sql`update measurement_chunk set has_rows = false
    where tenant_id = ${tenantId} and device_key = ${deviceKey} and day = ${day}`.execute(db)

import { sql } from 'kysely'
import type { SampleColumns } from '../../../core/sample-chunks/index.ts'
import { iso, type LocalDate, type Range } from '../../../kernel/time.ts'
import { copyOut } from '../../../platform/db/copy-out.ts'
import { readRows } from '../../../platform/db/rows.ts'
import type { SystemDb, TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { PoolClient } from '../../../platform/db/transaction.ts'
import { dayRange } from './chunk-store.ts'
import { ROWS_KEPT_MS } from './limits.ts'
import type { DeviceDay } from './reopen-store.ts'
import { readColumns, rowFields } from './row-columns.ts'
import { metricBits } from './rows.ts'

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
  readonly content: Uint8Array
  /** Published ROWS_KEPT_MS ago, so that its rows may be deleted. */
  readonly isSettled: boolean
}

const keyOf = ({ tenantId, deviceKey, day }: DeviceDay) => [tenantId, deviceKey, day]

/** Locks the chunk of a day until the transaction ends; undefined when there is none. */
export async function lockChunk(client: PoolClient, day: DeviceDay): Promise<StoredChunk | undefined> {
  const [row] = await readRows(client, {
    name: 'compress_lock_chunk',
    text: `select content, published_at <= now() - $4::float8 * interval '1 millisecond' from measurement_chunk
      where tenant_id = $1 and device_key = $2 and day = $3 for update`,
    values: [...keyOf(day), ROWS_KEPT_MS],
  })
  return row && { content: row[0] as Uint8Array, isSettled: row[1] === true }
}

/** COPY takes no parameters: keys are numbers, and instants are written by the service. */
function whereDay({ tenantId, deviceKey, day }: DeviceDay): string {
  const { from, to } = dayRange(day)
  return `tenant_id = ${tenantId} and device_key = ${deviceKey} and ts >= '${iso(from)}' and ts < '${iso(to)}'`
}

async function copyRows(client: PoolClient, text: string): Promise<SampleColumns | undefined> {
  const { readRow, columns } = readColumns()
  await copyOut(client, `copy (${text}) to stdout (format binary)`, readRow)
  return columns()
}

export interface Portion {
  readonly limit: number
  /** Epoch microseconds, or -Infinity for the first rows; absent: any rows. */
  readonly after?: number
}

/**
 * Reads rows of a day by time; undefined when there is none. With `after`, those are the next rows; without it, any
 * `limit` rows of the day, which the server need not sort.
 */
export function readDayRows(client: PoolClient, day: DeviceDay, { limit, after }: Portion) {
  const next = after === undefined ? '' : `${afterInstant(after)} order by ts`
  return copyRows(
    client,
    `select ${rowFields()} from measurement where ${whereDay(day)} ${next} limit ${limit}`,
  )
}

const afterInstant = (us: number): string =>
  us === Number.NEGATIVE_INFINITY ? '' : `and ts > timestamptz 'epoch' + ${us} * interval '1 microsecond'`

/** Deletes the rows of a day and returns exactly those that were deleted; undefined when there was none. */
export const deleteDayRows = (client: PoolClient, day: DeviceDay) =>
  copyRows(client, `delete from measurement where ${whereDay(day)} returning ${rowFields()}`)

export interface NewChunk {
  readonly samples: SampleColumns
  readonly content: Uint8Array
  /** Whether all samples are rows as well. */
  readonly hasRows: boolean
}

/** Publishes a chunk, in place of an earlier one of the day. */
export async function publishChunk(
  client: PoolClient,
  day: DeviceDay,
  { samples, content, hasRows }: NewChunk,
): Promise<void> {
  // The time of the database: it decides when the rows may be deleted, for processes with different clocks.
  await readRows(client, {
    name: 'compress_publish_chunk',
    text: `insert into measurement_chunk (tenant_id, device_key, day, samples, metrics, content, has_rows, published_at)
      values ($1, $2, $3, $4, $5, $6, $7, now())
      on conflict (tenant_id, device_key, day) do update set samples = excluded.samples, metrics = excluded.metrics,
        content = excluded.content, has_rows = excluded.has_rows, published_at = excluded.published_at`,
    values: [...keyOf(day), samples.rows, metricBits(samples), content, hasRows],
  })
}

/** Records that the rows of a day are deleted. */
export const markCleared = (client: PoolClient, day: DeviceDay) =>
  readRows(client, {
    name: 'compress_mark_cleared',
    text: 'update measurement_chunk set has_rows = false where tenant_id = $1 and device_key = $2 and day = $3',
    values: keyOf(day),
  })

import { makeCompressor } from '../../../src/areas/metering/history/index.ts'
import type { TestApi } from '../api.ts'

/** Older than rows are kept beside their chunk. */
const SETTLED_AT = '2000-01-01T00:00:00Z'

/**
 * Makes all chunks old enough for the deletion of their rows; locks them in the order of the senders, tenant by tenant
 * as a distributed database needs it, which also refuses to compute the time from the column.
 */
export async function settleChunks({ deps }: TestApi): Promise<void> {
  const { pool } = deps.database
  const { rows } = await pool.query<{ id: number }>('select distinct tenant_id as id from measurement_chunk')
  for (const { id } of rows)
    await pool.query(
      `with locked as (
        select tenant_id, device_key, day from measurement_chunk where tenant_id = $1
        order by device_key, day for update)
      update measurement_chunk as c set published_at = $2 from locked
      where c.tenant_id = $1 and (c.device_key, c.day) = (locked.device_key, locked.day)`,
      [id, SETTLED_AT],
    )
}

/** Publishes chunks of all old days. */
export const publishHistory = (api: TestApi) => makeCompressor(api.deps)(api.clock.now())

/** Compresses all old days and deletes their rows. */
export async function compressAll(api: TestApi): Promise<void> {
  await publishHistory(api)
  await settleChunks(api)
  await publishHistory(api)
}

/** The number of rows and of chunks of a device. */
export async function countStored(api: TestApi, tenantId: number, deviceKey: number) {
  const { rows } = await api.deps.database.pool.query<{ rows: number; chunks: number; samples: number }>(
    `select (select count(*)::int from measurement where tenant_id = $1 and device_key = $2) as rows,
      (select count(*)::int from measurement_chunk where tenant_id = $1 and device_key = $2) as chunks,
      (select coalesce(sum(samples), 0)::int from measurement_chunk where tenant_id = $1 and device_key = $2) as samples`,
    [tenantId, deviceKey],
  )
  return rows[0]
}

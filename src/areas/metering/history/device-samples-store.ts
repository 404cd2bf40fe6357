import type pg from 'pg'
import { decodeChunk, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { floatAt } from '../../../kernel/checked.ts'
import { readRows } from '../../../platform/db/rows.ts'
import { readDayRows } from './compress-store.ts'
import { READ_ROWS_AT_ONCE } from './limits.ts'
import type { DeviceDay } from './reopen-store.ts'
import { mergeSamples, samplesBetween } from './row-columns.ts'

/** Reads the samples of a device-day as they are stored, ascending, in portions of at most READ_ROWS_AT_ONCE rows. */
export async function* readDeviceDay(pool: pg.Pool, day: DeviceDay): AsyncGenerator<SampleColumns> {
  const { tenantId, deviceKey } = day
  let chunk: SampleColumns | undefined
  for (let after = Number.NEGATIVE_INFINITY; ; ) {
    const rows = await readPortion(pool, day, after)
    // After the rows: a day whose rows are deleted meanwhile has a chunk since before.
    if (after === Number.NEGATIVE_INFINITY) {
      const text =
        'select content from measurement_chunk where tenant_id = $1 and device_key = $2 and day = $3'
      const values = [tenantId, deviceKey, day.day]
      const [found] = await readRows(pool, { name: 'history_device_day', text, values })
      chunk = found && decodeChunk(found[0] as Uint8Array)
    }
    const isLast = (rows?.rows ?? 0) < READ_ROWS_AT_ONCE
    const until = isLast || !rows ? Number.POSITIVE_INFINITY : floatAt(rows.times, rows.rows - 1)
    const older = chunk && samplesBetween(chunk, { after, until })
    const samples = older ? mergeSamples(older, rows) : rows
    if (samples) yield samples
    if (isLast) return
    after = until
  }
}

async function readPortion(pool: pg.Pool, day: DeviceDay, after: number) {
  const client = await pool.connect()
  try {
    return await readDayRows(client, day, { limit: READ_ROWS_AT_ONCE, after })
  } finally {
    client.release()
  }
}

import type pg from 'pg'
import { localDate } from '../../../kernel/time.ts'
import { COMPRESSED_AGE_MIN_MS, type DeviceDay, readCompressed, reopenDays } from '../history/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import type { Batch } from './batch.ts'

/**
 * Returns the compressed days of a batch to the rows. Days of sealed months stay as they are: the stored values of
 * their samples are returned, by row.
 */
export async function openCompressedDays(
  client: pg.ClientBase,
  batch: Batch,
  { now, sealed }: { readonly now: number; readonly sealed: ReadonlySet<number> },
): Promise<ReadonlyMap<number, SampleValues>> {
  const open = new Map<string, DeviceDay>()
  const closed = new Map<string, DeviceDay>()
  const closedRows = new Map<number, DeviceDay>()
  for (let row = 0; row < batch.rows; row++) {
    const at = batch.atRow(row)
    if (at >= now - COMPRESSED_AGE_MIN_MS) continue
    const [block, index] = [batch.blockAt(row), batch.indexAt(row)]
    const day = { tenantId: block.tenantId, deviceKey: block.keyOf(index), day: localDate(at) }
    const days = sealed.has(row) ? closed : open
    days.set(`${day.tenantId} ${day.deviceKey} ${day.day}`, day)
    if (sealed.has(row)) closedRows.set(row, day)
  }
  await reopenDays(client, [...open.values()])
  const valuesAt = await readCompressed(client, [...closed.values()])
  const stored = new Map<number, SampleValues>()
  for (const [row, day] of closedRows) {
    const values = valuesAt(day, batch.atRow(row))
    if (values) stored.set(row, values)
  }
  return stored
}

import type pg from 'pg'
import { at } from '../../../kernel/checked.ts'
import { localDate } from '../../../kernel/time.ts'
import { COMPRESSED_AGE_MIN_MS, type DeviceDay, readCompressed, reopenDays } from '../history/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import type { Batch } from './batch.ts'
import { INGEST_REOPEN_MAX_MS } from './limits.ts'
import { BatchRetry } from './queue-options.ts'

interface OpenOptions {
  readonly now: number
  readonly sealed: ReadonlySet<number>
  readonly reopenMaxMs: number | undefined
}

/**
 * Returns the compressed days of a batch to the rows. Days of sealed months stay as they are: the stored values of
 * their samples are returned, by row.
 *
 * With samples of very many days the transaction would become too long for the order of events that `storeBatch` relies
 * on, or could never end. After INGEST_REOPEN_MAX_MS the days that are rows by then are therefore committed, which
 * changes no sample, and the batch is tried again: `BatchRetry`. Every attempt returns at least one day, and the last
 * one is the transaction of the samples.
 */
export async function openCompressedDays(
  client: pg.ClientBase,
  batch: Batch,
  { now, sealed, reopenMaxMs = INGEST_REOPEN_MAX_MS }: OpenOptions,
): Promise<ReadonlyMap<number, SampleValues>> {
  const open = new Map<string, DeviceDay>()
  const closed = new Map<string, { readonly day: DeviceDay; readonly rows: number[] }>()
  for (let row = 0; row < batch.rows; row++) {
    const instant = batch.atRow(row)
    if (instant >= now - COMPRESSED_AGE_MIN_MS) continue
    const [block, index] = [batch.blockAt(row), batch.indexAt(row)]
    const day = { tenantId: block.tenantId, deviceKey: block.keyOf(index), day: localDate(instant) }
    const key = `${day.tenantId} ${day.deviceKey} ${day.day}`
    const known = closed.get(key)
    if (known) known.rows.push(row)
    else if (sealed.has(row)) closed.set(key, { day, rows: [row] })
    else open.set(key, day)
  }
  const until = performance.now() + reopenMaxMs
  if (!(await reopenDays(client, [...open.values()], { until }))) {
    await client.query('commit')
    throw new BatchRetry('further compressed days have to be rows again before the batch is stored')
  }
  const stored = new Map<number, SampleValues>()
  for (const { day, rows } of closed.values()) {
    const instants = rows.map((row) => batch.atRow(row))
    for (const [index, values] of (await readCompressed(client, day, instants)).entries())
      if (values) stored.set(at(rows, index), values)
  }
  return stored
}

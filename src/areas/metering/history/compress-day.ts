import {
  areSameSamples,
  CHUNK_SAMPLES_MAX,
  decodeChunk,
  encodeChunk,
  type SampleColumns,
} from '../../../core/sample-chunks/index.ts'
import { dayStart, periodOf } from '../../../kernel/time.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { inConnectionTx, type PoolClient } from '../../../platform/db/transaction.ts'
import { findSealedByConnection, lockMonthByConnection } from '../storage/index.ts'
import { deleteDayRows, lockChunk, markCleared, publishChunk, readDayRows } from './compress-store.ts'
import type { DeviceDay } from './reopen-store.ts'
import { mergeSamples, samplesAt } from './row-columns.ts'

/**
 * The next step of a device-day, in a transaction of its own:
 *
 * 1. The rows are encoded, decoded again, compared, and published as a chunk. They stay.
 * 2. ROWS_KEPT_MS later, in another run, the rows are deleted, if exactly the deleted ones are equal to their
 *    samples of the chunk. Otherwise, after a late sample, the deletion is rolled back and a chunk of both is
 *    published: step 1 again.
 *
 * Every step is complete or has not happened, so that a process can be killed at any point, and repeating one
 * changes nothing. Locks: the row of the chunk, and the deleted rows. A batch with samples of the day takes the
 * former first, too (`reopenDays`). Months that are sealed are left as they are: their rows are rewritten by
 * compaction meanwhile.
 */
export interface DayStep {
  readonly step: 'published' | 'cleared' | 'waiting' | 'sealed' | 'too many'
  /** Samples that were published, or rows that were deleted. */
  readonly samples: number
  /** Bytes of the published chunk. */
  readonly bytes: number
}

const NOTHING = { samples: 0, bytes: 0 }

type DayWork = (client: PoolClient, day: DeviceDay) => Promise<DayStep>

export async function compressDay({ pool }: Pick<Database, 'pool'>, day: DeviceDay): Promise<DayStep> {
  const inOpenMonth = (work: DayWork): Promise<DayStep> =>
    inConnectionTx(pool, async (client) => {
      const period = periodOf(dayStart(day.day))
      await lockMonthByConnection(client, period)
      if ((await findSealedByConnection(client, [period])).has(period)) return { step: 'sealed', ...NOTHING }
      return work(client, day)
    })
  return inOpenMonth(nextStep).catch((error: unknown) => {
    if (error instanceof RowsDiffer) return inOpenMonth(publish)
    throw error
  })
}

/** Rolls a deletion back. */
class RowsDiffer extends Error {}

const nextStep: DayWork = async (client, day) => {
  const chunk = await lockChunk(client, day)
  if (!chunk) return publish(client, day)
  if (!chunk.isSettled) return { step: 'waiting', ...NOTHING }
  const deleted = await deleteDayRows(client, day)
  if (deleted && !areAmong(deleted, decodeChunk(chunk.content))) throw new RowsDiffer()
  await markCleared(client, day)
  return { step: 'cleared', samples: deleted?.rows ?? 0, bytes: 0 }
}

/** Whether each row equals the sample of the same instant, to the bit. */
function areAmong(rows: SampleColumns, samples: SampleColumns): boolean {
  if (rows.rows === samples.rows) return areSameSamples(rows, samples)
  const same = samplesAt(samples, rows.times)
  return same !== undefined && areSameSamples(rows, same)
}

/** Publishes a chunk of the rows of a day, and of the samples that only an earlier chunk has. */
const publish: DayWork = async (client, day) => {
  const known = await lockChunk(client, day)
  const rows = await readDayRows(client, day, { limit: CHUNK_SAMPLES_MAX + 1 })
  const samples = known ? mergeSamples(decodeChunk(known.content), rows) : rows
  if (!samples) return { step: 'cleared', ...NOTHING }
  if (samples.rows > CHUNK_SAMPLES_MAX) return { step: 'too many', ...NOTHING }
  const content = encodeChunk(samples)
  if (!areSameSamples(decodeChunk(content), samples))
    throw new Error(`the chunk of ${day.day} differs from its rows`)
  await publishChunk(client, day, { samples, content, hasRows: rows?.rows === samples.rows })
  return { step: 'published', samples: samples.rows, bytes: content.length }
}

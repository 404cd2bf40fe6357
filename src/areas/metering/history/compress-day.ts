import {
  areSameSamples,
  CHUNK_SAMPLES_MAX,
  decodeChunk,
  encodeChunk,
  type SampleColumns,
} from '../../../core/sample-chunks/index.ts'
import { dayStart, type LocalDate, periodOf } from '../../../kernel/time.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import { lockMonths, sealedAmong } from '../storage/index.ts'
import {
  type DeviceKey,
  deleteDayRows,
  lockChunk,
  markCleared,
  publishChunk,
  readDayRows,
} from './compress-store.ts'
import { cellTexts, toColumns } from './rows.ts'

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

type DayWork = (tx: TenantTx, deviceKey: number, day: LocalDate) => Promise<DayStep>

export async function compressDay(
  { kysely }: Pick<Database, 'kysely'>,
  { tenantId, deviceKey }: DeviceKey,
  day: LocalDate,
): Promise<DayStep> {
  const inOpenMonth = (work: DayWork): Promise<DayStep> =>
    inTenantTx(kysely, tenantId, async (tx) => {
      const period = periodOf(dayStart(day))
      await lockMonths(tx, [period])
      if ((await sealedAmong(tx, [period])).has(period)) return { step: 'sealed', ...NOTHING }
      return work(tx, deviceKey, day)
    })
  return inOpenMonth(nextStep).catch((error: unknown) => {
    if (error instanceof RowsDiffer) return inOpenMonth(publish)
    throw error
  })
}

/** Rolls a deletion back. */
class RowsDiffer extends Error {}

const nextStep: DayWork = async (tx, deviceKey, day) => {
  const chunk = await lockChunk(tx, deviceKey, day)
  if (!chunk) return publish(tx, deviceKey, day)
  if (!chunk.isSettled) return { step: 'waiting', ...NOTHING }
  const deleted = await deleteDayRows(tx, deviceKey, day)
  if (!areAmong(deleted, chunk.samples)) throw new RowsDiffer()
  await markCleared(tx, deviceKey, day)
  return { step: 'cleared', samples: deleted.length, bytes: 0 }
}

type Cells = readonly unknown[]

const byTime = ([a]: Cells, [b]: Cells): number => Number(a) - Number(b)

/** Whether each row equals the sample of the same instant, to the bit. */
function areAmong(rows: readonly Cells[], samples: SampleColumns): boolean {
  if (rows.length === 0) return true
  const sorted = toColumns([...rows].sort(byTime))
  if (rows.length === samples.rows) return areSameSamples(sorted, samples)
  const indexes = new Map(Array.from(samples.times, (time, row) => [time, row]))
  const same = Array.from(sorted.times, (time) => indexes.get(time))
  return (
    same.every((row) => row !== undefined) &&
    areSameSamples(sorted, toColumns(same.map((row) => cellTexts(samples, row))))
  )
}

/** Publishes a chunk of the rows of a day, and of the samples that only an earlier chunk has. */
const publish: DayWork = async (tx, deviceKey, day) => {
  const known = await lockChunk(tx, deviceKey, day)
  const rows = await readDayRows(tx, deviceKey, { day, limit: CHUNK_SAMPLES_MAX + 1 })
  const merged = known ? mergeInto(known.samples, rows) : rows
  if (merged.length === 0) return { step: 'cleared', ...NOTHING }
  if (merged.length > CHUNK_SAMPLES_MAX) return { step: 'too many', ...NOTHING }
  const samples = toColumns(merged)
  const content = encodeChunk(samples)
  if (!areSameSamples(decodeChunk(content), samples))
    throw new Error(`the chunk of ${day} differs from its rows`)
  const hasRows = rows.length === merged.length
  await publishChunk(tx, deviceKey, { day, samples, content, hasRows })
  return { step: 'published', samples: samples.rows, bytes: content.length }
}

/** The samples of a chunk and rows, ascending; a row takes precedence. */
function mergeInto(samples: SampleColumns, rows: readonly Cells[]): Cells[] {
  const merged = new Map<string, Cells>()
  for (let row = 0; row < samples.rows; row++) {
    const cells = cellTexts(samples, row)
    merged.set(String(cells[0]), cells)
  }
  for (const cells of rows) merged.set(String(cells[0]), cells)
  return [...merged.values()].sort(byTime)
}

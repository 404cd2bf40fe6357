import { decodeChunk, type Metric, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { floatAt } from '../../../kernel/checked.ts'
import { DAY_MS, dayStart, iso, localDate } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import { type DeviceRange, HAS_ROWS, runOnConnection } from './chunk-store.ts'
import { LEADING_CHUNKS_MAX } from './limits.ts'
import { mergeSamples, readColumns, rowFields, samplesBetween } from './row-columns.ts'

interface SampleQuery extends DeviceRange {
  readonly tenantId: number
  readonly metrics: readonly Metric[]
  /** Rows that are read at once. */
  readonly limit: number
}

export interface NextSamples {
  /** Ascending, without empty ones. */
  readonly samples: readonly SampleColumns[]
  /** All samples before this instant have been read. */
  readonly until: number
}

const LEADING = `select c.day::text, c.samples, ${HAS_ROWS} from measurement_chunk c
  where c.tenant_id = $1 and c.device_key = $2 and c.day >= $3 and c.day <= $4 order by c.day limit $5`
const CONTENTS = `select content from measurement_chunk
  where tenant_id = $1 and device_key = $2 and day >= $3 and day <= $4 order by day limit $5`

/**
 * Reads the samples with which a range begins, of chunks and rows, without a text for each value: about `limit`. Each
 * call has statements of its own; the next one continues at `until`.
 */
export async function readNextSamples(db: ReadDatabase, query: SampleQuery): Promise<NextSamples> {
  const chunks = await readChunks(db, query)
  // After the chunks: a day that a late sample returns to the rows has them by now.
  const rows = await readRowsUntil(db, query, chunks.until)
  const isLast = (rows?.rows ?? 0) < query.limit
  const until = isLast || !rows ? chunks.until : nextMillisecond(floatAt(rows.times, rows.rows - 1))
  const within = { after: query.range.from * MICROSECONDS - 1, until: until * MICROSECONDS - 1 }
  const ofChunks = chunks.samples.flatMap((samples) => samplesBetween(samples, within) ?? [])
  return { samples: rows ? [mergeAll(ofChunks, rows)] : ofChunks, until }
}

const MICROSECONDS = 1000
const nextMillisecond = (microseconds: number): number => Math.floor(microseconds / MICROSECONDS) + 1

/** The rows take precedence. */
const mergeAll = (chunks: readonly SampleColumns[], rows: SampleColumns): SampleColumns =>
  chunks.reduce((merged, chunk) => mergeSamples(chunk, merged), rows)

/**
 * The chunks of the first days of a range, until they have `limit` samples; none when the range begins with a day
 * without a chunk. Their rows have to be read until the end of the last one.
 */
async function readChunks(
  { pool }: ReadDatabase,
  { tenantId, deviceKey, range, limit, metrics }: SampleQuery,
): Promise<NextSamples> {
  const run = runOnConnection(pool)
  const [first, last] = [localDate(range.from), localDate(range.to)]
  const heads = await run(LEADING, [tenantId, deviceKey, first, last, LEADING_CHUNKS_MAX])
  const [head] = heads
  if (!head) return { samples: [], until: range.to }
  const begin = dayStart(String(head[0]))
  if (begin > range.from) return { samples: [], until: Math.min(range.to, begin) }
  let chosen = 0
  let until = range.from
  // The range may begin anywhere in the first day, so that its samples are not counted.
  for (let counted = 0; chosen < heads.length && counted < limit; chosen++) {
    const [day, samples, hasRows] = heads[chosen] ?? []
    if (hasRows === true && chosen > 0) break
    if (chosen > 0) counted += Number(samples)
    until = Math.min(range.to, dayStart(String(day)) + DAY_MS)
  }
  const contents = await run(CONTENTS, [tenantId, deviceKey, first, last, chosen])
  const wanted = { metrics: new Set(metrics), withExtra: false }
  return { samples: contents.map(([content]) => decodeChunk(content as Uint8Array, wanted)), until }
}

/** COPY takes no parameters: keys are numbers, and instants are written by the service. */
async function readRowsUntil(
  { copyOut }: ReadDatabase,
  { tenantId, deviceKey, range, metrics, limit }: SampleQuery,
  until: number,
): Promise<SampleColumns | undefined> {
  const fields = { metrics, withExtra: false }
  const text = `select ${rowFields(fields)} from measurement where tenant_id = ${tenantId}
    and device_key = ${deviceKey} and ts >= '${iso(range.from)}' and ts < '${iso(until)}' order by ts limit ${limit}`
  const reader = await copyOut(`copy (${text}) to stdout (format binary)`, () => readColumns(fields))
  return reader.columns()
}

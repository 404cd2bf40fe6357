import { decodeChunk, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { type DeviceRange, HAS_ROWS, runOnConnection } from './chunk-store.ts'
import { LEADING_CHUNKS_MAX } from './limits.ts'

/** The chunks with which a range begins, for a reader that needs no statement over their samples. */
export interface LeadingChunks {
  /** Ascending. The first and the last one may have samples outside of the range. */
  readonly samples: readonly SampleColumns[]
  /** The range continues here; samples before it that these chunks do not have are rows. */
  readonly until: number
}

const LEADING = `select c.day::text, c.samples, ${HAS_ROWS} from measurement_chunk c
  where c.tenant_id = $1 and c.device_key = $2 and c.day >= $3 and c.day <= $4 order by c.day limit $5`
const CONTENTS = `select content from measurement_chunk
  where tenant_id = $1 and device_key = $2 and day >= $3 and day <= $4 order by day limit $5`

/**
 * Reads the first chunks of a range whose days have no rows, until they have `limit` samples. Undefined when the first
 * chunk has rows, or there is none.
 */
export async function readLeadingChunks(
  db: Queryable,
  {
    tenantId,
    deviceKey,
    range,
    limit,
    metrics,
  }: DeviceRange & {
    readonly tenantId: number
    readonly limit: number
    readonly metrics: ReadonlySet<string>
  },
): Promise<LeadingChunks | undefined> {
  const run = runOnConnection(db)
  const [first, last] = [localDate(range.from), localDate(range.to)]
  const heads = await run(LEADING, [tenantId, deviceKey, first, last, LEADING_CHUNKS_MAX])
  let chosen = 0
  let until = range.from
  // The range may begin anywhere in the first day, so that its samples are not counted.
  for (let counted = 0; chosen < heads.length && counted < limit; chosen++) {
    const [day, samples, hasRows] = heads[chosen] ?? []
    if (hasRows === true) break
    if (chosen > 0) counted += Number(samples)
    until = Math.min(range.to, dayStart(String(day)) + DAY_MS)
  }
  if (chosen === 0) return undefined
  const rows = await run(CONTENTS, [tenantId, deviceKey, first, last, chosen])
  const samples = rows.map(([content]) => decodeChunk(content as Uint8Array, { metrics, withExtra: false }))
  return { samples, until }
}

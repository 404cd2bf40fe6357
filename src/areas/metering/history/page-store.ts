import type { MetricColumn } from '../../../core/sample-chunks/index.ts'
import { byteAt, floatAt } from '../../../kernel/checked.ts'
import type { Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import { type ChunkHead, type DeviceSamples, firstOf, loadChunks, runOnConnection } from './chunk-store.ts'
import { firstSamples, untilFirst } from './rows.ts'

const MICROSECONDS = 1000

/** A sample of a page: epoch microseconds, VALUE_COLUMNS, and the extra values. */
type SampleCells = readonly unknown[]

interface PageQuery {
  readonly tenantId: number
  /** Epoch milliseconds. */
  readonly range: Range
  readonly limit: number
  /** The chunks that overlap the range, by day; they may have been listed before other statements. */
  readonly heads: readonly ChunkHead[]
}

/**
 * Reads the first `limit` samples of a device in a range, ascending. Samples of chunks are merged with the rows here:
 * a statement over both would send them to the database only to receive them again.
 */
export async function readPage(
  db: Queryable,
  query: PageQuery,
  /** Reads rows of the range, as many as the page has at most. */
  readRows: (range: Range) => Promise<SampleCells[]>,
): Promise<SampleCells[]> {
  const { tenantId, range, limit, heads } = query
  const first = firstOf(heads, limit)
  const chunks = await loadChunks(runOnConnection(db), tenantId, first, untilFirst(range, limit))
  const stored = chunks
    .flatMap((chunk) => cellsOf(firstSamples(chunk, range, limit)))
    .filter(([at]) => Number(at) < range.to * MICROSECONDS)
    .slice(0, limit)
  // Rows after the last sample of a full page are on a later page. Its own row takes precedence.
  const last = stored.length === limit ? stored.at(-1) : undefined
  const to = last ? Math.min(range.to, Math.floor(Number(last[0]) / MICROSECONDS) + 1) : range.to
  const rows = await readRows({ from: range.from, to })
  return stored.length === 0 ? rows : merge(rows, stored).slice(0, limit)
}

/** The samples of both, ascending; a row takes precedence over the sample of its instant. */
function merge(rows: readonly SampleCells[], stored: readonly SampleCells[]): SampleCells[] {
  const merged: SampleCells[] = []
  let row = 0
  for (const sample of stored) {
    const at = Number(sample[0])
    for (; row < rows.length && Number(rows[row]?.[0]) < at; row++) merged.push(rows[row] ?? [])
    if (Number(rows[row]?.[0]) !== at) merged.push(sample)
  }
  return [...merged, ...rows.slice(row)]
}

function cellsOf({ samples: { rows, times, metrics, extra } }: DeviceSamples): SampleCells[] {
  const columns = VALUE_COLUMNS.map((metric) => metrics.get(metric))
  return Array.from({ length: rows }, (_, row) => {
    const text = extra?.[row]
    return [
      floatAt(times, row),
      ...columns.map((column) => cellOf(column, row)),
      text === undefined || text === null ? null : JSON.parse(text),
    ]
  })
}

function cellOf(column: MetricColumn | undefined, row: number): number | bigint | null {
  if (!column || (column.nulls && byteAt(column.nulls, row) === 1)) return null
  return column.values[row] ?? null
}

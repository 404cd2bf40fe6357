import { createHash } from 'node:crypto'
import { columnNumber } from '../../../core/sample-chunks/index.ts'
import { GAUGES, isRegister, REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { millionthsText } from '../../../platform/tables/index.ts'
import { readFirst, readSummarised } from '../../metering/history/index.ts'
import { isColumn } from './export-request.ts'

const COLUMNS = [...REGISTERS, ...GAUGES] as const
const names = COLUMNS.map((name) => `"${name}"`).join(', ')
const counts = COLUMNS.map((name) => `count("${name}") > 0`).join(', ')

export interface Counted {
  readonly rows: number
  /** The metrics with a column of their own that occur in the samples, in column order. */
  readonly metrics: readonly string[]
}

interface CountQuery {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  readonly range: Range
  /** The count stops at this number of rows. */
  readonly rowsMax: number
  /** Whether the metrics are not needed: the samples are counted without reading their values. */
  readonly isOnlyCount?: boolean
}

/** Counts the samples of devices in a range and finds the metrics that occur in them. */
export async function countSamples(
  db: Queryable,
  { tenantId, deviceKeys, range, rowsMax, isOnlyCount = false }: CountQuery,
): Promise<Counted> {
  const ranges = deviceKeys.map((deviceKey) => ({ deviceKey, range }))
  const { rows: counted, summaries } = await readSummarised(
    db,
    { tenantId, ranges, isCount: isOnlyCount },
    {
      name: isOnlyCount ? 'export_count_rows' : 'export_count',
      text: `select count(*)::int${isOnlyCount ? '' : `, ${counts}`} from (
        select ${isOnlyCount ? '1' : names} from measurement
        where tenant_id = $1 and device_key = any($2::int[]) and ts >= $3 and ts < $4 limit $5) looked_at`,
      values: [tenantId, [...deviceKeys], iso(range.from), iso(range.to), rowsMax],
    },
  )
  const [rows, ...has] = counted[0] ?? []
  const bits = summaries.reduce((all, { metrics }) => all | metrics, 0)
  const samples = summaries.reduce((sum, summary) => sum + summary.samples, Number(rows))
  return {
    rows: Math.min(samples, rowsMax),
    metrics: COLUMNS.filter((name, index) => has[index] === true || (bits & (1 << columnNumber(name))) !== 0),
  }
}

export interface RawQuery {
  readonly tenantId: number
  readonly deviceKey: number
  readonly range: Range
  readonly metrics: readonly string[]
  readonly limit: number
}

/** Epoch milliseconds, and the values in the order of the metrics as decimal text. */
export type RawRow = [at: number, ...values: (string | null)[]]

/**
 * Reads the next samples of a device wherever they are, ascending, by one statement, so that a slow client holds no
 * connection. Also reads metrics without a column.
 */
export async function readRaw(db: Queryable, query: RawQuery): Promise<RawRow[]> {
  const { tenantId, deviceKey, range, metrics, limit } = query
  const wanted = { tenantId, ranges: [{ deviceKey, range }], limit }
  const rows = (await readFirst(db, wanted, statementOf(query))) as RawRow[]
  const registers = metrics.flatMap((metric, column) => (isRegister(metric) ? [column + 1] : []))
  for (const row of rows) {
    for (const column of registers) {
      const millionths = row[column]
      if (typeof millionths === 'string') row[column] = millionthsText(millionths)
    }
  }
  return rows
}

function statementOf({ tenantId, deviceKey, range, metrics, limit }: RawQuery) {
  const extras = metrics.filter((metric) => !isColumn(metric))
  const columns = metrics.map((metric) => {
    if (!isColumn(metric)) return extraColumn(6 + extras.indexOf(metric))
    return `"${metric}"::text`
  })
  // Samples without any of the metrics are read as instants without values.
  const chosen = ["round(date_part('epoch', ts) * 1000)", ...columns].join(', ')
  const text = `select ${chosen} from measurement
    where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4 order by ts limit $5`
  // The statement has a name for each combination of columns, so that a connection plans it once.
  const name = `export_raw_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  return { name, text, values: [tenantId, deviceKey, iso(range.from), iso(range.to), limit, ...extras] }
}

const extraColumn = (parameter: number): string =>
  `case when jsonb_typeof(extra -> $${parameter}::text) = 'number' then extra ->> $${parameter}::text end`

import { createHash } from 'node:crypto'
import { columnNumber, type Metric, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { floatAt } from '../../../kernel/checked.ts'
import { GAUGES, isRegister, REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows as readPreparedRows } from '../../../platform/db/rows.ts'
import { readFirst, readLeadingChunks, readSummarised } from '../../metering/history/index.ts'
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
}

/** Counts the samples of devices in a range and finds the metrics that occur in them. */
export async function countSamples(
  db: Queryable,
  { tenantId, deviceKeys, range, rowsMax }: CountQuery,
): Promise<Counted> {
  const ranges = deviceKeys.map((deviceKey) => ({ deviceKey, range }))
  const { rows: counted, summaries } = await readSummarised(
    db,
    { tenantId, ranges },
    {
      name: 'export_count',
      text: `select count(*)::int, ${counts} from (
        select ${names} from measurement
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

/**
 * Epoch milliseconds, and the values in the order of the metrics as decimal text. Converting the text of the
 * database to a number and back would take a fifth of the time of an export.
 */
export type RawRow = [at: number, ...values: (string | null)[]]

const DECIMALS = 6
const ZERO = 48

/** Formats an integer number of millionths as a decimal without trailing zeros. */
export function millionthsText(digits: string): string {
  const sign = digits.startsWith('-') ? '-' : ''
  const padded = digits.slice(sign.length).padStart(DECIMALS + 1, '0')
  const point = padded.length - DECIMALS
  let end = padded.length
  while (end > point && padded.charCodeAt(end - 1) === ZERO) end -= 1
  const whole = sign + padded.slice(0, point)
  return end === point ? whole : `${whole}.${padded.slice(point, end)}`
}

/**
 * Reads the next samples of a device, ascending: `limit`, or more of compressed days. Fewer than `limit` are the last
 * ones. Each call has statements of its own, so that a slow client holds no connection; the next call continues after
 * the last instant.
 */
export async function readRaw(db: Queryable, query: RawQuery): Promise<RawRow[]> {
  const { range, metrics, limit } = query
  if (!metrics.every(isColumn)) return readRows(db, query)
  let rows: RawRow[] = []
  for (let from = range.from; rows.length < limit && from < range.to; ) {
    const rest = { ...query, range: { from, to: range.to }, limit: limit - rows.length }
    const direct = await readCompressedRows(db, rest)
    if (!direct) return [...rows, ...(await readRows(db, rest))]
    rows = rows.length === 0 ? direct.rows : [...rows, ...direct.rows]
    from = direct.until
  }
  return rows
}

/**
 * The samples of the compressed days with which a range begins, without sending them through the database. Undefined
 * when it does not begin with such days.
 */
async function readCompressedRows(
  db: Queryable,
  query: RawQuery,
): Promise<{ readonly rows: RawRow[]; readonly until: number } | undefined> {
  const { metrics, range, limit } = query
  const leading = await readLeadingChunks(db, { ...query, metrics: new Set(metrics) })
  if (!leading || leading.samples.some(hasLargeValues)) return undefined
  const { until } = leading
  // Days between these chunks that are not compressed, and late samples that have just returned a day to the rows.
  const between = await readStoredRows(db, { ...query, range: { from: range.from, to: until } })
  if (between.length === limit) return undefined
  const rows = leading.samples.flatMap((samples) =>
    toRawRows(samples, metrics, { from: range.from, to: until }),
  )
  if (between.length === 0) return { rows, until }
  const merged = new Map([...rows, ...between].map((row) => [row[0], row]))
  return { rows: [...merged.values()].sort(([a], [b]) => a - b), until }
}

const MICROSECONDS = 1000

function toRawRows(
  { rows, times, metrics: columns }: SampleColumns,
  metrics: readonly string[],
  range: Range,
) {
  const used = metrics.map((metric) => columns.get(metric as Metric))
  const texts = metrics.map((metric) => (isRegister(metric) ? registerText : gaugeText))
  const list: RawRow[] = []
  for (let row = 0; row < rows; row++) {
    const at = Math.round(floatAt(times, row) / MICROSECONDS)
    if (at < range.from || at >= range.to) continue
    const cells: RawRow = [at]
    for (let index = 0; index < used.length; index++) {
      const column = used[index]
      const value = column && column.nulls?.[row] !== 1 ? column.values[row] : undefined
      cells.push(value === undefined ? null : (texts[index] ?? gaugeText)(value))
    }
    list.push(cells)
  }
  return list
}

const MILLION = 1e6
/** Decimals with fewer than 16 digits are the shortest text of their float64. */
const EXACT_MAX = 1e15

const registerText = (value: number | bigint): string =>
  typeof value === 'number' && Math.abs(value) < EXACT_MAX
    ? String(value / MILLION)
    : millionthsText(String(value))

/** A float64 below EXACT_MAX as PostgreSQL writes it: the shortest text, with an exponent below 0.0001. */
export function gaugeText(value: number | bigint): string {
  const number = Number(value)
  if (!(Math.abs(number) < 1e-4) || number === 0) return Object.is(number, -0) ? '-0' : String(number)
  return number.toExponential().replace(/e-(\d)$/, 'e-0$1')
}

/** Of some integers beyond 2^53, PostgreSQL writes more digits than the shortest text has. */
const hasLargeValues = ({ metrics }: SampleColumns): boolean =>
  [...metrics].some(
    ([metric, { values }]) =>
      !isRegister(metric) && values.some((value: number | bigint) => Math.abs(Number(value)) >= EXACT_MAX),
  )

/** Reads the next samples wherever they are, by one statement. */
async function readRows(db: Queryable, query: RawQuery): Promise<RawRow[]> {
  const { tenantId, deviceKey, range, limit } = query
  const wanted = { tenantId, ranges: [{ deviceKey, range }], limit }
  return asDecimals(query, await readFirst(db, wanted, statementOf(query)))
}

/** Reads rows only. */
const readStoredRows = async (db: Queryable, query: RawQuery): Promise<RawRow[]> =>
  asDecimals(query, await readPreparedRows(db, statementOf(query)))

function asDecimals({ metrics }: RawQuery, found: unknown[][]): RawRow[] {
  const rows = found as RawRow[]
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

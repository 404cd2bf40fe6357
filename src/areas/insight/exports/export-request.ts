import type { Metric } from '../../../core/sample-chunks/index.ts'
import { AGGREGATE_RANGE_MAX_MS } from '../../../kernel/limits.ts'
import { GAUGES, REGISTERS } from '../../../kernel/metrics.ts'
import { DAY_MS, iso, localDate, parseInstant, type Range } from '../../../kernel/time.ts'
import { invalidInput, type ValidationFailure } from '../../../platform/http/validation.ts'
import type { CsvStyle } from '../../../platform/tables/index.ts'
import { rangeOf } from '../../metering/aggregates/index.ts'
import { AVERAGED, type Interval } from '../../metering/rollup/index.ts'
import { EXPORT_FILE_NAME_MAX_LENGTH } from './limits.ts'
import { EXPORT_TEXTS } from './messages.ts'
import type { CreateExport } from './schema.ts'

/** The parameters of an export as plain JSON, which is also stored while the export waits. */
export interface ExportRequest {
  readonly device_ids: readonly string[]
  /** ISO instants, on bucket boundaries unless the interval is raw. */
  readonly start: string
  readonly end: string
  readonly interval: 'raw' | Interval
  /** Null: all metrics that occur in the range. */
  readonly metrics: readonly string[] | null
  readonly format: 'csv' | 'xlsx' | 'pdf'
  readonly locale: 'tr' | 'en'
  readonly delimiter: CsvStyle['delimiter'] | null
  readonly headers: 'names' | 'labels'
  readonly file_name: string
}

export const rangeOfRequest = ({ start, end }: ExportRequest): Range => ({
  from: Date.parse(start),
  to: Date.parse(end),
})

/** Parses the body of a request and adds defaults. 422 for a combination that cannot be exported. */
export function parseRequest(body: CreateExport, now: number): ExportRequest {
  const { interval, locale, delimiter } = body
  const format = body.format === 'excel' ? 'xlsx' : body.format
  const range = interval === 'raw' ? rawRange(body, now) : rangeOfBuckets({ ...body, interval }, now)
  const metrics = body.metrics === undefined ? null : [...new Set(body.metrics)]
  if (interval !== 'raw') checkMetrics(metrics ?? [])
  return {
    device_ids: [...new Set(body.device_ids.map((id) => id.toLowerCase()))],
    start: iso(range.from),
    end: iso(range.to),
    interval,
    metrics,
    format,
    locale,
    delimiter: delimiter ?? null,
    headers: body.headers ?? (format === 'csv' ? 'names' : 'labels'),
    file_name: `${baseName(body, range)}.${format}`,
  }
}

/** The shared range checks name a field of the query; here the field is in the body. */
function rethrowForBody(error: unknown): never {
  const failures = (error as { extra?: { failures?: ValidationFailure[] } }).extra?.failures
  const [failure] = failures ?? []
  if (!failure?.content) throw error
  throw invalidInput(['body', String(failure.loc[1])], failure.content)
}

function rangeOfBuckets(request: CreateExport & { interval: Interval }, now: number): Range {
  try {
    return rangeOf({ interval: request.interval, start: request.start, end: request.end, now })
  } catch (error) {
    return rethrowForBody(error)
  }
}

function rawRange({ start, end }: CreateExport, now: number): Range {
  const from = parseInstant(start)?.at ?? now
  const to = end === undefined ? now : (parseInstant(end)?.at ?? now)
  if (from >= to) throw invalidInput(['body', 'end'], EXPORT_TEXTS.EXPORT_END_BEFORE_START())
  const longest = AGGREGATE_RANGE_MAX_MS.hourly
  if (to - from > longest) {
    throw invalidInput(['body', 'start'], EXPORT_TEXTS.EXPORT_RAW_TOO_LONG({ days: longest / DAY_MS }))
  }
  return { from, to }
}

const ROLLED_UP: ReadonlySet<string> = new Set([...REGISTERS, ...AVERAGED])

function checkMetrics(metrics: readonly string[]): void {
  const index = metrics.findIndex((metric) => !ROLLED_UP.has(metric))
  if (index < 0) return
  throw invalidInput(
    ['body', 'metrics', index],
    EXPORT_TEXTS.EXPORT_METRIC_NOT_HOURLY({ metrics: [...ROLLED_UP].join(', ') }),
  )
}

/** Characters that an operating system does not allow in a file name, and points at its ends. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}"*/:<>?\\|]+|^[.\s]+|[.\s]+$/gu

function baseName({ file_name, locale }: CreateExport, { from, to }: Range): string {
  const wanted = (file_name ?? '').replace(NOT_IN_NAMES, ' ').trim().slice(0, EXPORT_FILE_NAME_MAX_LENGTH)
  if (wanted !== '') return wanted
  const title = locale === 'tr' ? 'ölçümler' : 'measurements'
  return `netsaat-${title}-${localDate(from)}_${localDate(to - 1)}`
}

const KNOWN: ReadonlySet<string> = new Set([...REGISTERS, ...GAUGES])
/** True when the metric has a column of its own; other metrics are in the JSON of extra values. */
export const isColumn = (metric: string): metric is Metric => KNOWN.has(metric)

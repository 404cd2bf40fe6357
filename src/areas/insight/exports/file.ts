import type { Readable } from 'node:stream'
import { csvStream, type OutPortion, xlsxStream } from '../../../platform/tables/index.ts'
import { bucketCount } from '../../metering/rollup/index.ts'
import { type ExportRequest, rangeOfRequest } from './export-request.ts'
import { readFigures } from './pdf/figures.ts'
import { writeReport } from './pdf/report.ts'
import { openTable, type TableSource } from './table.ts'

export interface FileInput extends TableSource {
  /** Called with the number of rows once it is known, and after every portion that is written. */
  readonly onRows?: (rows: { readonly total: number; readonly done: number }) => void
}

/** Opens the file of an export as a stream, which is created while it is read. */
export async function openFile(source: FileInput): Promise<Readable> {
  const { request, at, onRows = () => {} } = source
  const { format, locale, delimiter } = request
  if (format === 'pdf') {
    const figures = await readFigures(source)
    onRows({ total: figures.buckets.length, done: figures.buckets.length })
    return writeReport({ figures, locale, at })
  }
  const { columns, portions, rows } = await openTable(source)
  onRows({ total: rows, done: 0 })
  const counted = { columns, portions: counting(portions, (done) => onRows({ total: rows, done })) }
  return format === 'csv'
    ? csvStream(counted, { locale, ...(delimiter && { delimiter }) })
    : xlsxStream(counted, { sheetName: sheetNameOf(request), at })
}

async function* counting(
  portions: AsyncIterable<OutPortion> | Iterable<OutPortion>,
  onDone: (done: number) => void,
) {
  let done = 0
  for await (const rows of portions) {
    yield rows
    done += rows.length
    onDone(done)
  }
}

const sheetNameOf = ({ locale }: ExportRequest): string => (locale === 'tr' ? 'Ölçümler' : 'Measurements')

/** The maximum number of rows of a file by hour, day or month. */
export const bucketRows = (request: ExportRequest): number =>
  request.interval === 'raw'
    ? 0
    : bucketCount(request.interval, rangeOfRequest(request)) * request.device_ids.length

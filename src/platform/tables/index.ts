import {
  TABLE_FILES_WAITING_MAX,
  TABLE_READ_HERE_BYTES_MAX,
  TABLE_READING_HEAP_MB,
  TABLE_READING_MAX_MS,
  TABLE_THREAD_IDLE_MS,
} from './limits.ts'
import { isWorkbook, readHere } from './read.ts'
import type { TableLimits, TableRow } from './table.ts'
import { makeTableThread } from './thread.ts'
import { xlsxSheetNames } from './xlsx.ts'

export {
  type Clock,
  isLikeFormula,
  isTotal,
  plain,
  readClock,
  readDay,
  readTimeOfDay,
  type TimeOfDay,
} from './cell-text.ts'
export { FLOAT_TEXT_MAX, floatText, millionthsText } from './decimal-text.ts'
export { type DecimalMark, decimalMarkOf, parseFigure, withPoint } from './decimals.ts'
export { isBlock, type OutBlock, type OutVector, rowsOfBlock } from './out-block.ts'
export type { OutCell, OutColumn, OutPortion, OutRow, OutTable } from './out-table.ts'
export {
  type Cell,
  damaged,
  EMPTY,
  TableFault,
  type TableLimits,
  type TableRow,
  tooManyRows,
} from './table.ts'
export { decodeTurkish } from './text-encoding.ts'
export { type CsvStyle, csvStream, DELIMITERS } from './write-csv.ts'
export { type OutSheet, writeXlsx, writeXlsxSheets, xlsxStream } from './write-xlsx.ts'
export { type Attributes, readWholeXml, unescapeXml } from './xml.ts'

const thread = makeTableThread({
  waitingMax: TABLE_FILES_WAITING_MAX,
  readingMaxMs: TABLE_READING_MAX_MS,
  heapMb: TABLE_READING_HEAP_MB,
  idleMs: TABLE_THREAD_IDLE_MS,
})

/**
 * Reads a CSV file or the first sheet of an XLSX workbook, detected by content and not by name. Throws
 * TableFault. Large files are parsed in a separate thread, so that other requests are not delayed.
 */
export const readTable = (bytes: Buffer, limits: TableLimits): Promise<TableRow[]> =>
  isReadHere(bytes) ? readHere(bytes, limits) : thread.rows(bytes, limits)

const isReadHere = (bytes: Buffer): boolean => bytes.length <= TABLE_READ_HERE_BYTES_MAX && !isWorkbook(bytes)

/**
 * `readTable` for files with many rows, which become objects only while they are iterated; each iteration decodes them
 * again. Throws TableFault.
 */
export const readLargeTable = (bytes: Buffer, limits: TableLimits): Promise<Iterable<TableRow>> =>
  isReadHere(bytes) ? readHere(bytes, limits) : thread.lazyRows(bytes, limits)

/** A sheet of a workbook; a CSV file is one sheet without a name. */
export interface NamedSheet {
  readonly name: string | undefined
  /** Reads the rows. Throws TableFault. */
  rows(): Promise<TableRow[]>
}

/** Returns the sheets of a workbook, or the only table of a CSV file, without reading rows. Throws TableFault. */
export async function listSheets(bytes: Buffer, limits: TableLimits): Promise<NamedSheet[]> {
  if (!isWorkbook(bytes)) return [{ name: undefined, rows: () => readTable(bytes, limits) }]
  const names = await xlsxSheetNames(bytes, limits)
  return names.map((name, index) => ({ name, rows: () => thread.rows(bytes, limits, index) }))
}

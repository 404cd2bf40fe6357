import type { Message } from '../../../kernel/messages.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import {
  type Cell,
  type DecimalMark,
  decimalMarkOf,
  isTotal,
  parseFigure,
  type TableRow,
  tooManyRows,
} from '../../../platform/tables/index.ts'
import { COLUMN_TEXTS, ColumnsFault, HourReader, type Label } from '../shared/index.ts'
import type { SentHour } from './energy.ts'
import { type Column, type Header, readHeader } from './file-columns.ts'
import { OSOS_FILE_ROWS_MAX, OSOS_HEADER_ROWS_MAX } from './limits.ts'
import { READING_TEXTS } from './messages.ts'

/** One row of a file: a reading of an hour, or the reason why it is invalid. */
export interface FileRow {
  /** The row of the sheet or the line of the file, from 1. */
  readonly row: number
  readonly installationNo: string | undefined
  readonly sent: SentHour | Message
}

export interface ReadingFile {
  readonly header: Header
  readonly decimalMark: DecimalMark
  readonly rowCount: number
  /** The distinct values of the column of installations. */
  readonly installationNos: readonly string[]
  /** The rows in the order of the file, created while they are iterated: a file may have a hundred thousand. */
  rows(): Iterable<FileRow>
}

const EMPTY: Cell = { kind: 'empty' }

/** Finds the header and how numbers are written. Throws ColumnsFault, or TableFault for too many rows. */
export async function openFile(
  table: Iterable<TableRow>,
  { label, hasInstallations }: { readonly label: Label; readonly hasInstallations: boolean },
): Promise<ReadingFile> {
  const { header, headerIndex } = findHeader(table)
  const { columnIndexes } = header
  if (hasInstallations && columnIndexes.installation_no === undefined) {
    throw new ColumnsFault(COLUMN_TEXTS.COLUMN_OF_INSTALLATION_MISSING())
  }
  const body = { [Symbol.iterator]: () => bodyOf(table, headerIndex) }
  const { rowCount, installationNos } = await overviewOf(body, columnIndexes)
  const decimalMark = decimalMarkOf(figuresOf(body, columnIndexes))
  return {
    header,
    decimalMark,
    rowCount,
    installationNos,
    *rows() {
      const readers = new Map<string | undefined, HourReader>()
      for (const { number, cells } of body) {
        const cell = (column: Column) => cellAt(cells, columnIndexes[column])
        const installationNo = noOf(cell('installation_no'))
        const hours = readers.get(installationNo) ?? new HourReader(label)
        readers.set(installationNo, hours)
        yield {
          row: number,
          installationNo,
          sent: sentOf(cell, { hours, decimalMark, hasTime: columnIndexes.time !== undefined }),
        }
      }
    },
  }
}

export const noOf = (cell: Cell): string | undefined =>
  cell.kind === 'text' || cell.kind === 'number' ? cell.text : undefined

export const cellAt = (cells: readonly Cell[], index: number | undefined): Cell =>
  index === undefined ? EMPTY : (cells[index] ?? EMPTY)

function findHeader(table: Iterable<TableRow>): { readonly header: Header; readonly headerIndex: number } {
  let index = 0
  for (const { cells } of table) {
    const header = readHeader(cells)
    if (header?.repeated) throw new ColumnsFault(COLUMN_TEXTS.COLUMNS_REPEATED({ column: header.repeated }))
    if (header) return { header, headerIndex: index }
    index += 1
    if (index === OSOS_HEADER_ROWS_MAX) break
  }
  throw new ColumnsFault(COLUMN_TEXTS.HEADERS_OF_ENERGY_MISSING())
}

/** The rows below the header, without blank rows and totals. */
function* bodyOf(table: Iterable<TableRow>, headerIndex: number): Generator<TableRow> {
  let index = 0
  for (const row of table) {
    const { cells } = row
    if (index > headerIndex && cells.some((cell) => cell.kind !== 'empty') && !isTotal(cells)) yield row
    index += 1
  }
}

async function overviewOf(body: Iterable<TableRow>, { installation_no: column }: Header['columnIndexes']) {
  const installationNos = new Set<string>()
  let rowCount = 0
  for await (const portion of inChunks(body)) {
    rowCount += portion.length
    if (rowCount > OSOS_FILE_ROWS_MAX) throw tooManyRows(OSOS_FILE_ROWS_MAX)
    for (const { cells } of portion) {
      const no = noOf(cellAt(cells, column))
      if (no !== undefined) installationNos.add(no)
    }
  }
  return { rowCount, installationNos: [...installationNos] }
}

function* figuresOf(body: Iterable<TableRow>, columnIndexes: Header['columnIndexes']): Generator<Cell> {
  for (const { cells } of body) {
    yield cellAt(cells, columnIndexes.import)
    yield cellAt(cells, columnIndexes.export)
  }
}

interface RowContext {
  readonly hours: HourReader
  readonly decimalMark: DecimalMark
  readonly hasTime: boolean
}

function sentOf(
  cell: (column: Column) => Cell,
  { hours, decimalMark, hasTime }: RowContext,
): SentHour | Message {
  const found = hours.read(cell('date'), hasTime ? cell('time') : undefined)
  if (found.hour === undefined) return found.fault
  const [drawn, fed] = [cell('import'), cell('export')]
  const imported = figure(drawn, decimalMark)
  const exported = figure(fed, decimalMark)
  if (imported === undefined || exported === undefined) {
    const mark = decimalMark === ',' ? 'comma' : 'point'
    return imported === undefined
      ? READING_TEXTS.READING_IMPORT_NOT_NUMBER({ mark })
      : READING_TEXTS.READING_EXPORT_NOT_NUMBER({ mark })
  }
  // Only a negative energy is stored as text.
  const isNegative = (imported ?? 0n) < 0n || (exported ?? 0n) < 0n
  const rawText = isNegative ? `${textOf(drawn)} | ${textOf(fed)}` : ''
  return { hour: found.hour, imported, exported, rawText }
}

export const figure = (cell: Cell, mark: DecimalMark): bigint | null | undefined =>
  cell.kind === 'empty' ? null : parseFigure(cell, mark)

export const textOf = (cell: Cell): string =>
  cell.kind === 'text' || cell.kind === 'number' ? cell.text : ''

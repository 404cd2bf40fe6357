import type { Message } from '../../../kernel/messages.ts'
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
  /**
   * The rows in the order of the file. They are created lazily, because a file may have a hundred thousand.
   */
  rows(): Iterable<FileRow>
}

const EMPTY: Cell = { kind: 'empty' }

/** Finds the header and how numbers are written. Throws ColumnsFault, or TableFault for too many rows. */
export function openFile(
  table: readonly TableRow[],
  { label, hasInstallations }: { readonly label: Label; readonly hasInstallations: boolean },
): ReadingFile {
  const { header, body } = splitHeader(table)
  const { columnIndexes } = header
  if (hasInstallations && columnIndexes.installation_no === undefined) {
    throw new ColumnsFault(COLUMN_TEXTS.COLUMN_OF_INSTALLATION_MISSING())
  }
  const decimalMark = decimalMarkOf(figuresOf(body, columnIndexes))
  return {
    header,
    decimalMark,
    rowCount: body.length,
    installationNos: [
      ...new Set(body.flatMap(({ cells }) => noOf(cellAt(cells, columnIndexes.installation_no)) ?? [])),
    ],
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

function splitHeader(table: readonly TableRow[]) {
  const index = table.slice(0, OSOS_HEADER_ROWS_MAX).findIndex(({ cells }) => readHeader(cells))
  const top = table[index]
  const header = top && readHeader(top.cells)
  if (!header) {
    throw new ColumnsFault(COLUMN_TEXTS.HEADERS_OF_ENERGY_MISSING())
  }
  if (header.repeated) throw new ColumnsFault(COLUMN_TEXTS.COLUMNS_REPEATED({ column: header.repeated }))
  const body = table
    .slice(index + 1)
    .filter(({ cells }) => cells.some((cell) => cell.kind !== 'empty') && !isTotal(cells))
  if (body.length > OSOS_FILE_ROWS_MAX) {
    throw tooManyRows(OSOS_FILE_ROWS_MAX)
  }
  return { header, body }
}

function* figuresOf(body: readonly TableRow[], columnIndexes: Header['columnIndexes']): Generator<Cell> {
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
  return { hour: found.hour, imported, exported, rawText: `${textOf(drawn)} | ${textOf(fed)}` }
}

export const figure = (cell: Cell, mark: DecimalMark): bigint | null | undefined =>
  cell.kind === 'empty' ? null : parseFigure(cell, mark)

export const textOf = (cell: Cell): string =>
  cell.kind === 'text' || cell.kind === 'number' ? cell.text : ''

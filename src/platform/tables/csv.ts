import { CsvError, parse } from 'csv-parse/sync'
import type { Message } from '../../kernel/messages.ts'
import { TABLE_TEXTS } from './messages.ts'
import {
  damaged,
  TableFault,
  type TableLimits,
  type TableRow,
  textCell,
  tooManyRows,
  unreadable,
} from './table.ts'
import { decodeText, decodeUtf8 } from './text-encoding.ts'

const DELIMITERS = [';', ',', '\t'] as const

/** Returns the delimiter that is most frequent in the first lines, outside of quotes. */
function delimiterOf(text: string): string {
  const bare = text.slice(0, 4_000).replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((mark) => bare.split(mark).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * A line that some programs write for Excel. Its text is removed but the line remains, so that line numbers
 * stay correct.
 */
const SEPARATOR_LINE = /^"?sep=[;,\t]"?(?=[\r\n])/i

const notText = (content: Message) => new TableFault('encoding', content)

/** A record, and the line on which it ends. */
type TakeRecord = (record: readonly string[], line: number) => void

/**
 * Reads text delimited by commas, semicolons or tabs: UTF-8 with or without a byte order mark, or any encoding of
 * `decodeText` where the limits say so. Each row is passed on when it is read, also before a fault. Throws TableFault.
 */
export function readCsv(bytes: Buffer, limits: TableLimits, take: (row: TableRow) => void): void {
  const text = decode(bytes, limits).replace(SEPARATOR_LINE, '')
  let records = 0
  // The parser reports the line on which a record ends, and counts a CR LF inside a cell as two lines.
  let tooMany = 0
  parseText(text, limits, (record, line) => {
    records += 1
    if (records > limits.rowsMax) throw tooManyRows(limits.rowsMax)
    if (record.length > limits.columnsMax) throw unreadable(TABLE_TEXTS.TABLE_LINE_TOO_LONG({ line }))
    const breaks = record.reduce((sum, cell) => sum + (cell.match(/[\r\n]/g)?.length ?? 0), 0)
    const number = line - breaks - tooMany
    if (breaks > 0) tooMany += record.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0)
    const cells = record.map((cell) => textCell(cell, limits))
    if (cells.some((cell) => cell.kind !== 'empty')) take({ number, cells })
  })
}

function decode(bytes: Buffer, { encodings = 'utf8' }: TableLimits): string {
  const text = encodings === 'utf8' ? decodeUtf8(bytes) : decodeText(bytes)
  if (text === undefined)
    throw notText(encodings === 'utf8' ? TABLE_TEXTS.TABLE_NOT_TEXT() : TABLE_TEXTS.TABLE_ENCODING_UNKNOWN())
  if (text.includes('\0')) throw notText(TABLE_TEXTS.TABLE_WITH_NUL())
  return text
}

function parseText(text: string, { rowsMax }: TableLimits, take: TakeRecord): void {
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      to: rowsMax + 1,
      record_delimiter: ['\r\n', '\n', '\r'],
      // The parser keeps no record for which it returns nothing.
      on_record: (record: string[], { lines }) => void take(record, lines),
    })
  } catch (error) {
    if (error instanceof CsvError) throw damaged(`the CSV cannot be read: ${error.message.slice(0, 200)}`)
    throw error
  }
}

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import { isBlock, rowsOfBlock } from './out-block.ts'
import { type OutRow, type OutTable, RowSource } from './out-table.ts'
import {
  makeBlockWriter,
  makeRowWriter,
  sheetEnd,
  sheetPath,
  sheetStart,
  stylesXml,
  workbookParts,
} from './sheet-xml.ts'

/** Rows of a sheet (Excel), including its header. */
const SHEET_ROWS_MAX = 1_048_576
/** Compression is twice as fast as with the default level, and files are a tenth larger. */
const COMPRESSION_LEVEL = 3
const SHEET_NAME_MAX_LENGTH = 31

interface XlsxOptions {
  /** The name on the tab; further sheets get a number. Characters that Excel does not allow are removed. */
  readonly sheetName: string
  /** The modification time of the parts of the file; epoch milliseconds. */
  readonly at: number
  /** Rows of one sheet; tests use a small number. */
  readonly sheetRowsMax?: number
}

/**
 * Returns a stream of an XLSX workbook, generated on demand: it holds a few hundred rows in memory,
 * independent of their number. Rows beyond one sheet continue in the next. Numbers and times are typed
 * cells; times are Turkey-local.
 */
export function xlsxStream(table: OutTable, options: XlsxOptions): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const source = new RowSource(table)
  const mtime = new Date(options.at)
  let sheet: Readable | undefined
  let count = 0
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on('error', fail)
  // A reader that disconnects leaves the sheet's stream unread: the stream is destroyed, and so is its
  // source.
  output.once('close', () => {
    sheet?.destroy()
    void source.close().catch(() => {})
  })

  const finish = () => {
    const names = Array.from({ length: count }, (_, index) => nameOf(options.sheetName, index))
    for (const [name, text] of workbookParts(names, stylesXml(table.columns))) {
      zip.addBuffer(Buffer.from(text), name, { mtime })
    }
    zip.end()
  }
  const goOn = async () => {
    if (count > 0 && !(await source.hasMore())) return finish()
    const path = sheetPath(count)
    count += 1
    sheet = Readable.from(sheetText(table, source, options.sheetRowsMax ?? SHEET_ROWS_MAX), {
      objectMode: false,
    })
    // The next part is added when the previous one has been read to its end, because parts are compressed one
    // after the other.
    sheet.once('error', fail)
    sheet.once('end', () => void goOn().catch(fail))
    zip.addReadStream(sheet, path, { mtime, compressionLevel: COMPRESSION_LEVEL })
  }
  void goOn().catch(fail)
  return output
}

/** Returns a small workbook in memory. */
export const writeXlsx = (
  { columns, rows }: { readonly columns: OutTable['columns']; readonly rows: readonly OutRow[] },
  options: XlsxOptions,
): Promise<Buffer> => buffer(xlsxStream({ columns, portions: [rows] }, options))

export interface OutSheet {
  readonly name: string
  readonly columns: OutTable['columns']
  readonly rows: readonly OutRow[]
}

/** Returns a small workbook with several sheets in memory. */
export async function writeXlsxSheets(sheets: readonly OutSheet[], at: number): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const mtime = new Date(at)
  const names = sheets.map(({ name }) => nameOf(name, 0))
  // All sheets share one list of styles; a sheet uses those from the position of its first column on.
  let firstColumn = 0
  for (const [sheet, { columns, rows }] of sheets.entries()) {
    const write = makeRowWriter(columns, firstColumn)
    const text = rows.map((row, index) => write(row, index + 2)).join('')
    const xml = sheetStart(columns) + text + sheetEnd(columns, rows.length + 1)
    zip.addBuffer(Buffer.from(xml), sheetPath(sheet), { mtime })
    firstColumn += columns.length
  }
  const styles = stylesXml(sheets.flatMap(({ columns }) => columns))
  for (const [name, text] of workbookParts(names, styles)) zip.addBuffer(Buffer.from(text), name, { mtime })
  zip.end()
  return buffer(zip.outputStream as Readable)
}

async function* sheetText({ columns }: OutTable, source: RowSource, rowsMax: number) {
  const write = makeRowWriter(columns)
  const writeBlock = makeBlockWriter(columns)
  const textOf = (rows: readonly OutRow[], first: number): Buffer =>
    Buffer.from(rows.map((row, index) => write(row, first + index)).join(''))
  let last = 1
  yield Buffer.from(sheetStart(columns))
  while (last < rowsMax) {
    const piece = await source.take(rowsMax - last)
    if (piece.length === 0) break
    const bytes = isBlock(piece) ? writeBlock(piece, last + 1) : undefined
    yield bytes ?? textOf(isBlock(piece) ? rowsOfBlock(piece) : piece, last + 1)
    last += piece.length
  }
  yield Buffer.from(sheetEnd(columns, last))
}

function nameOf(wanted: string, index: number): string {
  const suffix = index === 0 ? '' : ` (${index + 1})`
  const clean =
    wanted
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .trim() || 'Sheet'
  return clean.slice(0, SHEET_NAME_MAX_LENGTH - suffix.length) + suffix
}

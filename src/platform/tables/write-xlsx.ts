import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import { type OutRow, type OutTable, RowSource } from './out-table.ts'
import { makeRowWriter, sheetEnd, sheetPath, sheetStart, stylesXml, workbookParts } from './sheet-xml.ts'

/** What a sheet holds (Excel), its head included. */
const SHEET_ROWS_MAX = 1_048_576
/** Twice as fast as the default level, for files a tenth larger. */
const COMPRESSION_LEVEL = 3
const SHEET_NAME_MAX_LENGTH = 31

interface XlsxOptions {
  /** Shown on the tab; further sheets get a number. What Excel does not allow in it is taken out. */
  readonly sheetName: string
  /** When the parts of the file were made; epoch milliseconds. */
  readonly at: number
  /** Rows of one sheet; tests make it small. */
  readonly sheetRowsMax?: number
}

/**
 * An XLSX workbook, made as it is read: it holds a few hundred rows at a time, however many there are. What
 * does not fit one sheet goes on in the next. Numbers are numbers and times are times, on the Turkish clock.
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
  // A reader that goes away leaves a sheet that nobody drains: it is ended, and so is what it reads from.
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
    // The next part is added when this one has been read to its end: parts are packed one after the other.
    sheet.once('error', fail)
    sheet.once('end', () => void goOn().catch(fail))
    zip.addReadStream(sheet, path, { mtime, compressionLevel: COMPRESSION_LEVEL })
  }
  void goOn().catch(fail)
  return output
}

/** A small workbook in memory. */
export const writeXlsx = (
  { columns, rows }: { readonly columns: OutTable['columns']; readonly rows: readonly OutRow[] },
  options: XlsxOptions,
): Promise<Buffer> => buffer(xlsxStream({ columns, portions: [rows] }, options))

async function* sheetText({ columns }: OutTable, source: RowSource, rowsMax: number) {
  const write = makeRowWriter(columns)
  let last = 1
  yield Buffer.from(sheetStart(columns))
  while (last < rowsMax) {
    const rows = await source.take(rowsMax - last)
    if (rows.length === 0) break
    let text = ''
    for (const row of rows) {
      last += 1
      text += write(row, last)
    }
    yield Buffer.from(text)
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

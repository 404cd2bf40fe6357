import { openZip, ZipFault } from '../files/zip.ts'
import { TableFault, type TableLimits, type TableRow, unreadable } from './table.ts'
import { SheetRows } from './xlsx-sheet.ts'
import { type Parts, readWorkbook } from './xlsx-workbook.ts'
import { readXml } from './xml.ts'

/**
 * Reads the first sheet of an XLSX workbook as a stream: the rows of a piece of it are handed on before the
 * next piece is unpacked, so that nothing of the sheet is held but the row that has begun. The shared texts
 * and the styles are read before. Throws TableFault, for damage behind the last row after it.
 */
export async function* xlsxRows(bytes: Buffer, limits: TableLimits): AsyncGenerator<TableRow[]> {
  try {
    const parts = await openParts(bytes, limits)
    const workbook = await readWorkbook(parts, limits)
    const sheet = new SheetRows(workbook)
    for await (const _ of readXml(parts.read(workbook.sheetPart), sheet)) yield sheet.take()
    yield sheet.take()
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error
    throw new TableFault(error.isTooLarge ? 'tooLarge' : 'unreadable', `the workbook: ${error.message}`)
  }
}

/** Names of parts are the same in any case: some programs write them in one and refer to them in another. */
async function openParts(bytes: Buffer, { entriesMax, unpackedBytesMax }: TableLimits): Promise<Parts> {
  const zip = await openZip(bytes, { entriesMax, bytesMax: unpackedBytesMax })
  const names = new Map<string, string>()
  for (const name of zip.names) {
    if (names.has(name.toLowerCase())) throw unreadable('the workbook has a part twice')
    names.set(name.toLowerCase(), name)
  }
  return {
    has: (name) => names.has(name.toLowerCase()),
    read: (name) => zip.read(names.get(name.toLowerCase()) ?? name),
  }
}

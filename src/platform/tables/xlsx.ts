import { openZip, ZipFault } from '../files/zip.ts'
import { TABLE_TEXTS } from './messages.ts'
import { damaged, TableFault, type TableLimits, type TableRow } from './table.ts'
import { SheetRows } from './xlsx-sheet.ts'
import { type Parts, readWorkbook } from './xlsx-workbook.ts'
import { readXml } from './xml.ts'

/** Returns the names of the sheets in the order of the tabs. Throws TableFault. */
export const xlsxSheetNames = (bytes: Buffer, limits: TableLimits): Promise<readonly string[]> =>
  withTableFaults(async () => (await readWorkbook(await openParts(bytes, limits), limits)).sheetNames)

/**
 * Reads one sheet of an XLSX workbook, by default the first, as a stream: the rows of a chunk are yielded
 * before the next chunk is unpacked, so that only the current row is held in memory. The shared texts and the
 * styles are read before. Throws TableFault; for damage behind the last row after yielding it.
 */
export async function* xlsxRows(
  bytes: Buffer,
  limits: TableLimits,
  sheetIndex = 0,
): AsyncGenerator<TableRow[]> {
  try {
    const parts = await openParts(bytes, limits)
    const workbook = await readWorkbook(parts, limits, sheetIndex)
    const sheet = new SheetRows(workbook)
    for await (const _ of readXml(parts.read(workbook.sheetPart), sheet)) yield sheet.take()
    yield sheet.take()
  } catch (error) {
    throw tableFaultOf(error)
  }
}

function tableFaultOf(error: unknown): unknown {
  if (!(error instanceof ZipFault)) return error
  return new TableFault(
    error.isTooLarge ? 'tooLarge' : 'unreadable',
    TABLE_TEXTS.TABLE_DAMAGED({ detail: `the workbook: ${error.message}` }),
  )
}

async function withTableFaults<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw tableFaultOf(error)
  }
}

/**
 * Opens the parts by lower-case name: part names are case-insensitive, and some programs use different
 * cases for a part and its references.
 */
async function openParts(bytes: Buffer, { entriesMax, unpackedBytesMax }: TableLimits): Promise<Parts> {
  const zip = await openZip(bytes, { entriesMax, bytesMax: unpackedBytesMax })
  const names = new Map<string, string>()
  for (const name of zip.names) {
    if (names.has(name.toLowerCase())) throw damaged('the workbook has a part twice')
    names.set(name.toLowerCase(), name)
  }
  return {
    has: (name) => names.has(name.toLowerCase()),
    read: (name) => zip.read(names.get(name.toLowerCase()) ?? name),
  }
}

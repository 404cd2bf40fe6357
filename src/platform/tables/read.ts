import { readCsv } from './csv.ts'
import { TABLE_PORTION_ROWS } from './limits.ts'
import type { TableLimits, TableRow } from './table.ts'
import { xlsxRows } from './xlsx.ts'

const ZIP_START = Buffer.from('PK')

/** Returns whether the bytes begin like a ZIP file, which a workbook is; anything else can only be text. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, ZIP_START.length).equals(ZIP_START)

/**
 * Reads in the calling thread, and unpacks a workbook only as far as portions are requested. Each portion is converted
 * when it is read, so that a text never exists as rows altogether. Throws TableFault.
 */
export async function* portionsOf<T>(
  bytes: Buffer,
  { limits, sheetIndex = 0 }: { readonly limits: TableLimits; readonly sheetIndex?: number },
  convert: (rows: readonly TableRow[]) => T,
): AsyncGenerator<T> {
  if (!isWorkbook(bytes)) {
    yield* csvPortions(bytes, limits, convert)
    return
  }
  let portion: TableRow[] = []
  for await (const rows of xlsxRows(bytes, limits, sheetIndex)) {
    portion.push(...rows)
    if (portion.length < TABLE_PORTION_ROWS) continue
    yield convert(portion)
    portion = []
  }
  yield convert(portion)
}

function csvPortions<T>(bytes: Buffer, limits: TableLimits, convert: (rows: readonly TableRow[]) => T): T[] {
  const portions: T[] = []
  let portion: TableRow[] = []
  readCsv(bytes, limits, (row) => {
    portion.push(row)
    if (portion.length < TABLE_PORTION_ROWS) return
    portions.push(convert(portion))
    portion = []
  })
  return [...portions, convert(portion)]
}

/** Reads in the calling thread. Throws TableFault. */
export async function readHere(bytes: Buffer, limits: TableLimits): Promise<TableRow[]> {
  const all: TableRow[] = []
  for await (const rows of portionsOf(bytes, { limits }, (portion) => portion)) all.push(...rows)
  return all
}

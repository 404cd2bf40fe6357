import { readCsv } from './csv.ts'
import { TABLE_PORTION_ROWS } from './limits.ts'
import type { TableLimits, TableRow } from './table.ts'
import { xlsxRows } from './xlsx.ts'

const ZIP_START = Buffer.from('PK')

/** Returns whether the bytes begin like a ZIP file, which a workbook is; anything else can only be text. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, ZIP_START.length).equals(ZIP_START)

/**
 * Reads in the calling thread, and unpacks a workbook only as far as chunks are requested. Throws
 * TableFault.
 */
export async function* portionsOf(
  bytes: Buffer,
  limits: TableLimits,
  sheetIndex = 0,
): AsyncGenerator<TableRow[]> {
  if (!isWorkbook(bytes)) {
    const rows = readCsv(bytes, limits)
    for (let start = 0; start < rows.length; start += TABLE_PORTION_ROWS)
      yield rows.slice(start, start + TABLE_PORTION_ROWS)
    return
  }
  let portion: TableRow[] = []
  for await (const rows of xlsxRows(bytes, limits, sheetIndex)) {
    portion.push(...rows)
    if (portion.length < TABLE_PORTION_ROWS) continue
    yield portion
    portion = []
  }
  yield portion
}

/** Reads in the calling thread. Throws TableFault. */
export async function readHere(bytes: Buffer, limits: TableLimits): Promise<TableRow[]> {
  const all: TableRow[] = []
  for await (const rows of portionsOf(bytes, limits)) for (const row of rows) all.push(row)
  return all
}

import { readCsv } from './csv.ts'
import type { TableLimits, TableRow } from './table.ts'
import { readXlsx } from './xlsx.ts'

const ZIP_START = Buffer.from('PK')

/** A workbook begins as a ZIP does; anything else can only be text. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, ZIP_START.length).equals(ZIP_START)

/** Reads in the thread that calls. Throws TableFault. */
export const readHere = async (bytes: Buffer, limits: TableLimits): Promise<TableRow[]> =>
  isWorkbook(bytes) ? readXlsx(bytes, limits) : readCsv(bytes, limits)

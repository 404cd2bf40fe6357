import { readCsv } from './csv.ts'
import type { TableLimits, TableRow } from './table.ts'
import { readXlsx } from './xlsx.ts'

export { type Cell, TableFault, type TableLimits, type TableRow } from './table.ts'

const ZIP_START = Buffer.from('PK')

/** Reads a CSV file or the first sheet of an XLSX workbook, by what it is and not by its name. Throws TableFault. */
export const readTable = async (bytes: Buffer, limits: TableLimits): Promise<TableRow[]> =>
  bytes.subarray(0, ZIP_START.length).equals(ZIP_START) ? readXlsx(bytes, limits) : readCsv(bytes, limits)

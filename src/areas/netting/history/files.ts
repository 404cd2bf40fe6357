import { unprocessable } from '../../../kernel/errors.ts'
import { listSheets, plain, type TableLimits } from '../../../platform/tables/index.ts'
import { refusingUnreadable } from '../shared/index.ts'
import { KINDS, type Kind } from './kinds.ts'
import {
  HISTORY_CELL_LENGTH_MAX,
  HISTORY_COLUMNS_MAX,
  HISTORY_ENTRIES_MAX,
  HISTORY_ROWS_MAX,
  HISTORY_UNPACKED_BYTES_MAX,
} from './limits.ts'
import { HISTORY_CALCULATION_TEXTS, HISTORY_TEXTS } from './messages.ts'
import { type HistoryRow, type Report, readRows } from './rows.ts'

export interface HistoryFile {
  readonly name: string
  readonly bytes: Buffer
}

const LIMITS: TableLimits = {
  rowsMax: HISTORY_ROWS_MAX + 1,
  columnsMax: HISTORY_COLUMNS_MAX,
  cellLengthMax: HISTORY_CELL_LENGTH_MAX,
  unpackedBytesMax: HISTORY_UNPACKED_BYTES_MAX,
  entriesMax: HISTORY_ENTRIES_MAX,
  encodings: 'turkish',
}

/** The sheets of the template that explain it; they are not read. */
export const GUIDE_SHEETS = { en: 'Guide', tr: 'Açıklama' } as const
const guides: readonly string[] = Object.values(GUIDE_SHEETS).map(plain)

const kindOf = (name: string): Kind | undefined =>
  KINDS.find((kind) => [plain(kind.name), plain(kind.tr)].includes(plain(name)))

/** The name of a CSV file without its folders and its extension. */
const baseOf = (fileName: string): string => fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')

/**
 * Reads all rows of all files: the sheets of a workbook by their names, a CSV file by its own name. 413 and
 * 422 for a file that cannot be read as a whole; other errors are reported.
 */
export async function readFiles(files: readonly HistoryFile[], report: Report): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = []
  const seen = new Set<Kind>()
  for (const { name: file, bytes } of files) {
    for (const sheet of await refusingUnreadable(() => listSheets(bytes, LIMITS))) {
      const at = { file, sheet: sheet.name ?? null }
      const name = sheet.name ?? baseOf(file)
      if (sheet.name !== undefined && guides.includes(plain(name))) continue
      const kind = kindOf(name)
      if (!kind) {
        const sheets = KINDS.map((known) => `${known.name} (${known.tr})`)
        report({ ...at, row: 1 }, null, HISTORY_TEXTS.HISTORY_SHEET_UNKNOWN({ sheet: name, sheets }))
        continue
      }
      if (seen.has(kind)) {
        report({ ...at, row: 1 }, null, HISTORY_TEXTS.HISTORY_SHEET_REPEATED({ sheet: kind.name }))
        continue
      }
      seen.add(kind)
      rows.push(...readRows(kind, await refusingUnreadable(() => sheet.rows()), at, report))
      if (rows.length > HISTORY_ROWS_MAX) {
        const text = HISTORY_CALCULATION_TEXTS.HISTORY_TOO_MANY_ROWS({ max: HISTORY_ROWS_MAX })
        throw unprocessable('FILE_TOO_MANY_ROWS', text)
      }
    }
  }
  return rows
}

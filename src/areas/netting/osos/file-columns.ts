import { type Cell, plain } from '../../../platform/tables/index.ts'

export const COLUMNS = ['installation_no', 'date', 'time', 'import', 'export'] as const
export type Column = (typeof COLUMNS)[number]

/**
 * The headers of the distribution companies' portals, normalized by `plain`: lower case, without Turkish
 * diacritics (so the dotted and the dotless i are equal), one space for every other character. A unit at the
 * end is removed first.
 */
const HEADERS: Readonly<Record<Column, readonly string[]>> = {
  installation_no: [
    'installation no',
    'installation',
    'tesisat no',
    'tesisat numarasi',
    'tesisat',
    'tesisat kodu',
    'abone no',
    'abone numarasi',
    'tekil kod',
    'tekil tuketim kodu',
    'sozlesme hesap no',
    'tuketim noktasi no',
  ],
  date: [
    'date',
    'timestamp',
    'datetime',
    'date time',
    'tarih',
    'tarihi',
    'gun',
    'tarih saat',
    'tarih ve saat',
    'tarih saati',
    'zaman',
    'zaman damgasi',
    'okuma tarihi',
    'okuma zamani',
    'okuma tarihi saati',
    'olcum tarihi',
    'olcum zamani',
    'profil tarihi',
    'profil zamani',
    'endeks tarihi',
    'yuk profili tarihi',
  ],
  time: [
    'time',
    'hour',
    'saat',
    'saati',
    'saat araligi',
    'saat dilimi',
    'zaman dilimi',
    'okuma saati',
    'periyot',
  ],
  import: [
    'import',
    'import active',
    'active import',
    'aktif import',
    'cekis',
    'cekilen',
    'cekis miktari',
    'cekilen enerji',
    'aktif cekis',
    'cekis aktif',
    'aktif cekis miktari',
    'aktif enerji cekis',
    'cekis aktif enerji',
    'sebekeden cekis',
    'tuketim',
    'tuketilen enerji',
    'tuketim miktari',
    'aktif tuketim',
    'tuketim aktif',
    'saatlik tuketim',
    'saatlik aktif tuketim',
    'tuketim degeri',
  ],
  export: [
    'export',
    'export active',
    'active export',
    'aktif export',
    'veris',
    'verilen',
    'veris miktari',
    'verilen enerji',
    'aktif veris',
    'veris aktif',
    'aktif veris miktari',
    'aktif enerji veris',
    'veris aktif enerji',
    'sebekeye veris',
    'uretim',
    'uretilen enerji',
    'uretim miktari',
    'aktif uretim',
    'uretim aktif',
    'saatlik uretim',
    'saatlik aktif uretim',
    'uretim degeri',
  ],
}
const COLUMN_OF = new Map<string, Column>(
  COLUMNS.flatMap((column) => HEADERS[column].map((header) => [header, column] as const)),
)

/** The column of a header; undefined for an unknown one. */
export const columnOf = (text: string): Column | undefined =>
  COLUMN_OF.get(plain(text).replace(/ (k ?wh|kws)$/, ''))

export interface Header {
  /** The index of each column's cell. */
  readonly columnIndexes: Readonly<Partial<Record<Column, number>>>
  /** Unknown headers. */
  readonly ignored: readonly string[]
  /** A column to which two headers refer. */
  readonly repeated: Column | undefined
}

/** Reads the cells of a row as headers; undefined without a date or without an energy. */
export function readHeader(cells: readonly Cell[]): Header | undefined {
  const columnIndexes: Partial<Record<Column, number>> = {}
  const ignored: string[] = []
  let repeated: Column | undefined
  for (const [index, cell] of cells.entries()) {
    if (cell.kind !== 'text') continue
    const column = columnOf(cell.text)
    if (column === undefined) ignored.push(cell.text)
    else if (columnIndexes[column] !== undefined) repeated = column
    else columnIndexes[column] = index
  }
  const hasEnergy = columnIndexes.import !== undefined || columnIndexes.export !== undefined
  return hasEnergy && columnIndexes.date !== undefined ? { columnIndexes, ignored, repeated } : undefined
}

import { type Cell, plain, type TableRow } from '../../../../platform/tables/index.ts'
import { COLUMN_TEXTS, ColumnsFault, type MAIN_ROLES } from '../../shared/index.ts'
import { columnOf } from '../file-columns.ts'
import { OSOS_HEADER_ROWS_MAX } from '../limits.ts'
import type { Unit } from './settings.ts'

/** `value` is the only column of values of a file; the role of the meter defines its direction. */
export const METER_COLUMNS = ['installation_no', 'date', 'time', 'import', 'export', 'value'] as const
export type MeterColumn = (typeof METER_COLUMNS)[number]
export type MainRole = (typeof MAIN_ROLES)[number]

/** Headers in addition to those of hourly official readings, normalized by `plain`, without a unit. */
const HEADERS: Readonly<Partial<Record<MeterColumn, readonly string[]>>> = {
  import: [
    '1 8 0',
    'import register',
    'import index',
    'import energy',
    'import active energy',
    'consumption',
    'cekis endeksi',
    'aktif cekis endeksi',
    'tuketim endeksi',
    'aktif tuketim endeksi',
  ],
  export: [
    '2 8 0',
    'export register',
    'export index',
    'export energy',
    'export active energy',
    'production',
    'production active energy',
    'veris endeksi',
    'aktif veris endeksi',
    'uretim endeksi',
    'aktif uretim endeksi',
  ],
  value: [
    'value',
    'reading',
    'register',
    'index',
    'energy',
    'active energy',
    'deger',
    'endeks',
    'aktif endeks',
    'sayac degeri',
    'okuma degeri',
    'enerji',
    'aktif enerji',
    'miktar',
    'kwh',
    'mwh',
    'wh',
  ],
}
const COLUMN_OF = new Map(
  (Object.keys(HEADERS) as MeterColumn[]).flatMap((column) =>
    (HEADERS[column] ?? []).map((header) => [header, column] as const),
  ),
)
const UNIT = / (k ?wh|m ?wh|wh|kws)$/

const columnOfHeader = (text: string): MeterColumn | undefined => {
  const name = plain(text).replace(UNIT, '')
  return COLUMN_OF.get(name) ?? columnOf(name)
}

/** The unit that a header names; undefined without one. */
function unitOf(text: string): Unit | undefined {
  const match = /(?:^| )([km]?) ?wh$/.exec(plain(text))
  if (!match) return undefined
  return match[1] === 'k' ? 'kWh' : match[1] === 'm' ? 'MWh' : 'Wh'
}

export interface MeterHeader {
  readonly columnIndexes: Readonly<Partial<Record<MeterColumn, number>>>
  readonly names: Readonly<Partial<Record<MeterColumn, string>>>
  readonly ignored: readonly string[]
  /** A column to which two headers refer. */
  readonly repeated: MeterColumn | undefined
}

export interface HeaderRules {
  /** Headers that the sender names for columns; they take precedence. */
  readonly named: Readonly<Partial<Record<MeterColumn, string>>>
  readonly unit: Unit
  readonly role: MainRole
}

/**
 * Finds the row of headers and the rows below it. Throws ColumnsFault where a column is missing or ambiguous,
 * or where a header names another unit than the sender.
 */
export function splitMeterTable(
  table: readonly TableRow[],
  rules: HeaderRules,
): { header: MeterHeader; body: readonly TableRow[] } {
  const top = table.slice(0, OSOS_HEADER_ROWS_MAX)
  const index = top.findIndex(({ cells }) => isHeader(readNames(cells, rules)))
  const cells = top[index]?.cells
  if (!cells) {
    const names = Object.values(rules.named)
    throw new ColumnsFault(
      names.length > 0
        ? COLUMN_TEXTS.HEADERS_NAMED_MISSING({ names })
        : COLUMN_TEXTS.HEADERS_OF_VALUE_MISSING(),
    )
  }
  const header = readNames(cells, rules)
  checkValues(header, rules)
  return { header, body: table.slice(index + 1) }
}

function readNames(cells: readonly Cell[], { named }: HeaderRules): MeterHeader {
  const wanted = new Map(
    (Object.entries(named) as [MeterColumn, string][]).map(([column, name]) => [exact(name), column]),
  )
  const columnIndexes: Partial<Record<MeterColumn, number>> = {}
  const names: Partial<Record<MeterColumn, string>> = {}
  const ignored: string[] = []
  let repeated: MeterColumn | undefined
  for (const [index, cell] of cells.entries()) {
    if (cell.kind !== 'text') continue
    const chosen = wanted.get(exact(cell.text))
    const column = chosen ?? columnOfHeader(cell.text)
    if (column === undefined || (!chosen && named[column] !== undefined)) ignored.push(cell.text)
    else if (columnIndexes[column] !== undefined) repeated = column
    else {
      columnIndexes[column] = index
      names[column] = cell.text
    }
  }
  return { columnIndexes, names, ignored, repeated }
}

/** Punctuation counts in a header that the sender names: A+ and A- differ. */
const exact = (text: string): string => text.trim().toLowerCase()

const isHeader = ({ columnIndexes: { date, value, ...rest } }: MeterHeader): boolean =>
  date !== undefined && (value ?? rest.import ?? rest.export) !== undefined

/** The quantity that a role needs: the energy that the meter counts as production or consumption. */
const NEEDED: Readonly<Partial<Record<MainRole, 'import' | 'export'>>> = {
  main_production: 'export',
  main_consumption: 'import',
  osb_eb_consumption: 'import',
}

function checkValues(
  { columnIndexes, names, repeated }: MeterHeader,
  { role, unit, named }: HeaderRules,
): void {
  if (repeated) throw new ColumnsFault(COLUMN_TEXTS.COLUMNS_REPEATED_UNNAMED({ column: repeated }))
  for (const column of Object.keys(named) as MeterColumn[]) {
    if (columnIndexes[column] === undefined)
      throw new ColumnsFault(COLUMN_TEXTS.COLUMN_NAMED_MISSING({ name: named[column] ?? '' }))
  }
  const needed = NEEDED[role]
  const hasDirection = columnIndexes.import !== undefined || columnIndexes.export !== undefined
  if (columnIndexes.value !== undefined && hasDirection) {
    throw new ColumnsFault(COLUMN_TEXTS.COLUMN_OF_VALUE_AMBIGUOUS({ name: names.value ?? '' }))
  }
  if (needed === undefined && !hasDirection) {
    throw new ColumnsFault(COLUMN_TEXTS.COLUMNS_OF_DIRECTIONS_MISSING({ role }))
  }
  if (needed !== undefined && hasDirection && columnIndexes[needed] === undefined) {
    throw new ColumnsFault(COLUMN_TEXTS.COLUMN_OF_ROLE_MISSING({ role, column: needed }))
  }
  for (const column of ['import', 'export', 'value'] as const) {
    const name = names[column]
    const found = name === undefined ? undefined : unitOf(name)
    if (found !== undefined && found !== unit) {
      throw new ColumnsFault(COLUMN_TEXTS.COLUMN_UNIT_DIFFERS({ name: name ?? '', found, unit }))
    }
  }
}

/** The columns of drawn and fed energy; a single column of values has the direction of the role. */
export function directionsOf(
  { columnIndexes }: MeterHeader,
  role: MainRole,
): { readonly imported: number | undefined; readonly exported: number | undefined } {
  const { value } = columnIndexes
  if (value === undefined) return { imported: columnIndexes.import, exported: columnIndexes.export }
  return NEEDED[role] === 'export'
    ? { imported: undefined, exported: value }
    : { imported: value, exported: undefined }
}

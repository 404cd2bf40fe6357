import type { Message } from '../../../../kernel/messages.ts'
import { inChunks } from '../../../../platform/async/yield.ts'
import {
  type Cell,
  type DecimalMark,
  decimalMarkOf,
  isTotal,
  type TableRow,
  tooManyRows,
} from '../../../../platform/tables/index.ts'
import { COLUMN_TEXTS, ColumnsFault } from '../../shared/index.ts'
import { cellAt, figure, noOf, textOf } from '../file.ts'
import { OSOS_FILE_ROWS_MAX } from '../limits.ts'
import { directionsOf, type HeaderRules, type MeterHeader, splitMeterTable } from './columns.ts'
import { ROW_TEXTS } from './messages.ts'
import { TimeReader, type TimeRules } from './times.ts'

/** A row with a value: the start of an interval or the instant of a register reading. */
export interface MeterRow {
  readonly row: number
  readonly at: number
  /** In millionths of the file's unit; null: no value. */
  readonly imported: bigint | null
  readonly exported: bigint | null
  readonly rawText: string
}

/** The reason why a row is invalid. */
export interface RowFault {
  readonly row: number
  readonly fault: Message
}

export interface MeterFile {
  readonly header: MeterHeader
  readonly decimalMark: DecimalMark
  readonly rowsRead: number
  readonly rowsEmpty: number
  /** Rows that repeat another row with the same values. */
  readonly rowsRepeated: number
  /** Ascending, one for an instant. */
  readonly rows: readonly MeterRow[]
  readonly faults: readonly RowFault[]
}

export interface RowRules extends HeaderRules, TimeRules {
  /** Undefined: found in the values of the file. */
  readonly decimalMark: DecimalMark | undefined
  /** The time that no row may exceed. */
  readonly now: number
  readonly firstInstant: number
}

/**
 * Reads the rows of a file of meter data. Throws ColumnsFault, or TableFault for too many rows. Every fault of
 * a row is reported.
 */
export async function readMeterRows(table: readonly TableRow[], rules: RowRules): Promise<MeterFile> {
  const { header, body } = splitMeterTable(table, rules)
  const filled = body.filter(({ cells }) => cells.some(({ kind }) => kind !== 'empty') && !isTotal(cells))
  if (filled.length > OSOS_FILE_ROWS_MAX) {
    throw tooManyRows(OSOS_FILE_ROWS_MAX)
  }
  const columns = columnsOf(header, rules)
  checkOneMeter(filled, header)
  const decimalMark = rules.decimalMark ?? decimalMarkOf(figuresOf(filled, columns))
  const times = new TimeReader(rules)
  const rows: MeterRow[] = []
  const faults: RowFault[] = []
  let rowsEmpty = 0
  for await (const portion of inChunks(filled)) {
    for (const row of portion) {
      const read = readRow(row, { ...columns, times, decimalMark, rules })
      if (read === undefined) rowsEmpty += 1
      else if ('fault' in read) faults.push(read)
      else rows.push(read)
    }
  }
  const distinct = withoutRepeated(rows, faults)
  return {
    header,
    decimalMark,
    rowsRead: filled.length,
    rowsEmpty,
    rowsRepeated: distinct.repeated,
    rows: distinct.rows,
    faults: faults.sort((a, b) => a.row - b.row),
  }
}

interface ColumnsOfRow {
  readonly date: number | undefined
  readonly time: number | undefined
  readonly imported: number | undefined
  readonly exported: number | undefined
}

const columnsOf = (header: MeterHeader, { role }: HeaderRules): ColumnsOfRow => ({
  date: header.columnIndexes.date,
  time: header.columnIndexes.time,
  ...directionsOf(header, role),
})

/** The readings of several meters must not be mixed into one. */
function checkOneMeter(body: readonly TableRow[], { columnIndexes }: MeterHeader): void {
  const nos = new Set(body.flatMap(({ cells }) => noOf(cellAt(cells, columnIndexes.installation_no)) ?? []))
  if (columnIndexes.installation_no === undefined || nos.size <= 1) return
  throw new ColumnsFault(COLUMN_TEXTS.FILE_WITH_SEVERAL_METERS({ meters: nos.size }))
}

function* figuresOf(body: readonly TableRow[], { imported, exported }: ColumnsOfRow): Generator<Cell> {
  for (const { cells } of body) {
    yield cellAt(cells, imported)
    yield cellAt(cells, exported)
  }
}

interface RowContext extends ColumnsOfRow {
  readonly times: TimeReader
  readonly decimalMark: DecimalMark
  readonly rules: RowRules
}

/** Undefined for a row without a value. */
function readRow({ number: row, cells }: TableRow, context: RowContext): MeterRow | RowFault | undefined {
  const { decimalMark, rules } = context
  const time = context.times.read(
    cellAt(cells, context.date),
    context.time === undefined ? undefined : cellAt(cells, context.time),
  )
  const [drawn, fed] = [cellAt(cells, context.imported), cellAt(cells, context.exported)]
  if (drawn.kind === 'empty' && fed.kind === 'empty') return undefined
  if (time.at === undefined) return { row, fault: time.fault }
  const imported = figure(drawn, decimalMark)
  const exported = figure(fed, decimalMark)
  const rawText = `${textOf(drawn)} | ${textOf(fed)}`
  if (imported === undefined || exported === undefined) {
    return { row, fault: ROW_TEXTS.ROW_VALUE_UNREADABLE({ text: rawText }) }
  }
  const fault = faultOf({ at: time.at, imported, exported }, rules)
  return fault ? { row, fault } : { row, at: time.at, imported, exported, rawText }
}

function faultOf(
  { at, imported, exported }: Pick<MeterRow, 'at' | 'imported' | 'exported'>,
  { now, firstInstant, intervalMs }: RowRules,
): Message | undefined {
  if (at + (intervalMs ?? 0) > now) return ROW_TEXTS.ROW_TIME_IN_FUTURE()
  if (at < firstInstant) return ROW_TEXTS.ROW_TIME_TOO_EARLY()
  // A negative interval has no value and marks its hour (netting.md 2.0); a register cannot be negative.
  if (intervalMs === undefined && ((imported ?? 0n) < 0n || (exported ?? 0n) < 0n))
    return ROW_TEXTS.ROW_VALUE_NEGATIVE()
  return undefined
}

function withoutRepeated(
  rows: MeterRow[],
  faults: RowFault[],
): { readonly rows: MeterRow[]; readonly repeated: number } {
  const distinct: MeterRow[] = []
  let repeated = 0
  for (const row of rows.sort((a, b) => a.at - b.at || a.row - b.row)) {
    const first = distinct.at(-1)
    if (first?.at !== row.at) distinct.push(row)
    else if (first.imported === row.imported && first.exported === row.exported) repeated += 1
    else faults.push({ row: row.row, fault: ROW_TEXTS.ROW_TIME_REPEATED({ first_row: first.row }) })
  }
  return { rows: distinct, repeated }
}

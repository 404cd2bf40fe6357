import type { Message } from '../../../kernel/messages.ts'
import {
  type Cell,
  isLikeFormula,
  plain,
  readDay,
  type TableRow,
  withPoint,
} from '../../../platform/tables/index.ts'
import type { Column, Kind } from './kinds.ts'
import { HISTORY_TEXTS as TEXTS } from './messages.ts'

export type Value = string | number | boolean

/** The position of a row in the files of an import. */
export interface RowPosition {
  readonly file: string
  /** The name of the sheet; null for a CSV file. */
  readonly sheet: string | null
  /** The row of the sheet or the line of the file, from 1. */
  readonly row: number
}

/** A row that was read; an empty cell is absent. */
export interface HistoryRow extends RowPosition {
  readonly kind: Kind
  readonly values: Readonly<Record<string, Value>>
  /** Whether a cell of the row has an error; such a row is not written. */
  readonly isFaulty: boolean
}

/** Reports an error of a row; `column` is null for the row as a whole. */
export type Report = (position: RowPosition, column: string | null, message: Message) => void

/** Reads the rows of one sheet. Every error of every cell is reported. */
export function readRows(
  kind: Kind,
  rows: readonly TableRow[],
  at: Omit<RowPosition, 'row'>,
  report: Report,
): HistoryRow[] {
  const [top, ...body] = rows
  const columns = readHeaders(kind, top, (column, message) =>
    report({ ...at, row: top?.number ?? 1 }, column, message),
  )
  if (!columns) return []
  return body.map(({ number: row, cells }) => {
    const position = { ...at, row }
    let isFaulty = false
    const fail = (column: string | null, message: Message) => {
      isFaulty = true
      report(position, column, message)
    }
    const values = readCells(kind, columns, cells, fail)
    return { ...position, kind, values, isFaulty }
  })
}

type Fail = (column: string | null, message: Message) => void
type Columns = ReadonlyMap<number, Column>

/** Undefined where the header has an error, because its rows cannot be read then. */
function readHeaders(kind: Kind, top: TableRow | undefined, fail: Fail): Columns | undefined {
  const columns = new Map<number, Column>()
  let isValid = true
  const refuse: Fail = (column, message) => {
    isValid = false
    fail(column, message)
  }
  for (const [index, cell] of (top?.cells ?? []).entries()) {
    if (cell.kind === 'empty') continue
    const header = cell.kind === 'text' ? cell.text : ''
    const column = kind.columns.find(({ name, tr }) => [plain(name), plain(tr)].includes(plain(header)))
    const headers = kind.columns.map(({ name }) => name)
    if (!column) refuse(header, TEXTS.HISTORY_HEADER_UNKNOWN({ header, headers }))
    else if ([...columns.values()].includes(column)) refuse(header, TEXTS.HISTORY_HEADER_REPEATED({ header }))
    else columns.set(index, column)
  }
  for (const column of kind.columns) {
    if (column.isRequired && ![...columns.values()].includes(column))
      refuse(column.name, TEXTS.HISTORY_HEADER_MISSING({ header: `${column.name} (${column.tr})` }))
  }
  return isValid ? columns : undefined
}

function readCells(
  kind: Kind,
  columns: Columns,
  cells: readonly Cell[],
  fail: Fail,
): Readonly<Record<string, Value>> {
  const values: Record<string, Value> = {}
  const refused = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    if (cell.kind === 'empty') continue
    const column = columns.get(index)
    if (!column) {
      fail(null, TEXTS.HISTORY_CELL_WITHOUT_HEADER())
      continue
    }
    const value = cellValue(column, cell)
    if (typeof value === 'object') {
      refused.add(column.name)
      fail(column.name, value)
    } else values[column.name] = value
  }
  for (const { name, isRequired } of kind.columns) {
    if (isRequired && values[name] === undefined && !refused.has(name))
      fail(name, TEXTS.HISTORY_CELL_MISSING({ column: name }))
  }
  return values
}

type FilledCell = Exclude<Cell, { kind: 'empty' }>

/** The value of a cell, or the message about its error. */
function cellValue(column: Column, cell: FilledCell): Value | Message {
  const { name } = column
  if (cell.kind === 'text' && column.kind !== 'number' && isLikeFormula(cell.raw))
    return TEXTS.HISTORY_CELL_FORMULA({ column: name })
  switch (column.kind) {
    case 'text':
      return cell.kind === 'time' ? TEXTS.HISTORY_CELL_NOT_TEXT({ column: name }) : cell.text
    case 'number':
      return numberOf(cell) ?? TEXTS.HISTORY_CELL_NOT_NUMBER({ column: name })
    case 'day':
      return dayOf(cell) ?? TEXTS.HISTORY_CELL_NOT_DATE({ column: name })
    case 'time':
      return timeOf(cell) ?? TEXTS.HISTORY_CELL_NOT_TIME({ column: name })
    case 'year':
      return cell.kind !== 'time' && /^\d{4}$/.test(cell.text)
        ? Number(cell.text)
        : TEXTS.HISTORY_CELL_NOT_YEAR({ column: name })
    case 'yes':
      return yesOf(cell) ?? TEXTS.HISTORY_CELL_NOT_YES_OR_NO({ column: name })
    case 'choice':
      return choiceOf(column, cell)
  }
}

function choiceOf({ name, words = {} }: Column, cell: FilledCell): Value | Message {
  const text = cell.kind === 'time' ? '' : plain(cell.text)
  const found = Object.entries(words).find(([word, tr]) => plain(word) === text || plain(tr) === text)
  return found ? found[0] : TEXTS.HISTORY_CELL_NOT_CHOICE({ column: name, words: Object.keys(words) })
}

const YES = new Set(['yes', 'true', '1', 'evet', 'var'])
const NO = new Set(['no', 'false', '0', 'hayir', 'yok'])

function yesOf(cell: FilledCell): boolean | undefined {
  const text = cell.kind === 'time' ? '' : plain(cell.text)
  return YES.has(text) ? true : NO.has(text) ? false : undefined
}

/**
 * A decimal with a point. With both marks the last one is the decimal mark; several marks of one kind group
 * thousands; a single mark is the decimal mark.
 */
function numberOf(cell: FilledCell): string | undefined {
  if (cell.kind === 'time') return undefined
  if (cell.kind === 'number') return cell.isRounded ? undefined : cell.text
  const { text } = cell
  const points = text.split('.').length - 1
  const commas = text.split(',').length - 1
  const isComma = points > 1 || (commas === 1 && text.lastIndexOf(',') > text.lastIndexOf('.'))
  const number = withPoint(text, isComma ? ',' : '.')
  return number !== undefined && /^\d+(?:\.\d{1,6})?$/.test(number) ? number : undefined
}

function dayOf(cell: FilledCell): string | undefined {
  const day = readDay(cell)
  const isMidnight = day?.rest === undefined || /^0?0:00(:00)?$/.test(day.rest)
  return isMidnight ? day?.date : undefined
}

/** An instant with the offset of Turkey. */
function timeOf(cell: FilledCell): string | undefined {
  const day = readDay(cell)
  if (!day) return undefined
  if (day.rest === undefined) return `${day.date}T00:00:00+03:00`
  const [, hour = '', minute = ''] = /^(\d{1,2})[:.](\d{2})(?:[:.]00)?$/.exec(day.rest) ?? []
  const isTime = hour !== '' && Number(hour) <= 23 && Number(minute) <= 59
  return isTime ? `${day.date}T${hour.padStart(2, '0')}:${minute}:00+03:00` : undefined
}

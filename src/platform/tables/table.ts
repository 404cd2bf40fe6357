import { type Message, textOf } from '../../kernel/messages.ts'
import { TABLE_TEXTS } from './messages.ts'

/** A row of an uploaded table, with the row number that the user sees. */
export interface TableRow {
  /** The row of the sheet or the line of the file, from 1. */
  readonly number: number
  readonly cells: readonly Cell[]
}

/** A cell. Text is unchanged; a number of a sheet has a decimal point; a time of a sheet has no offset. */
export type Cell =
  | { readonly kind: 'empty' }
  /** `raw` still has the white space at its ends. */
  | { readonly kind: 'text'; readonly text: string; readonly raw: string }
  /** With at most six decimals; `isRounded` says that the sheet's number has more. */
  | { readonly kind: 'number'; readonly text: string; readonly isRounded: boolean }
  /** `YYYY-MM-DD` and `HH:MM`; a cell with a time alone has no date. */
  | { readonly kind: 'time'; readonly date: string | undefined; readonly time: string }

export const EMPTY: Cell = { kind: 'empty' }

export interface TableLimits {
  readonly rowsMax: number
  readonly columnsMax: number
  readonly cellLengthMax: number
  /** Unpacked bytes of a workbook. */
  readonly unpackedBytesMax: number
  readonly entriesMax: number
  /** Encodings of text: `turkish` reads also UTF-16 and windows-1254 (`text-encoding.ts`). Default: `utf8`. */
  readonly encodings?: 'utf8' | 'turkish'
}

/** The reason why a file cannot be read as a table; `content` has it in all languages. */
export class TableFault extends Error {
  /** `encoding`: bytes that are neither a workbook nor text in an encoding that is read. */
  readonly kind: 'unreadable' | 'encoding' | 'tooLarge' | 'tooManyRows'
  readonly content: Message
  constructor(kind: TableFault['kind'], content: Message) {
    super(textOf(content))
    this.kind = kind
    this.content = content
  }
}

export const tooManyRows = (rowsMax: number) =>
  new TableFault('tooManyRows', TABLE_TEXTS.TABLE_TOO_MANY_ROWS({ max: rowsMax }))
export const unreadable = (content: Message) => new TableFault('unreadable', content)
/** Content that no spreadsheet or export writes; the detail is in English. */
export const damaged = (detail: string) => unreadable(TABLE_TEXTS.TABLE_DAMAGED({ detail }))

/** Makes a text cell, without byte order marks, non-breaking spaces and other white space at its ends. */
export function textCell(text: string, { cellLengthMax }: Pick<TableLimits, 'cellLengthMax'>): Cell {
  if (text.length > cellLengthMax) {
    throw unreadable(TABLE_TEXTS.TABLE_CELL_TOO_LONG({ max: cellLengthMax }))
  }
  const trimmed = text.trim()
  return trimmed === '' ? EMPTY : { kind: 'text', text: trimmed, raw: text }
}

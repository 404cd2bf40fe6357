import { TABLE_TEXTS } from './messages.ts'
import { type Cell, damaged, EMPTY, TableFault, type TableRow, tooManyRows, unreadable } from './table.ts'
import { cellOf, type SheetContext } from './xlsx-cells.ts'
import type { Attributes, XmlSink } from './xml.ts'

// The depth of the elements of a sheet: worksheet, sheetData, row, c, then v or is, then t or r, then t.
const DATA = 2
const ROW = 3
const CELL = 4
const VALUE = 5
const IN_VALUE = 6
const IN_RUN = 7

/** Builds rows from the elements of a sheet as they arrive; the caller takes completed rows with `take`. */
export class SheetRows implements XmlSink {
  private rows: TableRow[] = []
  private readonly context: SheetContext

  private isInData = false
  private isInRow = false
  private isInCell = false
  private isInText = false
  private isInRun = false
  private isTaking = false

  /** 0 where neither the row nor one of its cells has stated the number. */
  private rowNumber = 0
  private lastRow = 0
  private column = 0
  private cells: Cell[] = []
  private readonly cell: { type: string | undefined; style: string | undefined; value: string } = {
    type: undefined,
    style: undefined,
    value: '',
  }

  /** The last cell that was not a number, by column. */
  private readonly above: { readonly type: string; readonly value: string; readonly cell: Cell }[] = []

  /** Remaining characters of text: a shared text that is stored once can appear in every cell. */
  private textLeft: number

  constructor(context: SheetContext) {
    this.context = context
    this.textLeft = context.limits.unpackedBytesMax
  }

  /** Returns the rows that were completed since the last call, without rows whose cells are all empty. */
  take(): TableRow[] {
    const taken = this.rows
    this.rows = []
    return taken
  }

  open(name: string, attributes: () => Attributes, depth: number): void {
    if (depth === DATA) this.isInData = name === 'sheetData'
    else if (!this.isInData) return
    else if (depth === ROW) this.openRow(name, attributes)
    else if (depth === CELL) this.openCell(name, attributes)
    else if (this.isInCell) this.openInCell(name, depth)
  }

  text(text: string): void {
    if (this.isTaking) this.cell.value += text
  }

  close(_name: string, depth: number): void {
    if (depth >= VALUE) this.isTaking = false
    if (!this.isInCell && !this.isInRow) return
    if (depth === CELL && this.isInCell) this.closeCell()
    else if (depth === ROW && this.isInRow) this.closeRow()
  }

  private openRow(name: string, attributes: () => Attributes): void {
    this.isInRow = name === 'row'
    if (!this.isInRow) return
    const { r } = attributes()
    this.rowNumber = 0
    if (r !== undefined) this.setRow(ROW_NUMBER.test(r) ? Number(r) : 0)
    this.column = 0
    this.cells = []
  }

  private setRow(number: number): void {
    if (number <= this.lastRow) throw damaged('the rows of the sheet are not in order')
    this.rowNumber = number
  }

  private openCell(name: string, attributes: () => Attributes): void {
    this.isInCell = this.isInRow && name === 'c'
    if (!this.isInCell) return
    const { r, t, s } = attributes()
    this.cell.type = t
    this.cell.style = s
    this.cell.value = ''
    if (r === undefined) this.column += 1
    else this.setAddress(r)
  }

  private setAddress(address: string): void {
    const { column, row } = parseAddress(address)
    if (this.rowNumber === 0) this.setRow(row)
    if (row !== this.rowNumber || column <= this.column)
      throw damaged('the cells of the sheet are not in order')
    this.column = column
  }

  private openInCell(name: string, depth: number): void {
    if (depth === VALUE) {
      this.isTaking = name === 'v'
      this.isInText = name === 'is'
      // Two values in one cell would be concatenated to a wrong number.
      if ((this.isTaking || this.isInText) && this.cell.value !== '')
        throw damaged('the sheet has a cell with two values')
    } else if (depth === IN_VALUE) {
      this.isTaking = this.isInText && name === 't'
      this.isInRun = this.isInText && name === 'r'
    } else if (depth === IN_RUN) this.isTaking = this.isInRun && name === 't'
  }

  private closeCell(): void {
    this.isInCell = false
    const cell = this.takeCell()
    if (cell.kind === 'empty') return
    const { rowsMax, columnsMax } = this.context.limits
    if (this.rowNumber === 0) this.rowNumber = this.lastRow + 1
    if (this.rowNumber > rowsMax) throw tooManyRows(rowsMax)
    if (this.column > columnsMax) throw unreadable(TABLE_TEXTS.TABLE_TOO_MANY_COLUMNS({ max: columnsMax }))
    if (cell.kind === 'text') this.textLeft -= cell.raw.length
    if (this.textLeft < 0) throw new TableFault('tooLarge', TABLE_TEXTS.TABLE_TEXT_TOO_LONG())
    while (this.cells.length < this.column - 1) this.cells.push(EMPTY)
    this.cells.push(cell)
  }

  /**
   * Converts the current cell. Text is mostly the same as in the row above; reusing it saves two fifths of
   * the work.
   */
  private takeCell(): Cell {
    const { type, value } = this.cell
    if (type === undefined || type === 'n') return cellOf(this.cell, this.context)
    const above = this.above[this.column]
    if (above?.type === type && above.value === value) return above.cell
    const cell = cellOf(this.cell, this.context)
    if (this.column <= this.context.limits.columnsMax) this.above[this.column] = { type, value, cell }
    return cell
  }

  private closeRow(): void {
    this.isInRow = false
    this.lastRow = this.rowNumber === 0 ? this.lastRow + 1 : this.rowNumber
    if (this.cells.length > 0) this.rows.push({ number: this.lastRow, cells: this.cells })
    this.cells = []
  }
}

const ROW_NUMBER = /^[1-9]\d{0,6}$/
const LETTERS_MAX = 3
const DIGITS_MAX = 7
const [LETTER_A, LETTER_Z, DIGIT_0, DIGIT_9] = [65, 90, 48, 57] as const

/**
 * Parses an address character by character: every cell has one, and a regular expression takes three times
 * as long.
 */
function parseAddress(address: string): { column: number; row: number } {
  let column = 0
  let at = 0
  for (; at < address.length; at++) {
    const code = address.charCodeAt(at)
    if (code < LETTER_A || code > LETTER_Z) break
    column = column * 26 + code - LETTER_A + 1
  }
  const letters = at
  let row = 0
  for (; at < address.length; at++) {
    const code = address.charCodeAt(at)
    if (code < DIGIT_0 || code > DIGIT_9) break
    row = row * 10 + code - DIGIT_0
  }
  const isWhole = at === address.length && at - letters <= DIGITS_MAX && letters <= LETTERS_MAX
  if (!isWhole || column === 0 || row === 0) throw damaged('the sheet has a cell without a place')
  return { column, row }
}

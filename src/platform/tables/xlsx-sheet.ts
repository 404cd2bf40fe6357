import { type Cell, EMPTY, type TableRow, tooManyRows, unreadable } from './table.ts'
import { cellOf, type SheetContext } from './xlsx-cells.ts'
import type { Attributes, XmlSink } from './xml.ts'

// Where the elements of a sheet stand: worksheet, sheetData, row, c, then v or is, then t or r, then t.
const DATA = 2
const ROW = 3
const CELL = 4
const VALUE = 5
const IN_VALUE = 6
const IN_RUN = 7

/** Makes rows of a sheet's elements as they come. Whoever reads takes them away. */
export class SheetRows implements XmlSink {
  private rows: TableRow[] = []
  private readonly context: SheetContext

  private isInData = false
  private isInRow = false
  private isInCell = false
  private isInText = false
  private isInRun = false
  private isTaking = false

  /** 0 where neither the row nor a cell of it has said it. */
  private rowNumber = 0
  private lastRow = 0
  private column = 0
  private cells: Cell[] = []
  private readonly cell: { type: string | undefined; style: string | undefined; value: string } = {
    type: undefined,
    style: undefined,
    value: '',
  }

  constructor(context: SheetContext) {
    this.context = context
  }

  /** The rows that have ended since it was last asked; rows without anything in a cell are none. */
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
    if (number <= this.lastRow) throw unreadable('the rows of the sheet are not in order')
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
    else this.setPlace(r)
  }

  private setPlace(address: string): void {
    const { column, row } = placeOf(address)
    if (this.rowNumber === 0) this.setRow(row)
    if (row !== this.rowNumber || column <= this.column)
      throw unreadable('the cells of the sheet are not in order')
    this.column = column
  }

  private openInCell(name: string, depth: number): void {
    if (depth === VALUE) {
      this.isTaking = name === 'v'
      this.isInText = name === 'is'
    } else if (depth === IN_VALUE) {
      this.isTaking = this.isInText && name === 't'
      this.isInRun = this.isInText && name === 'r'
    } else if (depth === IN_RUN) this.isTaking = this.isInRun && name === 't'
  }

  private closeCell(): void {
    this.isInCell = false
    const cell = cellOf(this.cell, this.context)
    if (cell.kind === 'empty') return
    const { rowsMax, columnsMax } = this.context.limits
    if (this.rowNumber === 0) this.rowNumber = this.lastRow + 1
    if (this.rowNumber > rowsMax) throw tooManyRows(rowsMax)
    if (this.column > columnsMax) throw unreadable(`the sheet has more than ${columnsMax} columns`)
    while (this.cells.length < this.column - 1) this.cells.push(EMPTY)
    this.cells.push(cell)
  }

  private closeRow(): void {
    this.isInRow = false
    this.lastRow = this.rowNumber === 0 ? this.lastRow + 1 : this.rowNumber
    if (this.cells.length > 0) this.rows.push({ number: this.lastRow, cells: this.cells })
    this.cells = []
  }
}

const ROW_NUMBER = /^[1-9]\d{0,6}$/
const ADDRESS = /^([A-Z]{1,3})([1-9]\d{0,6})$/

function placeOf(address: string): { column: number; row: number } {
  const [, letters, row] = ADDRESS.exec(address) ?? []
  if (letters === undefined) throw unreadable('the sheet has a cell without a place')
  let column = 0
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64
  return { column, row: Number(row) }
}

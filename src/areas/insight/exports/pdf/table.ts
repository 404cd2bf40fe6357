import { at } from '../../../../kernel/checked.ts'
import {
  BOLD,
  drawRule,
  FONT,
  INK,
  MARGIN,
  MUTED,
  makeRoom,
  type Page,
  put,
  RULE,
  SHADE,
  widthOf,
} from '../../../../platform/pdf/page.ts'

export interface Column {
  readonly title: string
  readonly unit?: string
  /** Share of the page's width. */
  readonly share: number
  readonly isNumber?: boolean
}

export interface PdfTable {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** A row of totals below a line. */
  readonly total?: readonly string[]
}

const ROW = 17
const HEAD = 30
const PADDING = 5

/** Draws a table and repeats its head on every page. */
export function drawTable(document: Page, table: PdfTable): void {
  makeRoom(document, HEAD + 3 * ROW)
  drawHead(document, table.columns)
  for (const [index, row] of table.rows.entries()) {
    if (makeRoom(document, ROW)) drawHead(document, table.columns)
    if (index % 2 === 1) shade(document, SHADE)
    drawRow(document, table.columns, row)
  }
  if (table.total) {
    if (makeRoom(document, ROW + 4)) drawHead(document, table.columns)
    drawRule(document, document.y + 1, INK)
    document.y += 3
    document.font(BOLD)
    drawRow(document, table.columns, table.total)
    document.font(FONT)
  }
  document.y += 6
}

function shade(document: Page, color: string): void {
  document.rect(MARGIN, document.y, widthOf(document), ROW).fill(color)
}

function drawHead(document: Page, columns: readonly Column[]): void {
  const y = document.y
  eachColumn(document, columns, ({ title, unit, isNumber = false }, x, width) => {
    const align = isNumber ? 'right' : 'left'
    document.font(BOLD).fontSize(8).fillColor(INK)
    put(document, title, { x, y: y + 4, width, align })
    document.font(FONT).fontSize(7).fillColor(MUTED)
    if (unit) put(document, unit, { x, y: y + 15, width, align })
  })
  drawRule(document, y + HEAD - 2, RULE)
  document.font(FONT).fontSize(8.5).fillColor(INK)
  document.y = y + HEAD
}

function drawRow(document: Page, columns: readonly Column[], row: readonly string[]): void {
  const y = document.y
  document.fontSize(8.5).fillColor(INK)
  eachColumn(document, columns, ({ isNumber = false }, x, width, index) => {
    put(document, at(row, index), { x, y: y + 4, width, align: isNumber ? 'right' : 'left' })
  })
  document.y = y + ROW
}

function eachColumn(
  document: Page,
  columns: readonly Column[],
  draw: (column: Column, x: number, width: number, index: number) => void,
): void {
  let x = MARGIN
  for (const [index, column] of columns.entries()) {
    const width = column.share * widthOf(document)
    draw(column, x + PADDING, width - 2 * PADDING, index)
    x += width
  }
}

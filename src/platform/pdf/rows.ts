import { setImmediate as pause } from 'node:timers/promises'
import { at } from '../../kernel/checked.ts'
import { PDF_ROWS_AT_ONCE } from './limits.ts'
import {
  BOLD,
  drawRule,
  FONT,
  INK,
  MARGIN,
  MUTED,
  makeRoom,
  type Page,
  RULE,
  SHADE,
  widthOf,
} from './page.ts'

export interface RowColumn {
  readonly title: string
  /** Share of the page's width; the shares of all columns sum to 1. */
  readonly share: number
  /** Numbers are aligned at their right end. */
  readonly isNumber?: boolean
}

const PADDING = 5
const SIZE = 8
const HEAD_SIZE = 7.5
/**
 * Font sizes for a row that does not fit on a page in the normal size. A cell is never split over two pages.
 */
const SMALL_SIZES = [6, 4.5] as const

/** Draws a table. Cells and titles wrap and are never truncated, and the head is repeated on every page. */
export async function drawRows(
  document: Page,
  columns: readonly RowColumn[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const headHeight = heightOfHead(document, columns)
  const first = rows[0]
  makeRoom(document, headHeight + (first ? measure(document, { columns, headHeight }, first).height : 0))
  drawHead(document, columns, headHeight)
  for (const [rowIndex, row] of rows.entries()) {
    const { size, height } = measure(document, { columns, headHeight }, row)
    if (makeRoom(document, height)) drawHead(document, columns, headHeight)
    const y = document.y
    if (rowIndex % 2 === 1) document.rect(MARGIN, y, widthOf(document), height).fill(SHADE)
    document.font(FONT).fontSize(size).fillColor(INK)
    eachColumn(document, columns, (x, width, index) => {
      document.text(at(row, index), x, y + PADDING, { width, align: alignmentOf(at(columns, index)) })
    })
    document.x = MARGIN
    document.y = y + height
    if (rowIndex % PDF_ROWS_AT_ONCE === PDF_ROWS_AT_ONCE - 1) await pause()
  }
  drawRule(document, document.y, RULE)
  document.y += 8
}

/** The largest font size in which a row fits on a page, and its height. */
function measure(
  document: Page,
  { columns, headHeight }: { readonly columns: readonly RowColumn[]; readonly headHeight: number },
  row: readonly string[],
) {
  const { page } = document
  const maxHeight = page.height - page.margins.top - page.margins.bottom - headHeight
  const heightAt = (size: number): number => heightOf(document.font(FONT).fontSize(size), columns, row)
  let fitting = { size: SIZE, height: heightAt(SIZE) }
  for (const size of SMALL_SIZES) {
    if (fitting.height <= maxHeight) break
    fitting = { size, height: heightAt(size) }
  }
  return fitting
}

/** The height of a row of texts in the current font. */
function heightOf(document: Page, columns: readonly RowColumn[], texts: readonly string[]): number {
  const heights = columns.map(({ share }, index) =>
    document.heightOfString(at(texts, index), { width: share * widthOf(document) - 2 * PADDING }),
  )
  return Math.max(...heights) + 2 * PADDING
}

function heightOfHead(document: Page, columns: readonly RowColumn[]): number {
  document.font(BOLD).fontSize(HEAD_SIZE)
  return heightOf(
    document,
    columns,
    columns.map(({ title }) => title),
  )
}

function drawHead(document: Page, columns: readonly RowColumn[], height: number): void {
  const y = document.y
  document.font(BOLD).fontSize(HEAD_SIZE).fillColor(MUTED)
  eachColumn(document, columns, (x, width, index) => {
    const column = at(columns, index)
    document.text(column.title, x, y + PADDING, { width, align: alignmentOf(column) })
  })
  drawRule(document, y + height - 2, INK)
  document.x = MARGIN
  document.y = y + height
}

const alignmentOf = ({ isNumber = false }: { isNumber?: boolean | undefined }) =>
  isNumber ? 'right' : 'left'

function eachColumn(
  document: Page,
  columns: readonly RowColumn[],
  draw: (x: number, width: number, index: number) => void,
): void {
  let x = MARGIN
  for (const [index, { share }] of columns.entries()) {
    const width = share * widthOf(document)
    draw(x + PADDING, width - 2 * PADDING, index)
    x += width
  }
}

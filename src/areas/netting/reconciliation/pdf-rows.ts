import { at } from '../../../kernel/checked.ts'
import type { PdfCell, PdfLine } from '../../../platform/pdf/text-lines.ts'
import { type Cell, EMPTY, type TableRow } from '../../../platform/tables/index.ts'
import { isAnyHeader } from './invoice-table.ts'
import type { MappedColumns } from './mapped-columns.ts'

const cellOf = (text: string): Cell => ({ kind: 'text', text, raw: text })

/**
 * The lines of a PDF as rows of tables. An empty cell leaves no trace in a PDF, so that below a header each piece of
 * text belongs to the column whose header begins, ends or is centred nearest to it.
 */
export function rowsOfPdf(lines: readonly PdfLine[], mapped: MappedColumns): TableRow[] {
  let header: readonly PdfCell[] | undefined
  return lines.map(({ cells }, index) => {
    const plainCells = cells.map(({ text }) => cellOf(text))
    if (isAnyHeader(plainCells, mapped)) {
      header = cells
      return { number: index + 1, cells: plainCells }
    }
    return { number: index + 1, cells: header ? alignedTo(header, cells) : plainCells }
  })
}

function alignedTo(header: readonly PdfCell[], cells: readonly PdfCell[]): Cell[] {
  const texts: string[][] = header.map(() => [])
  for (const cell of cells) at(texts, nearest(header, cell)).push(cell.text)
  return texts.map((parts) => (parts.length === 0 ? EMPTY : cellOf(parts.join(' '))))
}

function nearest(header: readonly PdfCell[], cell: PdfCell): number {
  const distances = header.map(({ from, to }) =>
    Math.min(
      Math.abs(cell.from - from),
      Math.abs(cell.to - to),
      Math.abs((cell.from + cell.to) / 2 - (from + to) / 2),
    ),
  )
  return distances.indexOf(Math.min(...distances))
}

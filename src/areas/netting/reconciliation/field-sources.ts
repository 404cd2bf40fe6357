import { createHash } from 'node:crypto'
import { type Cell, plain, type TableRow } from '../../../platform/tables/index.ts'
import { FIGURE_HEADERS, readHeader } from './columns.ts'
import { INVOICE_HEADERS, readInvoiceHeader } from './invoice-columns.ts'
import { isAnyHeader, isInvoiceHeader } from './invoice-table.ts'
import type { MappedColumns } from './mapped-columns.ts'
import { HEADER_ROWS } from './parse.ts'

/**
 * How sure it is what a column or text means:
 *
 * - corrected: a mapping of the supplier says so
 * - known: it has a name that is known, or that the format defines
 * - similar: its name contains one that is known; it is not used before a mapping says so
 * - unknown: none of these
 */
export const CERTAINTIES = ['corrected', 'known', 'similar', 'unknown'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** A column of a table, or an element of an e-Fatura, and what it is taken for. */
export interface FieldSource {
  /** Header, or path of the element below its line. */
  readonly source: string
  /** Row of the header; null for an element. */
  readonly row: number | null
  /** Null: not used. */
  readonly column: string | null
  readonly certainty: Certainty
  readonly suggestion: string | null
  /** First values. */
  readonly values: readonly string[]
}

const HEADERS_MAX = 5
const VALUES_SHOWN = 3
const VALUE_LENGTH = 100

/** Text of a cell as a person reads it. */
export const cellText = (cell: Cell): string => {
  if (cell.kind === 'empty') return ''
  return cell.kind === 'time' ? [cell.date, cell.time].filter(Boolean).join(' ') : cell.text
}

const isText = (cell: Cell): boolean => cell.kind === 'text' && !/^[-+]?[\d.,\s%]+$/.test(cell.text)

/** The rows that are headers; where none is known, the first of the top rows with the most texts. */
function headerRows(rows: readonly TableRow[], mapped: MappedColumns): TableRow[] {
  const headers: TableRow[] = []
  const texts = new Set<string>()
  for (const row of rows) {
    if (headers.length === HEADERS_MAX) break
    const text = rowText(row)
    if (texts.has(text) || !isAnyHeader(row.cells, mapped)) continue
    texts.add(text)
    headers.push(row)
  }
  if (headers.length > 0) return headers
  const [widest] = rows
    .slice(0, HEADER_ROWS)
    .map((row) => ({ row, count: row.cells.filter(isText).length }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count || a.row.number - b.row.number)
  return widest ? [widest.row] : []
}

const rowText = ({ cells }: TableRow): string => cells.map((cell) => plain(cellText(cell))).join('|')

/** Identifies the layout of a table by its headers, before corrections. */
export const layoutOfTable = (format: string, rows: readonly TableRow[]): string =>
  fingerprint([format, ...headerRows(rows, new Map()).map(rowText)])

export const fingerprint = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)

/** What the columns of a table are taken for. */
export function fieldSourcesOf(rows: readonly TableRow[], mapped: MappedColumns): FieldSource[] {
  return headerRows(rows, mapped).flatMap((header) => {
    const columns: ReadonlyMap<number, string> =
      (isInvoiceHeader(header.cells, mapped)
        ? readInvoiceHeader(header.cells, mapped)
        : readHeader(header.cells, mapped)
      )?.columns ?? new Map()
    const taken = new Set(columns.values())
    const below = rows.slice(rows.indexOf(header) + 1)
    return header.cells.flatMap((cell, index): FieldSource[] => {
      if (cell.kind !== 'text') return []
      const column = columns.get(index) ?? null
      const values = valuesOf(below, index)
      return [
        {
          source: cell.text,
          row: header.number,
          column,
          ...certaintyOf(cell.text, column, mapped, taken),
          values,
        },
      ]
    })
  })
}

/** The certainty of a header or element, with the column that its name suggests. */
export function certaintyOf(
  source: string,
  column: string | null,
  mapped: MappedColumns,
  taken: ReadonlySet<string>,
): Pick<FieldSource, 'certainty' | 'suggestion'> {
  if (mapped.has(plain(source))) return { certainty: 'corrected', suggestion: null }
  if (column !== null) return { certainty: 'known', suggestion: null }
  const suggestion = similarColumn(source, taken)
  return { certainty: suggestion === null ? 'unknown' : 'similar', suggestion }
}

function valuesOf(rows: readonly TableRow[], index: number): string[] {
  const values: string[] = []
  for (const { cells } of rows) {
    if (values.length === VALUES_SHOWN) break
    const cell = cells[index]
    if (cell && cell.kind !== 'empty') values.push(cellText(cell).slice(0, VALUE_LENGTH))
  }
  return values
}

/** The column whose longest known header is part of a text, as whole words. */
function similarColumn(text: string, taken: ReadonlySet<string>): string | null {
  const words = ` ${plain(text)} `
  let best: { readonly column: string; readonly length: number } | null = null
  for (const [header, column] of [...INVOICE_HEADERS, ...FIGURE_HEADERS]) {
    if (taken.has(column) || !words.includes(` ${header} `)) continue
    if (best === null || header.length > best.length) best = { column, length: header.length }
  }
  return best?.column ?? null
}

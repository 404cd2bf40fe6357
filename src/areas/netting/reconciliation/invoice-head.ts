import { plain, readDay, type TableRow } from '../../../platform/tables/index.ts'
import type { InvoiceHead } from './invoice-document.ts'

/** Rows in which an invoice states what it is: its titles and its end. */
const HEAD_ROWS = 60

const LABELS: readonly (readonly [keyof InvoiceHead, RegExp])[] = [
  ['number', /^(fatura no|fatura numarasi|invoice no|invoice number)\b/],
  ['issue_date', /^(fatura tarihi|duzenleme tarihi|invoice date|issue date)\b/],
  ['due_date', /^(son odeme tarihi|vade tarihi|due date)\b/],
  ['supplier_tax_id', /^(vkn|vergi no|vergi kimlik no|tckn|tax id)\b/],
  ['supplier', /^(tedarikci|satici|supplier)\b/],
]

/** Finds `Fatura No: X` in the cells of the first and last rows, or the label in one cell and the value in the next. */
export function readHeadText(rows: readonly TableRow[]): Partial<InvoiceHead> {
  const head: { -readonly [K in keyof InvoiceHead]?: string } = {}
  for (const { cells } of [...rows.slice(0, HEAD_ROWS), ...rows.slice(-HEAD_ROWS)]) {
    const texts = cells.flatMap((cell) =>
      cell.kind === 'text' || cell.kind === 'number'
        ? [cell.text]
        : cell.kind === 'time'
          ? [cell.date ?? '']
          : [],
    )
    for (const [index, text] of texts.entries()) {
      const label = LABELS.find(([, pattern]) => pattern.test(plain(text)))
      const value = valueAfter(text, texts[index + 1])
      if (!label || head[label[0]] !== undefined || value === undefined) continue
      const stored = label[0].endsWith('_date') ? dateOf(value) : value.slice(0, 200)
      if (stored !== undefined) head[label[0]] = stored
    }
  }
  return head
}

function valueAfter(text: string, next: string | undefined): string | undefined {
  const colon = text.indexOf(':')
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim()
  const value = rest === '' ? next?.replace(/^:/, '').trim() : rest
  return value === '' ? undefined : value
}

const dateOf = (text: string): string | undefined => {
  const first = text.split(/\s/)[0] ?? ''
  return readDay({ kind: 'text', text: first, raw: first })?.date
}

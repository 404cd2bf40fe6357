import { describe, expect, it } from 'vitest'
import { demoMonth } from '../../../../test/support/netting/demo-month.ts'
import {
  asCsv,
  asEFatura,
  asPdf,
  asSpreadsheet,
  cleanInvoice,
  type DraftInvoice,
} from '../../../../test/support/netting/invoices.ts'
import { PLANTED_ERRORS } from '../../../../test/support/netting/planted-errors.ts'
import { classifyInvoice } from '../../../core/netting/invoice/classify.ts'
import type { ClassifiedLine } from '../../../core/netting/invoice/types.ts'
import { extractText } from '../../../platform/pdf/extract-text.ts'
import { readHere } from '../../../platform/tables/read.ts'
import { readEFatura } from './e-fatura.ts'
import type { InvoiceFile } from './invoice-document.ts'
import { readInvoiceTable } from './invoice-table.ts'
import { rowsOfPdf } from './pdf-rows.ts'

const own = demoMonth()
const TOLERANCE = { kwh: 1n, lira: 10_000n }
const OPTIONS = { billingPeriod: own.billingPeriod, label: undefined, columns: new Map(), lines: new Map() }
const LIMITS = {
  rowsMax: 10_000,
  columnsMax: 100,
  cellLengthMax: 1_000,
  unpackedBytesMax: 24 * 1024 * 1024,
  entriesMax: 500,
}

const LAYOUTS: Readonly<Record<string, (invoice: DraftInvoice) => Promise<InvoiceFile | undefined>>> = {
  spreadsheet: async (invoice) =>
    readInvoiceTable(await readHere(await asSpreadsheet(invoice), LIMITS), 'invoice_table', OPTIONS),
  ...Object.fromEntries(
    (['numbers from 1 to 24', 'ends until 24:00', 'ends until 00:00'] as const).map((labels) => [
      `CSV with hours as ${labels}`,
      async (invoice: DraftInvoice) => {
        // Only in the last form nothing shows that the labels are those of ends.
        const label = labels === 'ends until 00:00' ? 'hour_ending' : undefined
        const rows = await readHere(asCsv(invoice, labels), LIMITS)
        return readInvoiceTable(rows, 'invoice_table', { ...OPTIONS, label })
      },
    ]),
  ),
  'e-Fatura': async (invoice) => readEFatura(await asEFatura(invoice), OPTIONS),
  PDF: async (invoice) => {
    const text = await extractText(new Uint8Array(await asPdf(invoice)))
    if (!('lines' in text)) throw new Error(text.refusal.code)
    return readInvoiceTable(rowsOfPdf(text.lines, new Map()), 'pdf', OPTIONS)
  },
}

async function classify(layout: string, invoice: DraftInvoice): Promise<readonly ClassifiedLine[]> {
  const file = await LAYOUTS[layout]?.(invoice)
  if (!file) throw new Error('the file is not taken for an invoice')
  expect(file.badCells).toEqual([])
  return classifyInvoice(file.lines, own, TOLERANCE)
}

const nameOf = ({ line: { kind, step, span } }: ClassifiedLine): string =>
  [kind, ...(step === null ? [] : [step]), span.unit].join(' ')

const findingsOf = (lines: readonly ClassifiedLine[]) =>
  Object.fromEntries(
    lines
      .filter(({ verdict }) => verdict !== 'agreeing')
      .map((line) => [nameOf(line), line.cause ?? line.reason?.code]),
  )

describe.each(Object.keys(LAYOUTS))('an invoice as %s', (layout) => {
  it('that agrees with the results has no finding, and states all charges, sums and hours', async () => {
    const lines = await classify(layout, cleanInvoice(own))
    expect(findingsOf(lines)).toEqual({})
    expect(lines.filter(({ line }) => line.span.unit === 'hour')).toHaveLength(720)
    expect(lines.filter(({ line }) => line.span.unit === 'month').map(({ line }) => line.kind)).toEqual([
      ...['matched', 'matched', 'bedelli', 'skb', 'consumption_tax', 'net_total', 'vat_total', 'gross_total'],
    ])
  })

  it.each(PLANTED_ERRORS)('with $name is found, and nothing else', async ({ findings, plant }) => {
    const invoice = cleanInvoice(own)
    plant(invoice, own)
    const lines = await classify(layout, invoice)
    const causes = Object.entries(findings).map(([line, [cause]]) => [line, cause])
    expect(findingsOf(lines)).toEqual(Object.fromEntries(causes))
    for (const found of lines.filter(({ verdict }) => verdict !== 'agreeing')) {
      const planted = findings[nameOf(found)]?.[1](cleanInvoice(own), invoice) ?? null
      // The clean invoice states whole kuruş, and the results have millionths.
      const difference = planted === null ? found.claim : (found.claim ?? 0n) - planted
      expect(difference === null || (difference >= -5_000n && difference <= 5_000n), `${found.claim}`).toBe(
        true,
      )
    }
  })
})

it('there are more than twelve kinds of planted errors', () => {
  expect(new Set(PLANTED_ERRORS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(12)
})

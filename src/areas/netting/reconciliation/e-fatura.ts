import type { InvoiceLine, LineKind, LineSpan } from '../../../core/netting/invoice/types.ts'
import { roundDiv } from '../../../kernel/decimal.ts'
import { type BillingPeriod, dayStart, HOUR_MS, isCalendarDate, periodRange } from '../../../kernel/time.ts'
import { parseFigure, TableFault, tooManyRows } from '../../../platform/tables/index.ts'
import { RECONCILE_ROWS_MAX } from '../limits.ts'
import { COLUMN_TEXTS, ColumnsFault } from '../shared/index.ts'
import { type FieldElements, fieldElements, fieldText, type MappableElement } from './e-fatura-elements.ts'
import { elementsAt, parseInvoiceXml, textAt, type XmlElement } from './e-fatura-xml.ts'
import type { InvoiceFile, InvoiceHead } from './invoice-document.ts'
import type { TableOptions } from './invoice-table.ts'
import { figuresOfLines } from './line-figures.ts'
import { kindOf, stepOf } from './line-kinds.ts'
import { CELL_TEXTS, INVOICE_TEXTS } from './messages.ts'
import type { BadCell } from './parse.ts'
import { spanOfMonth } from './times.ts'

/** Codes of taxes in UBL-TR: value added tax, and the funds of electricity. */
const VAT_CODE = '0015'
const FUND_OF_CODE: Readonly<Record<string, LineKind>> = {
  '4071': 'consumption_tax',
  '8005': 'consumption_tax',
  '8002': 'energy_fund',
  '8004': 'trt_share',
}
const WH_OF_UNIT: Readonly<Record<string, bigint>> = { KWH: 1000n, MWH: 1_000_000n }
const MICRO = 1_000_000n
/** An invoice that takes amounts of an earlier one back, and states them without a sign. */
const RETURN_TYPE = 'IADE'

/** Reads an e-Fatura (UBL-TR). Throws TableFault and ColumnsFault. */
export const readEFatura = async (bytes: Buffer, options: TableOptions): Promise<InvoiceFile> =>
  readInvoiceElement(await parseInvoiceXml(bytes), options)

/** Reads the root of an e-Fatura. Throws TableFault and ColumnsFault. */
export function readInvoiceElement(invoice: XmlElement, options: TableOptions): InvoiceFile {
  const currency = textAt(invoice, 'DocumentCurrencyCode') ?? 'TRY'
  if (currency !== 'TRY') {
    throw new TableFault('unreadable', INVOICE_TEXTS.E_FATURA_CURRENCY({ currency: currency.slice(0, 10) }))
  }
  if (textAt(invoice, 'InvoiceTypeCode') === RETURN_TYPE)
    throw new TableFault('unreadable', INVOICE_TEXTS.E_FATURA_RETURN())
  const elements = elementsAt(invoice, 'InvoiceLine')
  if (elements.length === 0) throw new ColumnsFault(COLUMN_TEXTS.HEADERS_OF_FIGURES_MISSING())
  if (elements.length > RECONCILE_ROWS_MAX) throw tooManyRows(RECONCILE_ROWS_MAX)
  const badCells: BadCell[] = []
  const fields = fieldElements(elements, options.columns)
  const lines = elements.flatMap((element, index) => {
    const line = lineOf(element, index + 1, { ...options, fields })
    if (!('fault' in line)) return [line]
    badCells.push({ row: index + 1, column: line.element, content: line.fault })
    return []
  })
  const all = [...lines, ...documentLines(invoice, lines, elements.length, options.billingPeriod)]
  return {
    format: 'e_fatura',
    head: headOf(invoice),
    lines: withVatOfDocument(all, invoice),
    figures: figuresOfLines(lines),
    badCells,
    columns: {},
    ignoredColumns: [],
    decimalMark: '.',
    label: 'hour_starting',
    rowCount: elements.length,
  }
}

export function headOf(invoice: XmlElement): InvoiceHead {
  const party = elementsAt(invoice, 'AccountingSupplierParty', 'Party')[0]
  const ids = party ? elementsAt(party, 'PartyIdentification', 'ID') : []
  const taxId = ids.find(({ attributes }) => ['VKN', 'TCKN'].includes(attributes['schemeID'] ?? ''))
  const short = (text: string | undefined) => text?.slice(0, 200) ?? null
  const date = (text: string | undefined) => (text !== undefined && isCalendarDate(text) ? text : null)
  return {
    number: short(textAt(invoice, 'ID')),
    issue_date: date(textAt(invoice, 'IssueDate')),
    due_date: date(textAt(invoice, 'PaymentMeans', 'PaymentDueDate')),
    supplier: short(party && textAt(party, 'PartyName', 'Name')),
    supplier_tax_id: short(taxId?.text.trim()),
  }
}

/** Millionths; undefined where the text is no decimal. */
const micro = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : parseFigure({ kind: 'number', text, isRounded: false }, '.')

const rateOf = (text: string | undefined): bigint | null => {
  const value = micro(text)
  return value === undefined ? null : roundDiv(value, 10_000n)
}

interface LineFault {
  readonly element: string
  readonly fault: BadCell['content']
}

type LineOptions = TableOptions & { readonly fields: FieldElements }

function lineOf(element: XmlElement, number: number, options: LineOptions): InvoiceLine | LineFault {
  const { fields } = options
  const span = spanOf(element, options.billingPeriod)
  if ('fault' in span) return span
  const value = (field: MappableElement): bigint | null | LineFault => {
    const path = fields(field)
    const text = fieldText(element, path)
    if (text === undefined) return null
    return (
      micro(text) ?? { element: path?.at(-1) ?? field, fault: CELL_TEXTS.CELL_NOT_NUMBER({ mark: 'point' }) }
    )
  }
  const quantity = value('quantity')
  const amount = value('amount')
  const price = value('unit_price')
  for (const each of [quantity, amount, price]) if (each !== null && typeof each === 'object') return each
  const unit =
    elementsAt(element, ...(fields('quantity') ?? ['InvoicedQuantity']))[0]?.attributes['unitCode'] ?? ''
  // A charge without energy is counted in pieces.
  const wh = WH_OF_UNIT[unit]
  const description = fieldText(element, fields('item')) ?? textAt(element, 'Item', 'Description') ?? null
  const text = [description, textAt(element, 'Item', 'Description'), textAt(element, 'Note')].join(' ')
  const step = fieldText(element, fields('step'))
  const vat = elementsAt(element, 'TaxTotal', 'TaxSubtotal').find((each) => codeOf(each) === VAT_CODE)
  const decimals = fieldText(element, fields('unit_price'))?.split('.')[1]?.length ?? 0
  return {
    number,
    description: description?.slice(0, 500) ?? null,
    kind: kindOf(description ?? '', options.lines, amount !== null),
    span,
    facility: fieldText(element, fields('facility')) ?? null,
    step: stepOf(step === undefined ? text : `kademe ${step}`),
    quantity: wh === undefined || typeof quantity !== 'bigint' ? null : roundDiv(quantity * wh, MICRO),
    unitPrice:
      wh === undefined || typeof price !== 'bigint'
        ? null
        : { value: roundDiv(price * 1000n, wh), decimals: wh === 1000n ? decimals : 6 },
    amount: typeof amount === 'bigint' ? amount : null,
    rate: null,
    base: null,
    vatRate: rateOf(vat && textAt(vat, 'Percent')),
    vat: micro(vat && textAt(vat, 'TaxAmount')) ?? null,
    gross: null,
    isTax: false,
  }
}

const codeOf = (subtotal: XmlElement): string | undefined =>
  textAt(subtotal, 'TaxCategory', 'TaxScheme', 'TaxTypeCode')

/** The period of a line: an hour, a day, or the month. */
function spanOf(element: XmlElement, billingPeriod: BillingPeriod): LineSpan | LineFault {
  const period = elementsAt(element, 'InvoicePeriod')[0]
  if (!period) return spanOfMonth(billingPeriod)
  const [startDate, endDate] = [textAt(period, 'StartDate'), textAt(period, 'EndDate')]
  if (startDate === undefined || !isCalendarDate(startDate)) {
    return { element: 'StartDate', fault: CELL_TEXTS.CELL_NO_DATE() }
  }
  const { from, to } = periodRange(billingPeriod)
  const day = dayStart(startDate)
  if (day < from || day >= to) {
    return { element: 'StartDate', fault: CELL_TEXTS.CELL_OUTSIDE_OF_MONTH({ month: billingPeriod }) }
  }
  const startTime = textAt(period, 'StartTime')
  if (startTime !== undefined && textAt(period, 'EndTime') !== undefined) {
    const hour = /^(\d{2}):00(?::00)?(?:\.0+)?$/.exec(startTime)?.[1]
    if (hour === undefined) return { element: 'StartTime', fault: INVOICE_TEXTS.E_FATURA_NOT_HOURLY() }
    return { unit: 'hour', from: day + Number(hour) * HOUR_MS }
  }
  return startDate === endDate ? { unit: 'day', from: day } : spanOfMonth(billingPeriod)
}

/** Funds among the taxes of the document, and its sums, as lines after the others. */
function documentLines(
  invoice: XmlElement,
  lines: readonly InvoiceLine[],
  count: number,
  billingPeriod: BillingPeriod,
): InvoiceLine[] {
  const subtotals = elementsAt(invoice, 'TaxTotal', 'TaxSubtotal')
  const span = spanOfMonth(billingPeriod)
  const found: Pick<InvoiceLine, 'kind' | 'description' | 'amount' | 'rate' | 'base' | 'isTax'>[] = []
  for (const subtotal of subtotals) {
    const kind = FUND_OF_CODE[codeOf(subtotal) ?? '']
    if (kind === undefined) continue
    found.push({
      kind,
      description: textAt(subtotal, 'TaxCategory', 'TaxScheme', 'Name') ?? null,
      amount: micro(textAt(subtotal, 'TaxAmount')) ?? null,
      rate: rateOf(textAt(subtotal, 'Percent')),
      base: micro(textAt(subtotal, 'TaxableAmount')) ?? null,
      isTax: true,
    })
  }
  const total = (kind: LineKind, description: string, amount: bigint | undefined) => {
    if (amount !== undefined) found.push({ kind, description, amount, rate: null, base: null, isTax: false })
  }
  const vat = subtotals
    .filter((each) => codeOf(each) === VAT_CODE)
    .map((each) => micro(textAt(each, 'TaxAmount')))
  const monetary = (name: string) => micro(textAt(invoice, 'LegalMonetaryTotal', name))
  if (lines.some(({ amount }) => amount !== null)) {
    total('net_total', 'LineExtensionAmount', monetary('LineExtensionAmount'))
    if (vat.length > 0)
      total(
        'vat_total',
        'KDV',
        vat.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n),
      )
    total('gross_total', 'TaxInclusiveAmount', monetary('TaxInclusiveAmount'))
  }
  return found.map((line, index) => ({
    number: count + index + 1,
    span,
    facility: null,
    step: null,
    quantity: null,
    unitPrice: null,
    vatRate: null,
    vat: null,
    gross: null,
    ...line,
  }))
}

/**
 * Where the lines state no value added tax and the document has one rate, it is the rate of all lines. Funds are taxed
 * at the rate whose base in the document exceeds the amounts of the lines with this rate.
 */
function withVatOfDocument(lines: readonly InvoiceLine[], invoice: XmlElement): InvoiceLine[] {
  const taxes = elementsAt(invoice, 'TaxTotal', 'TaxSubtotal')
    .filter((each) => codeOf(each) === VAT_CODE)
    .map((each) => ({ rate: rateOf(textAt(each, 'Percent')), base: micro(textAt(each, 'TaxableAmount')) }))
  const [only, ...others] = taxes
  const charged = lines.filter(({ kind, isTax, amount }) => !isTax && amount !== null && !isSum(kind))
  const isStated = charged.some((line) => line.vat !== null || line.vatRate !== null)
  const documentRate = others.length === 0 ? (only?.rate ?? null) : null
  const withRate = lines.map((line) =>
    isStated || line.isTax || line.amount === null || isSum(line.kind)
      ? line
      : { ...line, vatRate: documentRate },
  )
  const netOf = (rate: bigint | null) =>
    withRate
      .filter(({ kind, isTax, vatRate }) => !isTax && !isSum(kind) && vatRate === rate)
      .reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  const fundRate = taxes.find(({ rate, base }) => base !== undefined && base > netOf(rate))?.rate ?? null
  return withRate.map((line) => (line.isTax ? { ...line, vatRate: fundRate } : line))
}

const isSum = (kind: InvoiceLine['kind']): boolean => kind?.endsWith('_total') === true

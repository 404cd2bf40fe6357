/** Invoices made from the results of a month, in three layouts: spreadsheet, e-Fatura and PDF. */
import { buffer } from 'node:stream/consumers'
import type { OwnResults } from '../../../src/core/netting/invoice/types.ts'
import { HOUR_MS, TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'
import { openDocument } from '../../../src/platform/pdf/page.ts'
import { packWorkbook, type SheetCell, workbookParts } from '../workbook.ts'

/** Energy in Wh, money in millionths of a lira as printed (whole kuruş), rates in percent. */
export interface DraftCharge {
  text: string
  quantity: bigint | null
  price: bigint | null
  amount: bigint
  rate: number | null
  base: bigint | null
  vatRate: number
  vat: bigint
  /** Code of the fund among the taxes of an e-Fatura. */
  fundCode?: string
}
export interface DraftHour {
  hour: number
  matched: bigint
}
export interface DraftInvoice {
  charges: DraftCharge[]
  hours: DraftHour[]
  /** Added to the printed sum. */
  wrongTotal: bigint
}

const KURUS = 10_000n
const kurus = (micro: bigint): bigint => ((micro + KURUS / 2n) / KURUS) * KURUS
export const percent = (amount: bigint, rate: number): bigint => kurus((amount * BigInt(rate)) / 100n)
export const amountOf = (quantity: bigint, price: bigint): bigint => kurus((quantity * price) / 1000n)

export const charge = (
  text: string,
  quantity: bigint,
  price: bigint,
  amount = amountOf(quantity, price),
): DraftCharge => ({
  ...{ text, quantity, price, amount, rate: null, base: null, vatRate: 20 },
  vat: percent(amount, 20),
})

export const fund = (text: string, fundCode: string, base: bigint, rate: number): DraftCharge => {
  const amount = percent(base, rate)
  return {
    ...{ text, quantity: null, price: null, amount, rate, base, vatRate: 20, fundCode },
    vat: percent(amount, 20),
  }
}

/** The invoice that agrees with the results. */
export function cleanInvoice(own: OwnResults): DraftInvoice {
  const total = (kind: string, step: number | null) => {
    const rows = own.amounts.filter((row) => row.kind === kind && row.stepNo === step)
    const sum = (value: (row: (typeof rows)[number]) => bigint | null) =>
      rows.reduce((all, row) => all + (value(row) ?? 0n), 0n)
    return {
      quantity: sum((row) => row.quantity),
      amount: kurus(sum((row) => row.amount)),
      price: rows[0]?.unitPrice ?? 0n,
    }
  }
  const line = (text: string, kind: string, step: number | null) => {
    const { quantity, price, amount } = total(kind, step)
    return charge(text, quantity, price, amount)
  }
  const charges = [
    line('Mahsuplaşan tüketim 1. kademe', 'matched', 1),
    line('Mahsuplaşan tüketim 2. kademe', 'matched', 2),
    line('Bedelli ihtiyaç fazlası', 'bedelli', null),
    line('Sistem kullanım bedeli (SKB)', 'skb', skbStep(own)),
  ]
  const base = (charges[0]?.amount ?? 0n) + (charges[1]?.amount ?? 0n)
  charges.push(fund('Belediye tüketim vergisi', '4071', base, 5))
  const hours = own.hours.map(({ hour, energies }) => ({ hour, matched: energies.matched ?? 0n }))
  return { charges, hours, wrongTotal: 0n }
}

const skbStep = ({ amounts }: OwnResults): number | null =>
  amounts.find(({ kind }) => kind === 'skb')?.stepNo ?? null

/** The tax of a fund follows from its amount, and the base of a fund from the charges. */
function totalsOf({ charges, wrongTotal }: DraftInvoice, isFundTax = false) {
  const listed = isFundTax ? charges.filter(({ fundCode }) => fundCode === undefined) : charges
  const net = listed.reduce((sum, { amount }) => sum + amount, 0n)
  const vat = charges.reduce((sum, each) => sum + each.vat, 0n)
  const all = charges.reduce((sum, { amount }) => sum + amount, 0n)
  return { net, vat, gross: all + vat + wrongTotal }
}

const localText = (at: number): [date: string, hour: string] => {
  const text = new Date(at + TURKEY_OFFSET_MS).toISOString()
  return [text.slice(0, 10), text.slice(11, 16)]
}
const turkishDate = (date: string): string => date.split('-').reverse().join('.')

/** 1.234,56 with the given decimals from an integer with `scale` decimals. */
function turkish(value: bigint, scale: number, decimals: number): string {
  const text = value.toString().padStart(scale + 1, '0')
  const whole = text.slice(0, -scale).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${whole},${text.slice(-scale).slice(0, decimals)}`
}
const point = (value: bigint, scale: number): string => {
  const text = value.toString().padStart(scale + 1, '0')
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

const HEAD = [
  'Kalem',
  'Miktar (kWh)',
  'Birim Fiyat',
  'Tutar (TL)',
  'Matrah',
  'Oran',
  'KDV Oranı',
  'KDV Tutarı',
] as const

function cellsOf({
  text,
  quantity,
  price,
  amount,
  base,
  rate,
  vatRate,
  vat,
}: DraftCharge): (string | null)[] {
  return [
    text,
    quantity === null ? null : turkish(quantity, 3, 3),
    price === null ? null : turkish(price, 6, 6),
    turkish(amount, 6, 2),
    base === null ? null : turkish(base, 6, 2),
    rate === null ? null : `%${rate}`,
    `%${vatRate}`,
    turkish(vat, 6, 2),
  ]
}

/** How the hours of an annex are labelled. */
export type HourLabels = 'ranges' | 'numbers from 1 to 24' | 'ends until 24:00' | 'ends until 00:00'

function labelOf(hour: number, labels: HourLabels): [date: string, hour: string] {
  const [date, clock] = localText(hour)
  const [endDate, end] = localText(hour + HOUR_MS)
  const end24 = end === '00:00' ? '24:00' : end
  switch (labels) {
    case 'ranges':
      return [date, `${clock}-${end24}`]
    case 'numbers from 1 to 24':
      return [date, String(Number(end24.slice(0, 2)))]
    case 'ends until 24:00':
      return [date, end24]
    case 'ends until 00:00':
      return [endDate, end]
  }
}

function rowsOf(invoice: DraftInvoice, labels: HourLabels = 'ranges'): (string | null)[][] {
  const { net, vat, gross } = totalsOf(invoice)
  const total = (text: string, amount: bigint) => [text, null, null, turkish(amount, 6, 2)]
  return [
    ['Fatura No: ABC2026000000042'],
    ['Fatura Tarihi: 05.07.2026'],
    ['VKN: 1234567890'],
    [...HEAD],
    ...invoice.charges.map(cellsOf),
    total('Ara toplam', net),
    total('Hesaplanan KDV', vat),
    total('Genel toplam', gross),
    ['Tarih', 'Saat', 'Mahsuplaşan (kWh)'],
    ...invoice.hours.map(({ hour, matched }) => {
      const [date, label] = labelOf(hour, labels)
      return [turkishDate(date), label, turkish(matched, 3, 3)]
    }),
  ]
}

export const asSpreadsheet = (invoice: DraftInvoice): Promise<Buffer> =>
  packWorkbook(workbookParts(rowsOf(invoice) as SheetCell[][]))

export const asCsv = (invoice: DraftInvoice, labels: HourLabels): Buffer =>
  Buffer.from(
    rowsOf(invoice, labels)
      .map((row) => `${row.map((cell) => cell ?? '').join(';')}\r\n`)
      .join(''),
  )

const X = [40, 190, 255, 315, 375, 430, 465, 515] as const
const X_OF_HOURS = [40, 120, 200] as const

export async function asPdf(invoice: DraftInvoice): Promise<Buffer> {
  const page = openDocument({ title: 'Elektrik faturası', at: 0, language: 'tr' })
  const content = buffer(page as unknown as NodeJS.ReadableStream)
  page.fontSize(7)
  let y = 50
  let columns: readonly number[] = X
  for (const row of rowsOf(invoice)) {
    if (row.length === X_OF_HOURS.length && row[0] === 'Tarih') columns = X_OF_HOURS
    if (y > 730) {
      page.addPage()
      y = 50
    }
    for (const [index, text] of row.entries())
      if (text !== null) page.text(text, columns[index] ?? 0, y, { lineBreak: false })
    y += 11
  }
  page.end()
  return content
}

const tax = (tag: {
  base: bigint
  rate: number | null
  amount: bigint
  code: string
  name: string
}): string =>
  `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="TRY">${point(tag.base, 6)}</cbc:TaxableAmount>` +
  `<cbc:TaxAmount currencyID="TRY">${point(tag.amount, 6)}</cbc:TaxAmount>` +
  (tag.rate === null ? '' : `<cbc:Percent>${tag.rate}</cbc:Percent>`) +
  `<cac:TaxCategory><cac:TaxScheme><cbc:Name>${tag.name}</cbc:Name><cbc:TaxTypeCode>${tag.code}</cbc:TaxTypeCode>` +
  '</cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>'

function xmlLine(charge: DraftCharge, id: number): string {
  const { text, quantity, price, amount, vat, vatRate } = charge
  return (
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID>` +
    `<cbc:InvoicedQuantity unitCode="KWH">${point(quantity ?? 0n, 3)}</cbc:InvoicedQuantity>` +
    `<cbc:LineExtensionAmount currencyID="TRY">${point(amount, 6)}</cbc:LineExtensionAmount>` +
    `<cac:TaxTotal><cbc:TaxAmount currencyID="TRY">${point(vat, 6)}</cbc:TaxAmount>` +
    `${tax({ base: amount, rate: vatRate, amount: vat, code: '0015', name: 'KDV' })}</cac:TaxTotal>` +
    `<cac:Item><cbc:Name>${text}</cbc:Name></cac:Item>` +
    `<cac:Price><cbc:PriceAmount currencyID="TRY">${point(price ?? 0n, 6)}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`
  )
}

function xmlHour({ hour, matched }: DraftHour, id: number): string {
  const [date, clock] = localText(hour)
  const [endDate, end] = localText(hour + HOUR_MS)
  return (
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cac:InvoicePeriod><cbc:StartDate>${date}</cbc:StartDate>` +
    `<cbc:StartTime>${clock}:00</cbc:StartTime><cbc:EndDate>${endDate}</cbc:EndDate><cbc:EndTime>${end}:00</cbc:EndTime>` +
    `</cac:InvoicePeriod><cbc:InvoicedQuantity unitCode="KWH">${point(matched, 3)}</cbc:InvoicedQuantity>` +
    '<cac:Item><cbc:Name>Mahsuplaşan enerji, saatlik</cbc:Name></cac:Item></cac:InvoiceLine>'
  )
}

/** Funds are taxes of the document, as UBL-TR has codes for them. */
export function asEFatura(invoice: DraftInvoice): Promise<Buffer> {
  const { net, gross } = totalsOf(invoice, true)
  const listed = invoice.charges.filter(({ fundCode }) => fundCode === undefined)
  const funds = invoice.charges.filter(({ fundCode }) => fundCode !== undefined)
  const rates = [...new Set(invoice.charges.map(({ vatRate }) => vatRate))]
  const taxOf = (rate: number): string => {
    const taxed = invoice.charges.filter(({ vatRate }) => vatRate === rate)
    const [base, amount] = [
      taxed.reduce((sum, each) => sum + each.amount, 0n),
      taxed.reduce((sum, each) => sum + each.vat, 0n),
    ]
    return tax({ base, rate, amount, code: '0015', name: 'KDV' })
  }
  const money = (name: string, amount: bigint) =>
    `<cbc:${name} currencyID="TRY">${point(amount, 6)}</cbc:${name}>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
 xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">
<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent/></ext:UBLExtension></ext:UBLExtensions>
<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:CustomizationID>TR1.2</cbc:CustomizationID>
<cbc:ProfileID>TICARIFATURA</cbc:ProfileID><cbc:ID>ABC2026000000042</cbc:ID>
<cbc:IssueDate>2026-07-05</cbc:IssueDate><cbc:InvoiceTypeCode>SATIS</cbc:InvoiceTypeCode>
<cbc:DocumentCurrencyCode>TRY</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party>
<cac:PartyIdentification><cbc:ID schemeID="VKN">1234567890</cbc:ID></cac:PartyIdentification>
<cac:PartyName><cbc:Name>Örnek Elektrik A.Ş.</cbc:Name></cac:PartyName></cac:Party></cac:AccountingSupplierParty>
<cac:TaxTotal>${money('TaxAmount', gross - net)}
${rates.map(taxOf).join('')}
${funds.map(({ text: name, base, rate, amount, fundCode }) => tax({ base: base ?? 0n, rate, amount, code: fundCode ?? '', name })).join('')}</cac:TaxTotal>
<cac:LegalMonetaryTotal>${money('LineExtensionAmount', net)}${money('TaxExclusiveAmount', net)}
${money('TaxInclusiveAmount', gross)}${money('PayableAmount', gross)}</cac:LegalMonetaryTotal>
${listed.map((each, index) => xmlLine(each, index + 1)).join('')}
${invoice.hours.map((each, index) => xmlHour(each, listed.length + index + 1)).join('')}</Invoice>`
  return Promise.resolve(Buffer.from(text))
}

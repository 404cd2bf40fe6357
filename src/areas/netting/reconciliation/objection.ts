import type { Readable } from 'node:stream'
import { unprocessable } from '../../../kernel/errors.ts'
import { textOf } from '../../../kernel/messages.ts'
import { type BillingPeriod, localDate } from '../../../kernel/time.ts'
import { makePrinted, printedDecimal } from '../../../platform/reports/printed.ts'
import { openReport, type PrintedTable } from '../../../platform/reports/report.ts'
import { OBJECTION_DAYS, OBJECTION_LINES_MAX } from '../limits.ts'
import type { StoredLine } from './invoice-response.ts'
import { INVOICE_TEXTS } from './messages.ts'
import { lastDay } from './objection-service.ts'
import type { StoredReport } from './stored-check.ts'

/** The content of an objection: a check of a file, and the term of the objection. */
export interface ObjectionContent {
  readonly group: { readonly id: string; readonly name: string }
  readonly billingPeriod: BillingPeriod
  readonly invoice: Pick<StoredReport, 'lines' | 'invoice' | 'claim_try' | 'runs'>
  readonly file: { readonly name: string; readonly sha256: string }
  /** Days; undefined: the day of receipt is unknown. */
  readonly receipt: { readonly on: string; readonly days: number } | undefined
  readonly now: number
}

const TITLE = 'Fatura itirazı'
const FIELD_TITLES: Readonly<Record<string, string>> = {
  quantity_kwh: 'Miktar (kWh)',
  unit_price_try_per_kwh: 'Birim fiyat (TL/kWh)',
  amount_try: 'Tutar (TL)',
  rate_pct: 'Oran (%)',
  vat_rate_pct: 'KDV oranı (%)',
  vat_try: 'KDV (TL)',
  gross_try: 'Vergiler dahil (TL)',
}
const dateOf = (date: string): string => date.split('-').reverse().join('.')
const decimal = (text: string | null): string => printedDecimal(text, 'tr')

/**
 * Opens the objection to an invoice as PDF. It is in Turkish, because its recipient is a Turkish supplier. Throws 422
 * when no line differs.
 */
export async function openObjection({
  group,
  billingPeriod,
  invoice,
  file,
  receipt,
  now,
}: ObjectionContent): Promise<{ readonly fileName: string; readonly content: Readable }> {
  const differing = invoice.lines.filter(({ verdict }) => verdict === 'differing')
  if (differing.length === 0) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', INVOICE_TEXTS.INVOICE_WITHOUT_DIFFERENCE())
  }
  const listed = differing.slice(0, OBJECTION_LINES_MAX)
  const { invoice: head, claim_try: claim } = invoice
  const printed = (): PrintedTable =>
    makePrinted({
      lines: [
        `Tarih: ${dateOf(localDate(now))}`,
        `Tedarikçi: ${[head.supplier, head.supplier_tax_id].filter((text) => text !== null).join(', ') || '–'}`,
        `Fatura: ${head.number ?? '–'}${head.issue_date === null ? '' : `, ${dateOf(head.issue_date)}`}`,
        `Grup: ${group.name}; dönem: ${billingPeriod.slice(0, 7)}`,
        ...(receipt === undefined ? [] : [termOf(receipt.on, receipt.days)]),
        'Aşağıdaki satırlar, saatlik mahsuplaşma sonuçlarıyla uyuşmamaktadır. Faturaya bu satırlar için itiraz ' +
          'ediyor ve düzeltilmesini talep ediyoruz.',
      ],
      columns: [
        { title: 'Satır', width: 0.8, isNumber: true },
        { title: 'Kalem ve zaman', width: 2 },
        { title: 'Rakam', width: 1.4 },
        { title: 'Faturada', width: 1.8, isNumber: true },
        { title: 'Hesaplanan', width: 1.8, isNumber: true },
        { title: 'Fark', width: 1.8, isNumber: true },
        { title: 'Neden', width: 2.4 },
      ],
      rows: listed.flatMap(rowsOf),
      notes: [
        `Bilinen farkların toplamı: ${decimal(claim)} TL (faturadaki tutar eksi hesaplanan).`,
        ...(differing.length > listed.length
          ? [`Ayrıca ${differing.length - listed.length} satır farklıdır.`]
          : []),
        ...evidenceOf(listed, invoice.runs),
        `Fatura dosyası: ${file.name.slice(0, 200)}, SHA-256 ${file.sha256}`,
      ],
    })
  const report = {
    title: TITLE,
    fileName: `netsaat-itiraz-${billingPeriod.slice(0, 7)}-${group.id}`,
    columns: [],
    portions: [],
    printed: async () => printed(),
  }
  return {
    fileName: report.fileName,
    content: await openReport(report, { format: 'pdf', locale: 'tr', at: now }),
  }
}

/** Source of the term: Turkish Commercial Code (Law 6102), article 21(2). */
function termOf(receipt: string, days: number): string {
  const last = lastDay(receipt, days)
  const rule = days === OBJECTION_DAYS ? ' (6102 sayılı Türk Ticaret Kanunu madde 21/2)' : ''
  return `Faturanın alındığı gün: ${dateOf(receipt)}; itirazın son günü: ${dateOf(last)}, ${days} gün${rule}`
}

function rowsOf({ line, description, key, differences, reason, claim_try }: StoredLine): string[][] {
  const text = [description, key].filter((part) => part !== null).join('\n')
  const cause = reason ? textOf(reason, 'tr') : ''
  // A line that is charged twice has right figures.
  if (differences.length === 0)
    return [
      [String(line), text, 'Tutar (TL)', decimal(claim_try), decimal('0.000000'), decimal(claim_try), cause],
    ]
  return differences.map(({ field, theirs, ours, difference }, index) => [
    index === 0 ? String(line) : '',
    index === 0 ? text : '',
    FIELD_TITLES[field] ?? field,
    decimal(theirs),
    decimal(ours),
    decimal(difference),
    index === 0 ? cause : '',
  ])
}

interface RunEvidence {
  readonly run_id: string
  readonly input_hash: string
  readonly engine_version: string
}

/** The runs and price rows from which the calculated figures are. */
function evidenceOf(lines: readonly StoredLine[], runs: readonly RunEvidence[]): string[] {
  const prices = new Map(
    lines.flatMap(({ our_prices, their_price }) =>
      [...our_prices, ...(their_price ? [their_price] : [])].map(
        (row) => [row.tariff_price_id, row] as const,
      ),
    ),
  )
  return [
    'Dayanak: hesaplamaların girdileri saklanır; aşağıdaki özet değerleriyle yeniden hesaplanabilir.',
    ...runs.map(
      ({ run_id, input_hash, engine_version }) =>
        `Hesaplama ${run_id}, girdi SHA-256 ${input_hash}, motor sürümü ${engine_version}`,
    ),
    ...[...prices.values()].map(
      ({ tariff_price_id, name, price_try_per_kwh }) =>
        `Tarife satırı ${tariff_price_id}: ${name}, ${decimal(price_try_per_kwh)} TL/kWh`,
    ),
  ]
}

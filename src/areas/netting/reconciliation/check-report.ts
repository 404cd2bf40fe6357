import { DIFFERENCE_FIELDS, type DifferenceField } from '../../../core/netting/invoice/types.ts'
import { textOf } from '../../../kernel/messages.ts'
import { makePrinted, printedDecimal } from '../../../platform/reports/printed.ts'
import { openReport, type Report, type ReportLocale } from '../../../platform/reports/report.ts'
import type { CheckReportQuery } from './check-schema.ts'
import type { CheckRow } from './check-store.ts'
import type { StoredLine } from './invoice-response.ts'
import type { StoredCheck } from './stored-check.ts'

type Labels = Readonly<Record<ReportLocale, string>>
const label = (tr: string, en: string): Labels => ({ tr, en })

const TITLE = label('Fatura kontrolü', 'Invoice check')
const VERDICT_WORDS: Readonly<Record<string, Labels>> = {
  agreeing: label('uyuşuyor', 'agrees'),
  differing: label('farklı', 'differs'),
  undecidable: label('belirsiz', 'cannot be decided'),
}
const TEXT_COLUMNS = {
  line: label('Satır', 'Row'),
  description: label('Kalem', 'Charge'),
  key: label('Zaman', 'Time'),
  verdict: label('Sonuç', 'Result'),
  cause: label('Neden kodu', 'Cause'),
  reason: label('Neden', 'Reason'),
}
const FIGURES: Readonly<Record<DifferenceField, Labels>> = {
  quantity_kwh: label('Miktar (kWh)', 'Energy (kWh)'),
  unit_price_try_per_kwh: label('Birim fiyat (TL/kWh)', 'Price (TRY/kWh)'),
  amount_try: label('Tutar (TL)', 'Amount (TRY)'),
  rate_pct: label('Oran (%)', 'Rate (%)'),
  vat_rate_pct: label('KDV oranı (%)', 'VAT rate (%)'),
  vat_try: label('KDV (TL)', 'VAT (TRY)'),
  gross_try: label('Vergiler dahil (TL)', 'With taxes (TRY)'),
}
const SIDES = { theirs: label('fatura', 'invoice'), ours: label('hesaplanan', 'calculated') }
const CLAIM = label('Fark (TL)', 'Difference (TRY)')
const PRICES = label('Tarife satırları', 'Tariff rows')

type Cell = string | null

/** The figures that the line states, or that differ. */
function figuresOf(line: StoredLine, field: DifferenceField): { readonly theirs: Cell; readonly ours: Cell } {
  const difference = line.differences.find((each) => each.field === field)
  if (difference) return { theirs: difference.theirs, ours: difference.ours }
  const stated = (line as Readonly<Record<string, unknown>>)[field]
  return { theirs: typeof stated === 'string' ? stated : null, ours: null }
}

const reasonOf = ({ reason }: StoredLine, locale: ReportLocale): string =>
  reason ? textOf(reason, locale) : ''

/** Opens the lines of a stored check as a file. */
export async function openCheckReport(
  row: CheckRow,
  { report }: StoredCheck,
  { query, now }: { readonly query: CheckReportQuery; readonly now: number },
) {
  const { format, locale, headers } = query
  const isNames = headers === 'names'
  const titleOf = (name: string, labels: Labels) => (isNames ? name : labels[locale])
  const word = ({ verdict }: StoredLine) =>
    isNames ? verdict : (VERDICT_WORDS[verdict]?.[locale] ?? verdict)
  const file: Report = {
    title: TITLE[locale],
    fileName: `netsaat-invoice-check-${row.billing_period.slice(0, 7)}-${row.id}`,
    columns: [
      ...Object.entries(TEXT_COLUMNS).map(([name, labels]) => ({
        title: titleOf(name, labels),
        kind: name === 'line' ? ('number' as const) : ('text' as const),
      })),
      ...DIFFERENCE_FIELDS.flatMap((field) =>
        (['theirs', 'ours'] as const).map((side) => ({
          title: isNames ? `${side}_${field}` : `${FIGURES[field][locale]}, ${SIDES[side][locale]}`,
          kind: 'number' as const,
        })),
      ),
      { title: titleOf('claim_try', CLAIM), kind: 'number' },
      { title: titleOf('tariff_price_ids', PRICES), kind: 'text' },
    ],
    portions: [
      report.lines.map((line) => [
        ...[String(line.line), line.description, line.key, word(line), line.cause, reasonOf(line, locale)],
        ...DIFFERENCE_FIELDS.flatMap((field) => {
          const { theirs, ours } = figuresOf(line, field)
          return [theirs, ours]
        }),
        line.claim_try,
        [...line.our_prices, ...(line.their_price ? [line.their_price] : [])]
          .map(({ tariff_price_id }) => tariff_price_id)
          .join(' '),
      ]),
    ],
    printed: async () =>
      makePrinted({
        lines: [
          `${row.group_name}, ${row.billing_period.slice(0, 7)}`,
          `${row.file_name}, SHA-256 ${row.file_sha256}`,
          `${CLAIM[locale]}: ${printedDecimal(row.claim_try, locale)}`,
        ],
        columns: [
          { title: TEXT_COLUMNS.line[locale], width: 0.8, isNumber: true },
          { title: TEXT_COLUMNS.description[locale], width: 2.4 },
          { title: TEXT_COLUMNS.key[locale], width: 1.6 },
          { title: TEXT_COLUMNS.verdict[locale], width: 1.2 },
          { title: TEXT_COLUMNS.reason[locale], width: 3.4 },
          { title: CLAIM[locale], width: 1.6, isNumber: true },
        ],
        rows: report.lines.map((line) => [
          ...[String(line.line), line.description ?? '–', line.key, word(line), reasonOf(line, locale)],
          printedDecimal(line.claim_try, locale),
        ]),
        notes: [],
      }),
  }
  return { fileName: file.fileName, content: await openReport(file, { format, locale, at: now }) }
}

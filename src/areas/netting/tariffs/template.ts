import { buffer } from 'node:stream/consumers'
import { csvStream, type OutColumn, type OutRow, writeXlsx } from '../../../platform/tables/index.ts'
import { HEADERS, type Header } from './import-columns.ts'

export const TEMPLATE_FORMATS = ['csv', 'xlsx'] as const
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number]

const KINDS: Partial<Record<Header, Pick<OutColumn, 'kind' | 'decimals'>>> = {
  valid_from: { kind: 'date' },
  valid_to: { kind: 'date' },
  billing_period: { kind: 'date' },
  price: { kind: 'number', decimals: 6 },
  step_no: { kind: 'number', decimals: 0 },
}
const columns: readonly OutColumn[] = HEADERS.map((title) => ({
  title,
  width: Math.max(12, title.length + 2),
  ...(KINDS[title] ?? { kind: 'text' }),
}))

/**
 * Example rows from the tariff table of April 2026 (EPDK 14461), one for each way of filling the columns.
 * They are valid input of the import.
 */
const examples: readonly Partial<Record<Header, string | number>>[] = [
  {
    abone_grubu: 'sanayi',
    price_purpose: 'mahsuplasma_related_tariff',
    price: '2.909687',
    gerilim_seviyesi: 'OG',
    time_segment: 'tek',
  },
  {
    abone_grubu: 'mesken',
    price_purpose: 'mahsuplasma_related_tariff',
    price: '1.895808',
    gerilim_seviyesi: 'AG',
    time_segment: 'tek',
    step_no: 2,
  },
  {
    abone_grubu: 'sanayi',
    price_purpose: 'customer_bill_active_energy',
    price: '5.157441',
    gerilim_seviyesi: 'AG',
    time_segment: 'puant',
    valid_to: '2026-06-30',
  },
  {
    abone_grubu: 'other',
    price_purpose: 'system_usage',
    price: '2.081065',
    tariff_code: 'LU1',
    tariff_class: 'lisanssiz_uretici_1',
    step_no: 1,
  },
]
const rowsOf = (billingPeriod: string): readonly OutRow[] =>
  examples.map((example) => {
    const cells: Partial<Record<Header, string | number>> = {
      valid_from: '2026-04-04',
      billing_period: billingPeriod,
      unit: 'TRY/kWh',
      source_note: 'EPDK 14461 (RG 2026-04-04)',
      ...example,
    }
    return HEADERS.map((header) => cells[header] ?? null)
  })

const EXAMPLE_PERIOD = '2026-06-01'

/**
 * A file with all headers in order and the example rows; a set of its month can import it unchanged. `at`: epoch
 * milliseconds.
 */
export const makeTemplate = (
  format: TemplateFormat,
  at: number,
  billingPeriod = EXAMPLE_PERIOD,
): Promise<Buffer> => {
  const rows = rowsOf(billingPeriod)
  return format === 'xlsx'
    ? writeXlsx({ columns, rows }, { sheetName: 'Fiyatlar', at })
    : buffer(csvStream({ columns, portions: [rows] }, { locale: 'en' }))
}

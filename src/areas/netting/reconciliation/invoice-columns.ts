import type { Cell } from '../../../platform/tables/index.ts'
import { assignColumns, type MappedColumns } from './mapped-columns.ts'

/** The columns of an invoice: one charge in a row. */
export const INVOICE_COLUMNS = [
  'item',
  'quantity',
  'unit',
  'unit_price',
  'amount',
  'rate',
  'base',
  'vat_rate',
  'vat',
  'gross',
  'step',
  'period',
  'date',
  'hour',
  'facility',
] as const
export type InvoiceColumn = (typeof INVOICE_COLUMNS)[number]

/** Headers of invoices, normalized by `plain`. docs/understand/netting/invoice-check.md lists them. */
const ALIASES: Readonly<Record<InvoiceColumn, readonly string[]>> = {
  item: [
    'item',
    'kalem',
    'aciklama',
    'hizmet',
    'mal hizmet',
    'mal hizmet cinsi',
    'urun hizmet',
    'tanim',
    'description',
    'charge',
  ],
  quantity: ['quantity', 'quantity kwh', 'miktar', 'miktar kwh', 'enerji', 'enerji kwh'],
  unit: ['unit', 'birim'],
  unit_price: [
    'unit price',
    'birim fiyat',
    'birim fiyati',
    'birim fiyat try',
    'birim fiyat try kwh',
    'birim bedel',
    'fiyat',
  ],
  amount: [
    'amount',
    'amount try',
    'tutar',
    'tutar try',
    'net tutar',
    'net tutar try',
    'mal hizmet tutari',
    'bedel',
    'bedel try',
  ],
  rate: ['rate', 'oran'],
  base: ['base', 'matrah', 'matrah try'],
  vat_rate: ['vat rate', 'kdv', 'kdv orani'],
  vat: ['vat', 'kdv tutari', 'kdv tutari try', 'kdv try', 'vat amount'],
  gross: [
    'gross',
    'toplam tutar',
    'toplam tutar try',
    'kdv dahil',
    'kdv dahil tutar',
    'vergiler dahil tutar',
  ],
  step: ['step', 'kademe'],
  period: ['period', 'donem', 'fatura donemi'],
  date: ['date', 'tarih', 'gun'],
  hour: ['hour', 'saat'],
  facility: ['facility', 'tesis', 'tesis adi', 'tesisat'],
}
/** Known headers by the normalized text. */
export const INVOICE_HEADERS: ReadonlyMap<string, InvoiceColumn> = new Map(
  INVOICE_COLUMNS.flatMap((column) => ALIASES[column].map((alias) => [alias, column] as const)),
)
const isInvoiceColumn = (name: string | null): name is InvoiceColumn =>
  (INVOICE_COLUMNS as readonly (string | null)[]).includes(name)

export interface InvoiceHeader {
  readonly columns: ReadonlyMap<number, InvoiceColumn>
  readonly names: readonly string[]
  readonly ignored: readonly string[]
}

/** Reads the cells of a row as the header of an invoice; undefined where it names no charge with a figure. */
export function readInvoiceHeader(cells: readonly Cell[], mapped: MappedColumns): InvoiceHeader | undefined {
  const known = (header: string) => INVOICE_HEADERS.get(header)
  const { columns, ignored, repeated } = assignColumns(cells, { mapped, known, isColumn: isInvoiceColumn })
  const has = (...wanted: InvoiceColumn[]) => [...columns.values()].some((column) => wanted.includes(column))
  if (!has('item') || !has('quantity', 'unit_price', 'amount')) return undefined
  return {
    columns,
    ignored: [...ignored, ...repeated.map(({ header }) => header)],
    names: cells.map((cell) => (cell.kind === 'text' ? cell.text : '')),
  }
}

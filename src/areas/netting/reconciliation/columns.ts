import type { AmountType } from '../../../core/netting/types.ts'
import { type Cell, plain } from '../../../platform/tables/index.ts'
import { assignColumns, type MappedColumns } from './mapped-columns.ts'

export const KWH_FIELDS = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'surplus_kwh',
  'net_import_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
] as const
export const TRY_FIELDS = ['matched_try', 'bedelli_try', 'skb_try', 'sktt_try', 'mesken_try'] as const

export type KwhField = (typeof KWH_FIELDS)[number]
export type TryField = (typeof TRY_FIELDS)[number]
/** A figure that can be compared. */
export type Field = KwhField | TryField

/** The amounts that a column of money is compared with. */
export const AMOUNT_TYPE_OF: Readonly<Record<TryField, AmountType>> = {
  matched_try: 'supplier_payment_for_matched_consumption',
  bedelli_try: 'producer_payment_for_bedelli_surplus',
  skb_try: 'system_usage_fee_for_skb',
  sktt_try: 'sktt_matched_consumption',
  mesken_try: 'mesken_monthly_amount',
}

export const isMoney = (field: Field): field is TryField => (TRY_FIELDS as readonly string[]).includes(field)

const LABELS = ['period', 'date', 'hour', 'facility', 'amount_type', 'amount_try'] as const
type Label = (typeof LABELS)[number]
export type Column = Label | Field

/**
 * Headers of invoices and reports, normalized by `plain`. docs/understand/netting/reconcile.md lists them.
 */
const ALIASES: Readonly<Record<Column, readonly string[]>> = {
  period: ['period', 'billing period', 'donem', 'fatura donemi', 'uzlastirma donemi', 'ay'],
  date: ['date', 'tarih', 'gun'],
  hour: ['hour', 'saat'],
  facility: ['facility', 'facility id', 'tesis', 'tesis adi', 'tesisat'],
  amount_type: ['amount type', 'tutar turu', 'tutar tipi'],
  amount_try: ['amount try', 'amount', 'tutar', 'tutar try', 'bedel', 'bedel try'],
  production_kwh: ['production', 'uretim', 'veris', 'uretilen enerji', 'uretim miktari'],
  consumption_kwh: ['consumption', 'tuketim', 'cekis', 'tuketilen enerji', 'tuketim miktari'],
  matched_kwh: ['matched', 'mahsuplasan', 'mahsuplasan tuketim', 'mahsuplasan enerji', 'mahsup edilen'],
  surplus_kwh: ['surplus', 'ihtiyac fazlasi', 'ihtiyac fazlasi enerji'],
  net_import_kwh: ['net import', 'net cekis', 'net tuketim', 'sebekeden cekis'],
  bedelli_kwh: ['bedelli', 'bedelli ihtiyac fazlasi', 'bedelli enerji'],
  skb_kwh: ['skb', 'skb odemeli', 'skb odemeli ihtiyac fazlasi', 'limit ustu'],
  bedelsiz_kwh: ['bedelsiz', 'bedelsiz katki', 'yekdem bedelsiz katki', 'yekdem e bedelsiz katki'],
  matched_try: ['matched try', 'mahsuplasan try', 'mahsuplasan tutar', 'mahsuplasan bedel'],
  bedelli_try: ['bedelli try', 'bedelli tutar', 'uretici odemesi', 'ihtiyac fazlasi bedeli'],
  skb_try: ['skb try', 'skb tutar', 'sistem kullanim bedeli'],
  sktt_try: ['sktt try', 'sktt tutar'],
  mesken_try: ['mesken try', 'mesken tutar'],
}

const COLUMN_OF = new Map<string, Column>(
  (Object.keys(ALIASES) as Column[]).flatMap((column) =>
    ALIASES[column].flatMap((alias) => [
      [alias, column] as const,
      ...(column.endsWith('_kwh') ? [[`${alias} kwh`, column] as const] : []),
      ...(column.endsWith('_try')
        ? [[alias.endsWith(' try') ? alias : `${alias} try`, column] as const]
        : []),
    ]),
  ),
)

export interface Header {
  /** The column by the index of its cell. */
  readonly columns: ReadonlyMap<number, Column>
  /** Unknown headers. */
  readonly ignored: readonly string[]
  readonly repeated: readonly Column[]
}

/** The columns of a table of figures. */
export const FIGURE_COLUMNS = Object.keys(ALIASES) as Column[]
const isColumn = (name: string): name is Column => name in ALIASES
/** Known headers by the normalized text. */
export const FIGURE_HEADERS: ReadonlyMap<string, Column> = COLUMN_OF

/** Reads the cells of a row as headers; undefined where none of them is a figure. */
export function readHeader(cells: readonly Cell[], mapped: MappedColumns): Header | undefined {
  const known = (header: string) => COLUMN_OF.get(header)
  const { columns, ignored, repeated } = assignColumns(cells, { mapped, known, isColumn })
  const hasFigure = [...columns.values()].some((column) => column.endsWith('_kwh') || column.endsWith('_try'))
  return hasFigure ? { columns, ignored, repeated: repeated.map(({ column }) => column) } : undefined
}

/** The money column of an amount type, by its wire name or by a header of the column. */
export function fieldOfAmountType(text: string): TryField | undefined {
  const label = plain(text)
  return TRY_FIELDS.find((field) => {
    const ownLabel = plain(field.replace('_try', '').replaceAll('_', ' '))
    return label === ownLabel || label === plain(AMOUNT_TYPE_OF[field]) || COLUMN_OF.get(label) === field
  })
}

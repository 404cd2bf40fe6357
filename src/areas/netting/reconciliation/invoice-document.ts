import type { InvoiceLine } from '../../../core/netting/invoice/types.ts'
import type { DecimalMark } from '../../../platform/tables/index.ts'
import type { Label } from '../shared/index.ts'
import type { BadCell, Figure } from './parse.ts'

export const FILE_FORMATS = ['table', 'invoice_table', 'e_fatura', 'pdf'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** What an invoice states about itself; null: not stated. Dates are YYYY-MM-DD. */
export interface InvoiceHead {
  readonly number: string | null
  readonly issue_date: string | null
  readonly due_date: string | null
  readonly supplier: string | null
  readonly supplier_tax_id: string | null
}
export const NO_HEAD: InvoiceHead = {
  number: null,
  issue_date: null,
  due_date: null,
  supplier: null,
  supplier_tax_id: null,
}

/** The content of a file of any format. */
export interface InvoiceFile {
  readonly format: FileFormat
  readonly head: InvoiceHead
  readonly lines: readonly InvoiceLine[]
  /** The same as figures by kind and time. */
  readonly figures: readonly Figure[]
  readonly badCells: readonly BadCell[]
  /** Names of the recognized columns, by the headers of the file. */
  readonly columns: Readonly<Record<string, string>>
  readonly ignoredColumns: readonly string[]
  readonly decimalMark: DecimalMark
  readonly label: Label
  readonly rowCount: number
}

import { type Static, Type } from 'typebox'
import { LINE_KINDS } from '../../../core/netting/invoice/types.ts'
import { described, Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { LABELS } from '../shared/index.ts'
import { FIGURE_COLUMNS } from './columns.ts'
import { INVOICE_COLUMNS } from './invoice-columns.ts'
import {
  MAPPING_ENTRIES_MAX,
  MAPPING_LAYOUT_LENGTH_MAX,
  MAPPING_TEXT_LENGTH_MAX,
  SUPPLIER_LENGTH_MAX,
} from './limits.ts'

/** What a column of a table, or an element of an e-Fatura, can be taken for. */
const MAPPED_COLUMNS = [...new Set<string>([...INVOICE_COLUMNS, ...FIGURE_COLUMNS])]

const Columns = Type.Array(
  Type.Object({
    source: described(Text(MAPPING_TEXT_LENGTH_MAX), 'Header, or path of the element below its line.'),
    column: Nullable(described(OneOf(MAPPED_COLUMNS), 'Its meaning; null: not used.')),
  }),
  { maxItems: MAPPING_ENTRIES_MAX, description: 'Corrected columns and elements.' },
)
const Lines = Type.Array(
  Type.Object({
    text: described(Text(MAPPING_TEXT_LENGTH_MAX), 'Text of the line.'),
    kind: Nullable(described(OneOf(LINE_KINDS), 'Its charge; null: none that is calculated.')),
  }),
  { maxItems: MAPPING_ENTRIES_MAX, description: 'Corrected charges of lines.' },
)
const FIELDS = {
  supplier: described(
    Text(SUPPLIER_LENGTH_MAX),
    'Tax number or name of the supplier; case and Turkish letters do not count.',
  ),
  layout: described(Text(MAPPING_LAYOUT_LENGTH_MAX), '`layout` of a preview or check.'),
  columns: Columns,
  lines: Lines,
}
const label = Nullable(described(OneOf(LABELS), 'End of the hour that its label names; null: by the file.'))

const LabelOut = Nullable(described(Word(LABELS), 'End of the hour that its label names.'))

export const SaveMapping = Type.Object(
  { ...FIELDS, label: Type.Optional(label) },
  { title: 'SaveInvoiceMapping' },
)
export const Mapping = Type.Object(
  {
    id: Id,
    ...FIELDS,
    label: LabelOut,
    updated_at: described(Instant, 'Time of the last change.'),
    updated_by: described(Id, 'User who made it.'),
  },
  { title: 'InvoiceMapping' },
)
export const MappingsQuery = Type.Object({ search: Search('supplier'), ...ListQuery() })
export type SaveMapping = Static<typeof SaveMapping>

import { type Static, Type } from 'typebox'
import { type BillingPeriod, parsePeriod } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import * as fields from '../../../platform/http/fields.ts'
import { ColumnsFault, refusingUnreadable } from '../shared/index.ts'
import { Reading } from './fields-schema.ts'
import { openInvoiceFile } from './invoice-file.ts'
import { InvoiceHead } from './invoice-schema.ts'
import { PREVIEW_COLUMNS_MAX, PREVIEW_ROWS_MAX } from './limits.ts'
import { columnsOf, findMapping, linesOf } from './mapping-service.ts'
import { SupplierQuery } from './schema.ts'
import { FILE_LIMITS, readingOf, suppliersOf } from './service.ts'

export const PreviewQuery = Type.Object({
  billing_period: fields.described(fields.BillingPeriod, 'Month; any date of it is truncated.'),
  supplier: SupplierQuery,
})
export type PreviewQuery = Static<typeof PreviewQuery>

export const InvoicePreview = Type.Object(
  {
    kind: fields.described(fields.Word(['table', 'e_fatura', 'pdf']), 'Kind of the file.'),
    is_readable: Type.Boolean({
      description: 'A charge or figure was recognized; false: correct the columns first.',
    }),
    invoice: InvoiceHead,
    reading: Reading,
    rows: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Row of the sheet, or line of the file.' }),
        cells: Type.Array(Type.String(), { description: 'Its cells.' }),
      }),
      { description: `First rows of a table, at most ${PREVIEW_ROWS_MAX}.` },
    ),
  },
  { title: 'InvoicePreview' },
)

/**
 * Shows how a file would be read, for the correction of its fields. A file whose columns are unknown is shown as well;
 * throws 413 and 422 as a check for one that cannot be read at all.
 */
export async function previewFile(
  tenant: TenantDb,
  { query, bytes }: { readonly query: PreviewQuery; readonly bytes: Buffer },
): Promise<Static<typeof InvoicePreview>> {
  const billingPeriod = parsePeriod(query.billing_period) ?? query.billing_period
  const opened = await refusingUnreadable(() => openInvoiceFile(bytes, FILE_LIMITS))
  const mapping = await findMapping(tenant, suppliersOf(query.supplier ?? null, opened.head), opened.layout)
  const [columns, lines] = [columnsOf(mapping), linesOf(mapping)]
  const label = mapping?.corrections.label ?? undefined
  const read = (period: BillingPeriod) => {
    try {
      return opened.read({ billingPeriod: period, label, columns, lines })
    } catch (error) {
      if (error instanceof ColumnsFault) return undefined
      throw error
    }
  }
  const file = await refusingUnreadable(async () => read(billingPeriod))
  return {
    kind: opened.kind,
    is_readable: file !== undefined,
    invoice: opened.head,
    reading: readingOf(opened, file, mapping),
    rows: opened
      .sampleRows(PREVIEW_ROWS_MAX)
      .map(({ row, cells }) => ({ row, cells: cells.slice(0, PREVIEW_COLUMNS_MAX) })),
  }
}

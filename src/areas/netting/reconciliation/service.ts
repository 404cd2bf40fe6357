import {
  decimalText,
  formatKwh,
  formatTry,
  type Kwh,
  parseKwh,
  parseTry,
  type Try,
} from '../../../kernel/decimal.ts'
import { found } from '../../../kernel/errors.ts'
import { type Language, textOf } from '../../../kernel/messages.ts'
import { type BillingPeriod, parsePeriod } from '../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import { findGroup } from '../calculation/index.ts'
import {
  RECONCILE_CELL_LENGTH_MAX,
  RECONCILE_COLUMNS_MAX,
  RECONCILE_ENTRIES_MAX,
  RECONCILE_OTHER_ROWS_MAX,
  RECONCILE_REPORTED_MAX,
  RECONCILE_ROWS_MAX,
  RECONCILE_UNPACKED_BYTES_MAX,
} from '../limits.ts'
import { refusingUnreadable } from '../shared/index.ts'
import { type CalculatedFigures, readCalculatedFigures } from './calculated-figures.ts'
import { compareFigures } from './compare.ts'
import { findHints } from './hints.ts'
import type { InvoiceFile } from './invoice-document.ts'
import { readInvoiceFile } from './invoice-file.ts'
import { invoiceFields, withReason } from './invoice-response.ts'
import { readOwnResults } from './own-results.ts'
import type { ReconcileQuery, Reconciliation } from './schema.ts'
import type { Tolerance } from './tolerance.ts'

const LIMITS = {
  rowsMax: RECONCILE_ROWS_MAX + RECONCILE_OTHER_ROWS_MAX,
  columnsMax: RECONCILE_COLUMNS_MAX,
  cellLengthMax: RECONCILE_CELL_LENGTH_MAX,
  unpackedBytesMax: RECONCILE_UNPACKED_BYTES_MAX,
  entriesMax: RECONCILE_ENTRIES_MAX,
}

export interface ReconcileRequest {
  readonly groupId: string
  readonly query: ReconcileQuery
  readonly bytes: Buffer
  /** Of the texts of the response. */
  readonly language: Language
}

interface ClassifiedFile {
  readonly billingPeriod: BillingPeriod
  readonly group: { readonly id: string; readonly name: string }
  readonly file: InvoiceFile
  readonly calculated: CalculatedFigures
  readonly invoice: ReturnType<typeof invoiceFields>
  readonly tolerance: Tolerance
}

/** Reads a file and classifies its lines. Throws 404 for an unknown group, then 413 and 422 for the file. */
export async function classifyFile(
  tenant: TenantDb,
  { groupId, query, bytes }: Omit<ReconcileRequest, 'language'>,
): Promise<ClassifiedFile> {
  const billingPeriod = parsePeriod(query.billing_period) ?? query.billing_period
  const group = found('group', await findGroup(tenant, groupId))
  const options = { billingPeriod, label: query.label, columns: new Map(), lines: new Map() }
  const file = await refusingUnreadable(() => readInvoiceFile(bytes, LIMITS, options))
  const [calculated, results] = await inTenantSnapshot(tenant, async (snapshot) => [
    await readCalculatedFigures(snapshot, groupId, billingPeriod),
    await readOwnResults(snapshot, groupId, billingPeriod),
  ])
  const kwh = parseKwh(decimalText(query.tolerance_kwh ?? '0.001'))
  const lira = parseTry(decimalText(query.tolerance_try ?? '0.01'))
  const tolerance = { kwh, lira }
  const invoice = invoiceFields(file, results, tolerance)
  return { billingPeriod, group, file, calculated, invoice, tolerance }
}

/** Compares a file with the current results of a period. Throws as `classifyFile`. It only reads. */
export async function reconcile(tenant: TenantDb, request: ReconcileRequest): Promise<Reconciliation> {
  const { groupId, language } = request
  const { billingPeriod, file, calculated, invoice, tolerance } = await classifyFile(tenant, request)
  const { badCells, ...compared } = compareFigures(file.figures, calculated, tolerance)
  const hints = findHints(file.figures, calculated, tolerance, file.label)
  const headers = new Map(Object.entries(file.columns).map(([header, column]) => [column as string, header]))
  const bad = [
    ...file.badCells,
    ...badCells.map(({ column = '', ...rest }) => ({ ...rest, column: headers.get(column) ?? column })),
  ].map(({ row, column, content }) => ({ row, column: column ?? null, message: textOf(content, language) }))
  const lists = { ...compared, bad_rows: bad.sort((a, b) => a.row - b.row) }
  return {
    group_id: groupId,
    billing_period: billingPeriod,
    rows_read: file.rowCount,
    ...lists,
    rows: lists.rows.slice(0, RECONCILE_REPORTED_MAX),
    missing_theirs: lists.missing_theirs.slice(0, RECONCILE_REPORTED_MAX),
    missing_ours: lists.missing_ours.slice(0, RECONCILE_REPORTED_MAX),
    bad_rows: lists.bad_rows.slice(0, RECONCILE_REPORTED_MAX),
    counts: {
      rows: lists.rows.length,
      missing_theirs: lists.missing_theirs.length,
      missing_ours: lists.missing_ours.length,
      bad_rows: lists.bad_rows.length,
    },
    hints: hints.map(({ code, parameters, content }) => ({
      code,
      parameters: { ...parameters },
      message: textOf(content, language),
    })),
    label: file.label,
    tolerance_kwh: formatKwh(tolerance.kwh as Kwh),
    tolerance_try: formatTry(tolerance.lira as Try),
    columns: file.columns,
    ignored_columns: [...file.ignoredColumns],
    decimal_mark: file.decimalMark,
    ...invoice,
    lines: invoice.lines.map((line) => withReason(line, language)),
  }
}

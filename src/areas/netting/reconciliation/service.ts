import { createHash } from 'node:crypto'
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
import { plain } from '../../../platform/tables/index.ts'
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
import { type OpenedInvoice, openInvoiceFile } from './invoice-file.ts'
import { invoiceFields, withReason } from './invoice-response.ts'
import { LINE_TEXTS_MAX } from './limits.ts'
import type { MappedLines } from './line-kinds.ts'
import { columnsOf, findMapping, linesOf } from './mapping-service.ts'
import { type ProvenResults, readOwnResults } from './own-results.ts'
import type { ReconcileQuery, Reconciliation } from './schema.ts'
import type { AppliedMapping, CheckSettings, StoredReport } from './stored-check.ts'
import type { Tolerance } from './tolerance.ts'

export const FILE_LIMITS = {
  rowsMax: RECONCILE_ROWS_MAX + RECONCILE_OTHER_ROWS_MAX,
  columnsMax: RECONCILE_COLUMNS_MAX,
  cellLengthMax: RECONCILE_CELL_LENGTH_MAX,
  unpackedBytesMax: RECONCILE_UNPACKED_BYTES_MAX,
  entriesMax: RECONCILE_ENTRIES_MAX,
  encodings: 'turkish' as const,
}

export const settingsOf = (query: ReconcileQuery): CheckSettings => ({
  label: query.label ?? null,
  toleranceKwh: decimalText(query.tolerance_kwh ?? '0.001'),
  toleranceTry: decimalText(query.tolerance_try ?? '0.01'),
  supplier: query.supplier ?? null,
})

export const periodOfQuery = (query: ReconcileQuery): BillingPeriod =>
  parsePeriod(query.billing_period) ?? query.billing_period

export interface ReportRequest {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly settings: CheckSettings
  readonly bytes: Buffer
}

export interface CheckedFile {
  readonly group: { readonly id: string; readonly name: string }
  readonly report: StoredReport
  /** The corrections with which the file was read. */
  readonly mapping: AppliedMapping | null
  readonly supplier: string | null
  readonly fileHash: string
  /** SHA-256 of the file, of how it is read, and of the inputs of the runs. */
  readonly inputHash: string
}

/** Reads a file and classifies its lines. Throws 404 for an unknown group, then 413 and 422 for the file. */
export async function checkFile(tenant: TenantDb, request: ReportRequest): Promise<CheckedFile> {
  const { groupId, billingPeriod, settings, bytes } = request
  const group = found('group', await findGroup(tenant, groupId))
  const opened = await refusingUnreadable(() => openInvoiceFile(bytes, FILE_LIMITS))
  const suppliers = suppliersOf(settings.supplier, opened.head)
  const mapping = await findMapping(tenant, suppliers, opened.layout)
  const [columns, lines] = [columnsOf(mapping), linesOf(mapping)]
  const label = settings.label ?? mapping?.corrections.label ?? undefined
  const file = await refusingUnreadable(async () => opened.read({ billingPeriod, label, columns, lines }))
  const [calculated, results] = await inTenantSnapshot(tenant, async (snapshot) => [
    await readCalculatedFigures(snapshot, groupId, billingPeriod),
    await readOwnResults(snapshot, groupId, billingPeriod),
  ])
  const context = { calculated, results, reading: readingOf(opened, file, mapping) }
  const fileHash = createHash('sha256').update(bytes).digest('hex')
  return {
    group,
    report: reportOf(file, { ...context, groupId, billingPeriod, settings }),
    mapping,
    supplier: suppliers[0] ?? null,
    fileHash,
    inputHash: hashOf({
      ...{ file: fileHash, groupId, billingPeriod, settings, corrections: mapping?.corrections ?? null },
      runs: results.runs.map(({ inputHash, engineVersion }) => [inputHash, engineVersion]),
    }),
  }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The names under which a supplier can have a mapping, the surest first. */
export const suppliersOf = (
  stated: string | null,
  { supplier, supplier_tax_id }: InvoiceFile['head'],
): string[] => [stated, supplier_tax_id, supplier].filter((name) => name !== null)

interface ReportContext {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly settings: CheckSettings
  readonly calculated: CalculatedFigures
  readonly results: ProvenResults
  readonly reading: Reconciliation['reading']
}

function reportOf(file: InvoiceFile, context: ReportContext): StoredReport {
  const { groupId, billingPeriod, settings, calculated, results } = context
  const tolerance: Tolerance = {
    kwh: parseKwh(settings.toleranceKwh),
    lira: parseTry(settings.toleranceTry),
  }
  const { badCells, ...compared } = compareFigures(file.figures, calculated, tolerance)
  const headers = new Map(Object.entries(file.columns).map(([header, column]) => [column as string, header]))
  const badRows = [
    ...file.badCells,
    ...badCells.map(({ column = '', ...rest }) => ({ ...rest, column: headers.get(column) ?? column })),
  ].map(({ row, column, content }) => ({ row, column: column ?? null, content }))
  const lists = { ...compared, bad_rows: badRows.sort((a, b) => a.row - b.row) }
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
    hints: findHints(file.figures, calculated, tolerance, file.label).map(
      ({ code, parameters, content }) => ({
        ...{ code, parameters: { ...parameters }, content },
      }),
    ),
    label: file.label,
    tolerance_kwh: formatKwh(tolerance.kwh as Kwh),
    tolerance_try: formatTry(tolerance.lira as Try),
    columns: file.columns,
    ignored_columns: [...file.ignoredColumns],
    decimal_mark: file.decimalMark,
    ...invoiceFields(file, results, tolerance),
    reading: context.reading,
  }
}

/** How a file was read; undefined: it could not be read. */
export function readingOf(
  opened: OpenedInvoice,
  file: InvoiceFile | undefined,
  mapping: AppliedMapping | null,
): Reconciliation['reading'] {
  return {
    layout: opened.layout,
    mapping: mapping && { id: mapping.id, supplier: mapping.supplier, matched_by: mapping.matchedBy },
    fields: opened.sources(columnsOf(mapping)).map((field) => ({ ...field, values: [...field.values] })),
    line_texts: file ? lineTextsOf(file, linesOf(mapping)) : [],
  }
}

/** The texts of the lines with the charges that they are taken for. */
function lineTextsOf({ lines }: InvoiceFile, mapped: MappedLines) {
  const texts = new Map<string, Reconciliation['reading']['line_texts'][number]>()
  for (const { description, kind } of lines) {
    if (description === null || texts.size >= LINE_TEXTS_MAX) continue
    const key = plain(description)
    const before = texts.get(key)
    if (before) texts.set(key, { ...before, count: before.count + 1 })
    else {
      const certainty = mapped.has(key) ? 'corrected' : kind === null ? 'unknown' : 'known'
      texts.set(key, { text: description.slice(0, 500), kind, certainty, count: 1 })
    }
  }
  return [...texts.values()]
}

/** The report in the language of its reader. */
export const reportResponse = (report: StoredReport, language: Language): Reconciliation => ({
  ...report,
  lines: report.lines.map((line) => withReason(line, language)),
  bad_rows: report.bad_rows.map(({ row, column, content }) => ({
    ...{ row, column, message: textOf(content, language) },
  })),
  hints: report.hints.map(({ code, parameters, content }) => ({
    ...{ code, parameters, message: textOf(content, language) },
  })),
})

/** Compares a file with the current results of a period. Throws as `checkFile`. It only reads. */
export async function reconcile(
  tenant: TenantDb,
  { language, ...request }: ReportRequest & { readonly language: Language },
): Promise<Reconciliation> {
  return reportResponse((await checkFile(tenant, request)).report, language)
}

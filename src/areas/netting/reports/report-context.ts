import { formatKwh, formatTry, type Kwh, parseKwh, parseTry, type Try } from '../../../kernel/decimal.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { makePrinted, type PrintedColumn } from '../../../platform/reports/printed.ts'
import type { PrintedTable, ReportLocale } from '../../../platform/reports/report.ts'
import type { OutColumn } from '../../../platform/tables/index.ts'
import { type ColumnName, type Labels, type ReportKind, SENTENCES, TITLES, type Words } from './labels.ts'

/** What every report of a group needs. */
export interface ReportContext {
  readonly tenant: TenantDb
  readonly group: { readonly id: string; readonly name: string }
  readonly billingPeriod: BillingPeriod
  /** The current runs of the period, in time order. */
  readonly runIds: readonly string[]
  readonly locale: ReportLocale
  readonly words: Words
}

const KINDS_OF_COLUMNS: Readonly<Partial<Record<ColumnName, OutColumn['kind']>>> = {
  hour: 'instant',
  booked_at: 'instant',
  step_no: 'number',
  unit_price_try_per_kwh: 'number',
  amount_try: 'number',
  billing_period: 'date',
}

/** The columns of a file; energies and amounts are numbers. */
export const columnsOf = ({ words }: ReportContext, names: readonly ColumnName[]): OutColumn[] =>
  names.map((name) => ({
    title: words.title(name),
    kind: KINDS_OF_COLUMNS[name] ?? (name.endsWith('_kwh') ? 'number' : 'text'),
    ...(name === 'facility' || name === 'producer' ? { width: 28 } : {}),
  }))

/** Title and file name. The name contains the id of the group, because its name may contain any character. */
export const headOf = ({ group, billingPeriod, locale }: ReportContext, kind: ReportKind) => ({
  title: TITLES[kind][locale],
  fileName: `netsaat-${kind.replace('_', '-')}-${billingPeriod.slice(0, 7)}-${group.id}`,
})

/** The table of the PDF of a group's report. */
export const printedTable = (
  { group, billingPeriod, locale }: ReportContext,
  columns: readonly PrintedColumn[],
  rows: readonly (readonly string[])[],
  notes: readonly Labels[],
): PrintedTable =>
  makePrinted({
    lines: [
      `${SENTENCES.group[locale]}: ${group.name}`,
      `${SENTENCES.period[locale]}: ${billingPeriod.slice(0, 7)}`,
    ],
    columns,
    rows,
    notes: notes.map((note) => note[locale]),
  })

/** A sum of decimal texts; null while no value is known. */
export class KwhSum {
  private sum: Kwh | null = null
  add(text: string | null): void {
    if (text !== null) this.sum = ((this.sum ?? 0n) + parseKwh(text)) as Kwh
  }
  text(): string | null {
    return this.sum === null ? null : formatKwh(this.sum)
  }
}

/** The same for amounts. */
export class TrySum {
  private sum: Try | null = null
  add(text: string | null): void {
    if (text !== null) this.sum = ((this.sum ?? 0n) + parseTry(text)) as Try
  }
  text(): string | null {
    return this.sum === null ? null : formatTry(this.sum)
  }
}

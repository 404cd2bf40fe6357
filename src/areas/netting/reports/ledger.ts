import { reasonText } from '../../../platform/db/reason-columns.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import { REPORT_PRINTED_ROWS_MAX } from '../../../platform/reports/limits.ts'
import { printedDecimal } from '../../../platform/reports/printed.ts'
import type { Report } from '../../../platform/reports/report.ts'
import { REPORT_LEDGER_PAGE_ROWS } from '../limits.ts'
import { COLUMNS } from './labels.ts'
import { columnsOf, headOf, printedTable, type ReportContext } from './report-context.ts'
import { type LedgerRow, listMovements } from './store.ts'

const COLUMN_NAMES = [
  'facility',
  'booked_at',
  'movement_type',
  'billing_period',
  'amount_kwh',
  'balance_kwh',
  'reason',
] as const

/** The movements of the consumers' accounts in the year of the period, in pages. */
export function ledgerReport(context: ReportContext): Report {
  const { words, locale } = context
  return {
    ...headOf(context, 'ledger'),
    columns: columnsOf(context, COLUMN_NAMES),
    portions: toRows(),
    async printed() {
      const language = languageOf(locale)
      const rows: string[][] = []
      for await (const page of pages(context)) {
        for (const row of page) {
          rows.push([
            row.facility,
            language.time(row.booked_at.getTime()),
            words.word('movement_type', row.movement_type),
            row.billing_period?.slice(0, 7) ?? '',
            printedDecimal(row.amount_kwh, locale),
            printedDecimal(row.balance_kwh, locale),
            row.reason === null ? '' : reasonText(row.reason, locale),
          ])
        }
        if (rows.length > REPORT_PRINTED_ROWS_MAX) break
      }
      const widths = [2.4, 2, 2, 1.2, 1.6, 1.6, 2.4]
      const columns = COLUMN_NAMES.map((name, index) => ({
        title: COLUMNS[name][locale],
        width: widths[index] ?? 1,
        isNumber: name.endsWith('_kwh'),
      }))
      return printedTable(context, columns, rows, [])
    },
  }

  async function* toRows() {
    for await (const page of pages(context)) {
      yield page.map((row) => [
        row.facility,
        row.booked_at.getTime(),
        words.word('movement_type', row.movement_type),
        row.billing_period,
        row.amount_kwh,
        row.balance_kwh,
        row.reason && reasonText(row.reason, locale),
      ])
    }
  }
}

async function* pages({ tenant, group, billingPeriod }: ReportContext): AsyncGenerator<readonly LedgerRow[]> {
  let after: LedgerRow | undefined
  while (true) {
    const page = await listMovements(
      tenant,
      { groupId: group.id, billingPeriod },
      { after, limit: REPORT_LEDGER_PAGE_ROWS },
    )
    if (page.length > 0) yield page
    if (page.length < REPORT_LEDGER_PAGE_ROWS) return
    after = page.at(-1)
  }
}

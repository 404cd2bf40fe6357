import { unprocessable } from '../../../kernel/errors.ts'
import { printedDecimal } from '../../../platform/reports/printed.ts'
import type { Report } from '../../../platform/reports/report.ts'
import { AMOUNT_TYPES } from '../calculation/index.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import { amountTypeLabel, COLUMNS, type ColumnName, SENTENCES } from './labels.ts'
import { headOf, printedTable, type ReportContext } from './report-context.ts'
import { findSummary, SUMMARY_FIGURES } from './store.ts'

/** A row for each figure of the month. */
export async function summaryReport(context: ReportContext): Promise<Report> {
  const { tenant, group, billingPeriod, words, locale } = context
  const summary = await findSummary(tenant, group.id, billingPeriod)
  if (!summary) throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.MONTH_WITHOUT_SUMMARY())
  const figure = (name: ColumnName, value: string | null): [string, string | null] => [
    words.title(name),
    value,
  ]
  const figures: (readonly [string, string | null])[] = [
    ...SUMMARY_FIGURES.map((name) => figure(name, summary[name])),
    ...AMOUNT_TYPES.map(
      (type) =>
        [
          words.word('amount_type', type) === type ? type : `${amountTypeLabel(type)[locale]} (TL)`,
          summary.amounts_try[type] ?? null,
        ] as const,
    ),
    figure('hours_expected', String(summary.hours_expected)),
    figure('hours_calculated', String(summary.hours_calculated)),
    figure('completeness_pct', summary.completeness_pct),
  ]
  const coded: (readonly [string, string])[] = [
    [words.title('scenario'), words.word('scenario', summary.scenario)],
    [words.title('data_quality'), words.word('data_quality', summary.data_quality)],
  ]
  return {
    ...headOf(context, 'summary'),
    columns: [
      { title: words.title('figure'), kind: 'text', width: 48 },
      { title: words.title('value'), kind: 'number', width: 20 },
    ],
    // A word in a column of numbers is written as text.
    portions: [[...figures, ...coded]],
    async printed() {
      const columns = [
        { title: COLUMNS.figure[locale], width: 3 },
        { title: COLUMNS.value[locale], width: 2, isNumber: true },
      ]
      const rows = [
        ...figures.map(([name, value]) => [name, printedDecimal(value, locale)]),
        ...coded.map((row) => [...row]),
      ]
      return printedTable(context, columns, rows, [SENTENCES.withoutTax, SENTENCES.withoutPrice])
    },
  }
}

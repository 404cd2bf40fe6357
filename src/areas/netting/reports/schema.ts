import { type Static, Type } from 'typebox'
import { BillingPeriod, described, OneOf } from '../../../platform/http/fields.ts'
import { REPORT_FORMATS, REPORT_LOCALES } from '../../../platform/reports/report.ts'
import { REPORT_PRINTED_ROWS_MAX } from '../limits.ts'
import { KINDS } from './labels.ts'

export const ReportQuery = Type.Object({
  kind: described(
    OneOf(KINDS),
    'hours, virtual_meters, amounts: current rows of the period by hour. summary: figures of the period. ' +
      'ledger: movements of the limit accounts of the consumers in the year of the period, with the balance ' +
      'after each. allocation: matched energy of each producer that each consumer used.',
  ),
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
  format: described(
    OneOf(REPORT_FORMATS),
    'csv: UTF-8 with a byte order mark. xlsx: Turkey-local times. pdf: rows by hour are summed by day, amounts ' +
      `by type and facility; at most ${REPORT_PRINTED_ROWS_MAX} rows.`,
  ),
  locale: Type.Unsafe<(typeof REPORT_LOCALES)[number]>({
    ...OneOf(REPORT_LOCALES),
    default: 'tr',
    description: 'Language of the titles. tr: CSV with semicolons and decimal commas. en: commas and points.',
  }),
  headers: Type.Unsafe<'labels' | 'names'>({
    ...OneOf(['labels', 'names']),
    default: 'labels',
    description: 'labels: translated titles and words. names: the names and codes of the API, for programs.',
  }),
})
export type ReportQuery = Static<typeof ReportQuery>

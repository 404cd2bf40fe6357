import { type Static, Type } from 'typebox'
import { BillingPeriod, described, OneOf } from '../../../platform/http/fields.ts'
import { ReportOptionsQuery, type WithLocale } from '../../../platform/http/reports.ts'
import { KINDS } from './labels.ts'

export const ReportQuery = Type.Object({
  kind: described(
    OneOf(KINDS),
    'hours, virtual_meters, amounts: current rows of the period by hour. summary: figures of the period. ' +
      'ledger: movements of the limit accounts of the consumers in the year of the period, with the balance ' +
      'after each. allocation: matched energy of each producer that each ' +
      'consumer used. In a PDF rows by hour are summed by day, and amounts by type and facility.',
  ),
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
  ...ReportOptionsQuery,
})
export type ReportQuery = WithLocale<Static<typeof ReportQuery>>

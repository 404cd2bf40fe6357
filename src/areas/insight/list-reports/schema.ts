import { type Static, Type } from 'typebox'
import { described, OneOf } from '../../../platform/http/fields.ts'
import { ReportOptionsQuery } from '../../../platform/http/reports.ts'
import { LIST_REPORTS } from './lists/index.ts'

export const ListReportParams = Type.Object({
  list: described(OneOf(LIST_REPORTS.map(({ name }) => name)), 'Name of the list.'),
})
export const ListReportQuery = Type.Object(ReportOptionsQuery)
export type ListReportQuery = Static<typeof ListReportQuery>

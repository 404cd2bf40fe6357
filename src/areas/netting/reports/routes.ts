import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { ReportQuery } from './schema.ts'
import { openGroupReport } from './service.ts'

export function reportRoutes(app: App): void {
  app.get(
    '/groups/:id/report',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting reports'],
        operationId: 'getGroupReport',
        summary: 'Download the current results of a period as CSV, XLSX or PDF, in Turkish or English',
        description:
          'The rows are read while the file is written. 404 for an unknown group; 422 ' +
          'BUSINESS_RULE_VIOLATION if no hour of the month is calculated, and REPORT_TOO_LONG if the table ' +
          'has too many rows for a PDF.',
        params: IdParams,
        querystring: ReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const query = withLocale(reply, request.query)
      const { id: groupId } = request.params
      const file = await openGroupReport(request.tenantDb(), { groupId, query, now: app.deps.clock.now() })
      return sendReport(reply, { ...file, format: query.format })
    },
  )
}

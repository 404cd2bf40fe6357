import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { openReport } from '../../../platform/reports/report.ts'
import { refuseLongReport, sessionReport } from './report.ts'
import { SessionReportQuery } from './schema.ts'

export function sessionReportRoute(app: App): void {
  app.get(
    '/report',
    {
      ...needs('read:charger'),
      schema: {
        tags: ['chargers'],
        operationId: 'getChargingSessionReport',
        summary: 'Download charging sessions as CSV, XLSX or PDF, in Turkish or English',
        description:
          'The sessions are read while the file is written, in the order of their start. 422 REPORT_TOO_LONG ' +
          'if there are too many for a PDF.',
        querystring: SessionReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const query = withLocale(reply, request.query)
      refuseLongReport(query)
      const report = sessionReport(app.deps, request.tenantDb(), query)
      const { format, locale } = query
      const content = await openReport(report, { format, locale, at: app.deps.clock.now() })
      return sendReport(reply, { fileName: report.fileName, format, content })
    },
  )
}

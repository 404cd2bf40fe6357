import assert from 'node:assert/strict'
import type { FastifyReply } from 'fastify'
import { forAnyUser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { nameIgnoredParameters } from '../../../platform/http/ignored-parameters.ts'
import type { InnerResponse } from '../../../platform/http/inner-requests.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { openReport } from '../../../platform/reports/report.ts'
import { takeExport } from '../../access/quotas/index.ts'
import { holdSlot } from '../exports/index.ts'
import { LIST_REPORTS } from './lists/index.ts'
import { ListRefused } from './pages.ts'
import { ListReportParams, ListReportQuery } from './schema.ts'
import { openListReport } from './service.ts'

/** Parameters of the file, besides those of the list. */
const FILE_PARAMETERS = new Set(Object.keys(ListReportQuery.properties))

/** Any list of the API as a file. The list is read by its own operation, so that its rules are those of the report. */
export function listReportRoutes(app: App): void {
  app.get(
    '/:list',
    {
      config: {
        ...withErrors(forAnyUser, 403, 404).config,
        // The parameters of the list are known to the list; those that it ignores are named below.
        passesParameters: true,
      },
      schema: {
        tags: ['exports'],
        operationId: 'getListReport',
        summary: 'Download a list as CSV, XLSX or PDF, in Turkish or English',
        description:
          'The file has all rows of the list: its filters, `sort_by` and `sort_order` are parameters of this ' +
          'request too, and so are the parameters of its path, such as `id`; several ids are separated ' +
          'by commas. The permission is that of the list, whose errors are the errors of this request. ' +
          'Ids have the names of their records, unless `headers` is `names`. At most 50,000 rows (422 ' +
          'REPORT_ROWS_TOO_MANY), a PDF 2,000 (422 REPORT_TOO_LONG). A file counts as an export of the ' +
          'day, and as a direct download.',
        params: ListReportParams,
        querystring: ListReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const { format, locale, headers } = withLocale(reply, request.query)
      const list = LIST_REPORTS.find(({ name }) => name === request.params.list)
      assert(list)
      const now = app.deps.clock.now()
      const parameters = Object.fromEntries(
        Object.entries(request.query as Readonly<Record<string, unknown>>)
          .filter(([name]) => !FILE_PARAMETERS.has(name))
          .map(([name, value]) => [name, String(value)]),
      )
      try {
        const options = { format, locale, headers, parameters, now }
        const { report, ignored } = await openListReport({ app, request }, list, options)
        await takeExport(app.deps, request.tenantDb())
        holdSlot(app, request.principal.tenantId, reply)
        nameIgnoredParameters(reply, ignored)
        const content = await openReport(report, { format, locale, at: now })
        return sendReport(reply, { fileName: report.fileName, format, content })
      } catch (error) {
        if (error instanceof ListRefused) return passOn(reply, error.response)
        throw error
      }
    },
  )
}

/** Sends the error of the list. */
function passOn(reply: FastifyReply, { status, headers, text }: InnerResponse) {
  for (const name of ['content-type', 'content-language', 'retry-after']) {
    const value = headers[name]
    if (value !== undefined) void reply.header(name, value)
  }
  return reply.code(status).send(text)
}

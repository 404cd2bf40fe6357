import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { attachment } from '../../../platform/http/attachment.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { CONTENT_TYPES } from '../../../platform/reports/report.ts'
import { ReportQuery } from './schema.ts'
import { openGroupReport } from './service.ts'

const File = Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' })
const content = Object.fromEntries(
  Object.values(CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: File }]),
)

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
        response: { 200: { description: 'The file, as an attachment.', content } },
      },
    },
    async (request, reply) => {
      const { fileName, content: file } = await openGroupReport(request.tenantDb(), {
        groupId: request.params.id,
        query: request.query,
        now: app.deps.clock.now(),
      })
      return reply
        .type(CONTENT_TYPES[request.query.format])
        .header('Content-Disposition', attachment(fileName))
        .send(file)
    },
  )
}

import { Type } from 'typebox'
import { writeZip } from '../../../platform/files/zip.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { BillingPeriod, described, IdParams } from '../../../platform/http/fields.ts'
import { packPeriod } from './service.ts'

const Query = Type.Object({
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
})

export function auditRoutes(app: App): void {
  app.get(
    '/groups/:id/audit-package',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'getAuditPackage',
        summary:
          'Download a ZIP archive that proves the current figures of a period: inputs, results, hashes',
        description:
          'The archive contains every input of the current runs of the period as it was at their time, their ' +
          'results, and the SHA-256 of each file. `netsaat audit replay FILE` computes the results again ' +
          'without a database and reports that they are identical, or the first difference. 422 if no hour ' +
          'of the month is calculated.',
        params: IdParams,
        querystring: Query,
        response: {
          200: {
            description: 'The package, as an attachment.',
            content: {
              'application/zip': {
                schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const now = app.deps.clock.now()
      const { fileName, entries } = await packPeriod(request.tenantDb(), {
        groupId: request.params.id,
        billingPeriod: request.query.billing_period,
        now,
      })
      return reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename="${fileName}"`)
        .send(writeZip(entries, new Date(now)))
    },
  )
}

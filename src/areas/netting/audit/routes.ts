import { Type } from 'typebox'
import { writeZip } from '../../../platform/files/zip.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { BillingPeriod, described, IdParams } from '../../../platform/http/fields.ts'
import { packPeriod } from './service.ts'

const Query = Type.Object({
  billing_period: described(BillingPeriod, 'The month; any date of it is truncated.'),
})

export function auditRoutes(app: App): void {
  app.get(
    '/groups/:id/audit-package',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'getAuditPackage',
        summary: 'A ZIP that proves the current figures of a period: inputs, results, hashes',
        description:
          'Every input of the period’s current runs as it was when they were made, what they wrote, ' +
          'and the sha-256 of each ' +
          'file. `netsaat audit replay FILE` computes it again without a database and says identical ' +
          'or names the first ' +
          'difference. 422 where no hour of the month is calculated.',
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

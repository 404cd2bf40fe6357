import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { compareGroup } from './comparison.ts'
import { Comparison, ComparisonQuery } from './schema.ts'

const read = needs('read:netting')

export function foresightRoutes(app: App): void {
  app.get(
    '/groups/:id/comparison',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'compareNetting',
        summary: 'What hourly netting gives a group against monthly netting of the same facts, kWh and lira',
        description:
          'The same facts, members, prices and opening limits are netted hour by hour and as one month; nothing is written. ' +
          'For a residential group, which is netted by the month, the hourly side is what it would have been. The ' +
          'difference is hourly less monthly, seen by the owner: producer payments are revenue, the bill spared by matched ' +
          'energy is an avoided cost, the system usage fee is a cost; what the market pays the supplier is not counted.',
        params: IdParams,
        querystring: ComparisonQuery,
        response: { 200: Comparison },
      },
    },
    async (request) =>
      compareGroup(request.tenantDb(), {
        groupId: request.params.id,
        billingPeriod: request.query.billing_period,
        now: app.deps.clock.now(),
      }),
  )
}

import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { forecastAccount } from './account-forecast.ts'
import { compareGroup } from './comparison.ts'
import { Comparison, ComparisonQuery, Forecast } from './schema.ts'

const read = needs('read:netting')

export function forecastRoutes(app: App): void {
  app.get(
    '/groups/:id/comparison',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'compareNetting',
        summary: 'What hourly netting gives a group against monthly netting of the same facts, kWh and lira',
        description:
          'The same facts, members, prices and opening limits are netted hour by hour and as one ' +
          'month; nothing is written. ' +
          'For a residential group, which is netted by the month, the hourly side is what it would have been. The ' +
          'difference is hourly less monthly, seen by the owner: producer payments are revenue, the ' +
          'bill spared by matched ' +
          'energy is an avoided cost, the system usage fee is a cost; what the market pays the ' +
          'supplier is not counted.',
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

  app.get(
    '/limits/accounts/:id/forecast',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'forecastLimit',
        summary: 'The day on which a limit account is expected to run out',
        description:
          'From the use of the year so far and last year’s shape, month by month; where last year is ' +
          'not known, from the ' +
          'mean of the last 28 days. The answer states its method, its inputs and how far to trust it. ' +
          'Nothing is written.',
        params: IdParams,
        response: { 200: Forecast },
      },
    },
    async (request) => forecastAccount(request.tenantDb(), request.params.id, app.deps.clock.now()),
  )
}

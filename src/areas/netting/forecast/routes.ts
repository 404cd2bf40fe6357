import { withNoteTexts, withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
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
        summary: 'Compare hourly with monthly netting of a group on the same facts, in kWh and TRY',
        description:
          'The same facts, members, prices and opening limits are netted by hour and as one month; nothing ' +
          'is written. For a residential group, which is netted by month, the hourly side is hypothetical. ' +
          'The difference is hourly minus monthly from the view of the owner: producer payments are revenue, ' +
          'the bill avoided by matched energy is an avoided cost, the system usage fee is a cost; payments ' +
          'of the market to the supplier are not counted.',
        params: IdParams,
        querystring: ComparisonQuery,
        response: { 200: Comparison },
      },
    },
    async (request, reply) => {
      const comparison = await compareGroup(request.tenantDb(), {
        groupId: request.params.id,
        billingPeriod: request.query.billing_period,
        now: app.deps.clock.now(),
      })
      const language = languageOf(reply)
      return withNoteTexts(withWarningTexts(comparison, language), language)
    },
  )

  app.get(
    '/limits/accounts/:id/forecast',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'forecastLimit',
        summary: 'Forecast the day on which a limit account is used up',
        description:
          'The forecast scales the monthly profile of last year to the usage of this year so far; if last ' +
          'year is unknown, it uses the mean of the last 28 days. The response contains the method, the ' +
          'inputs and the confidence. Nothing is written.',
        params: IdParams,
        response: { 200: Forecast },
      },
    },
    async (request, reply) => {
      const forecast = await forecastAccount(request.tenantDb(), request.params.id, app.deps.clock.now())
      return withNoteTexts(forecast, languageOf(reply))
    },
  )
}

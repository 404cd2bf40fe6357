import { withNoteTexts, withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { forecastAccount } from './account-forecast.ts'
import { compareGroup } from './comparison.ts'
import { compareFacilities } from './readings-comparison.ts'
import { forecastFacilities } from './readings-forecast.ts'
import {
  ReadingsComparison,
  ReadingsComparisonQuery,
  ReadingsForecast,
  ReadingsForecastQuery,
} from './readings-schema.ts'
import { Comparison, ComparisonQuery, Forecast } from './schema.ts'

const read = needs('read:netting')

export function forecastRoutes(app: App): void {
  readingsRoutes(app)
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

/** The same calculations without groups, memberships and accounts. */
function readingsRoutes(app: App): void {
  app.get(
    '/comparison',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'compareReadings',
        summary: 'Compare hourly with monthly netting of facilities by their readings alone',
        description:
          'Answers what netting by hour would have given, before there is a group: the facilities are netted as ' +
          'one group, with the limits of their accounts or, without one, twice the consumption of the previous ' +
          'year. Hours in which a facility lacks a value are left out on both sides. The result is marked with ' +
          'data_basis; the notes list its assumptions. Nothing is written.',
        querystring: ReadingsComparisonQuery,
        response: { 200: ReadingsComparison },
      },
    },
    async (request, reply) => {
      const { facility_ids: facilityIds, from, to } = request.query
      const now = app.deps.clock.now()
      const compared = await compareFacilities(request.tenantDb(), { facilityIds, from, to, now })
      const language = languageOf(reply)
      return withNoteTexts(withWarningTexts(compared, language), language)
    },
  )
  app.get(
    '/forecast',
    {
      ...read,
      schema: {
        tags: ['netting foresight'],
        operationId: 'forecastReadings',
        summary: 'Forecast from readings alone when the common limit of facilities is used up',
        description:
          'The method of the forecast of an account, applied to facilities that are netted by hour as one group. ' +
          'Without a known limit of every consumer the figures of the limit are null. The result is marked with ' +
          'data_basis; the notes list its assumptions. Nothing is written.',
        querystring: ReadingsForecastQuery,
        response: { 200: ReadingsForecast },
      },
    },
    async (request, reply) => {
      const { facility_ids: facilityIds, year } = request.query
      const now = app.deps.clock.now()
      const forecast = await forecastFacilities(request.tenantDb(), { facilityIds, year, now })
      return withNoteTexts(forecast, languageOf(reply))
    },
  )
}

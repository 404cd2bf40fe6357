import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import {
  CreateHourlyForecast,
  ForecastHour,
  ForecastHoursQuery,
  HourlyForecastDetail,
  HourlyForecastHead,
  HourlyForecastsQuery,
} from './schema.ts'
import * as service from './service.ts'

const tags = ['netting forecasts by hour']
const read = needs('read:netting')
const manage = needs('manage:netting')

export function hourlyForecastRoutes(app: App): void {
  manageRoutes(app)
  app.get(
    '/hourly-forecasts',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listHourlyForecasts',
        summary: 'List forecasts by hour, newest first',
        querystring: HourlyForecastsQuery,
        response: { 200: Type.Array(HourlyForecastHead) },
      },
    },
    async (request, reply) => sendList(reply, await service.listForecasts(request.tenantDb(), request.query)),
  )
  getResource(
    app,
    '/hourly-forecasts/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getHourlyForecast',
        summary: 'Get a forecast by hour with its progress and the scores of its method',
        params: IdParams,
        response: { 200: HourlyForecastDetail },
      },
    },
    (request) => service.findForecast(request.tenantDb(), request.params.id),
  )
  app.get(
    '/hourly-forecasts/:id/hours',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listForecastHours',
        summary: 'List the hours of a facility with the band of each',
        params: IdParams,
        querystring: ForecastHoursQuery,
        response: { 200: Type.Array(ForecastHour) },
      },
    },
    async (request, reply) =>
      sendList(reply, await service.listHours(request.tenantDb(), request.params.id, request.query)),
  )
}

function manageRoutes(app: App): void {
  app.post(
    '/hourly-forecasts',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createHourlyForecast',
        summary: 'Forecast consumption and production of facilities by hour; a job computes it',
        description:
          'From the hours of the facilities before the first day, at most two years of them. ' +
          '422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many forecasts.',
        body: CreateHourlyForecast,
        response: { 201: HourlyForecastDetail },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const created = await request.tenantTx((tx) => service.createForecast(tx, request.body, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.hourlyForecasts, tenantId: request.principal.tenantId })
      return reply.code(201).send(created)
    },
  )
  app.post(
    '/hourly-forecasts/:id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelHourlyForecast',
        summary: 'Cancel a forecast by hour that waits or is being computed',
        params: IdParams,
        response: { 200: HourlyForecastDetail },
      },
    },
    (request) =>
      request.tenantTx((tx) => service.cancelForecast(tx, request.params.id, app.deps.clock.now())),
  )
  app.delete(
    '/hourly-forecasts/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteHourlyForecast',
        summary: 'Delete a forecast by hour with its result',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.deleteForecast(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

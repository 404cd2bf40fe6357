import type { FastifyRequest } from 'fastify'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { encodedResponses } from '../../../platform/http/encoded-response.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import type { Variant } from './bucket-row.ts'
import { DeviceHours, HoursQuery } from './many-devices/schema.ts'
import { readHours } from './many-devices/service.ts'
import { AggregateByDeviceQuery, AggregatedResponse, AggregateQuery, DeviceParams } from './schema.ts'
import { type AggregateRequest, aggregate } from './service.ts'

const tags = ['measurements']
const read = needs('read:measurement')

export function aggregateRoutes(app: App): void {
  const { clock } = app.deps
  const respond = (
    request: FastifyRequest,
    query: Pick<AggregateRequest, 'deviceId' | 'variant' | 'interval' | 'start' | 'end'>,
  ) =>
    aggregate(request.readDatabase(), {
      ...query,
      tenantId: request.principal.tenantId,
      now: clock.now(),
    })

  app.get(
    '/aggregated',
    {
      ...withErrors(read, 404),
      serializerCompiler: encodedResponses,
      schema: {
        tags,
        operationId: 'getAggregated',
        summary: 'Get the consumption of a device by hour, day or month',
        querystring: AggregateByDeviceQuery,
        response: { 200: AggregatedResponse },
      },
    },
    (request) => {
      const { device_id, ...query } = request.query
      return respond(request, { ...query, deviceId: device_id, variant: 'consumption' })
    },
  )

  hoursRoute(app)

  const byDevice = (path: string, variant: Variant, operationId: string) =>
    app.get(
      path,
      {
        ...read,
        serializerCompiler: encodedResponses,
        schema: {
          tags,
          operationId,
          summary: `Get the ${variant === 'production' ? 'photovoltaic production' : 'consumption'} of a device by hour, day or month`,
          params: DeviceParams,
          querystring: AggregateQuery,
          response: { 200: AggregatedResponse },
        },
      },
      (request) => respond(request, { ...request.query, deviceId: request.params.device_id, variant }),
    )
  byDevice('/devices/:device_id/aggregated', 'consumption', 'getDeviceAggregated')
  byDevice('/devices/:device_id/aggregated-production', 'production', 'getDeviceAggregatedProduction')
}

function hoursRoute(app: App): void {
  const { clock } = app.deps
  app.get(
    '/hours',
    {
      ...read,
      serializerCompiler: encodedResponses,
      schema: {
        tags,
        operationId: 'getDeviceHours',
        summary: 'Get the energy of many devices by the hour',
        description:
          'The values of the aggregate of a device, for a page of all devices or of those of a gateway, as lists. ' +
          'An hour without data is null, with the quality missing.',
        querystring: HoursQuery,
        response: { 200: DeviceHours },
      },
    },
    (request) =>
      readHours(request.readDatabase(), {
        ...request.query,
        tenantId: request.principal.tenantId,
        now: clock.now(),
      }),
  )
}

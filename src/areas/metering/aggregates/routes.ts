import type { FastifyRequest, FastifySerializerCompiler } from 'fastify'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { AggregateJson } from './aggregate-json.ts'
import type { Variant } from './bucket-row.ts'
import { AggregateByDeviceQuery, AggregatedResponse, AggregateQuery, DeviceParams } from './schema.ts'
import { type AggregateRequest, aggregate } from './service.ts'

const tags = ['measurements']
const read = needs('read:measurement')

/** AggregateJson encodes itself; other responses of these routes (errors) are ordinary objects. */
const serializerCompiler: FastifySerializerCompiler<unknown> = () => (answer: unknown) =>
  (answer instanceof AggregateJson ? answer.toBuffer() : JSON.stringify(answer)) as string

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
      serializerCompiler,
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

  const byDevice = (path: string, variant: Variant, operationId: string) =>
    app.get(
      path,
      {
        ...read,
        serializerCompiler,
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

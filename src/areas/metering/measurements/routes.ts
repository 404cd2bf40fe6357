import type { FastifyRequest, FastifySerializerCompiler } from 'fastify'
import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { parseInstant } from '../../../kernel/time.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { Page, sendList } from '../../../platform/http/page.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Variant } from './aggregate-store.ts'
import { AggregatedAnswer } from './answer.ts'
import { SAMPLES_READ_DEFAULT_MS } from './limits.ts'
import { mapRoutes } from './map/routes.ts'
import { reactiveRoutes } from './reactive/routes.ts'
import {
  AggregateByDeviceQuery,
  AggregatedResponse,
  AggregateQuery,
  DeviceParams,
  SamplesQuery,
  SetAsideQuery,
  SetAsideSample,
  StoredSample,
} from './schema.ts'
import { type AggregateRequest, aggregate } from './service.ts'
import * as measurements from './store.ts'

const tags = ['measurements']
const read = needs('read:measurement')

export function measurementRoutes(app: App): void {
  readingRoutes(app)
  aggregatedRoutes(app)
  mapRoutes(app)
  reactiveRoutes(app)
}

function readingRoutes(app: App): void {
  const { clock, database } = app.deps

  app.get(
    '/devices/:device_id/samples',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDeviceSamples',
        summary: 'Read stored samples back, ascending; without a range the last 24 hours',
        params: DeviceParams,
        querystring: SamplesQuery,
        response: { 200: Type.Array(StoredSample) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const to = parseInstant(query.to ?? '')?.at ?? clock.now() + SAMPLE_FUTURE_MAX_MS
      const from = parseInstant(query.from ?? '')?.at ?? to - SAMPLES_READ_DEFAULT_MS
      if (from >= to) throw invalidInput(['query', 'to'], 'must be later than from')
      const db = request.tenantDb()
      const { key } = found('device', await measurements.findDevice(db, request.params.device_id))
      const wanted = { tenantId: db.tenantId, deviceKey: key, range: { from, to }, limit: query.limit }
      return sendList(reply, await measurements.readStoredSamples(database.pool, wanted))
    },
  )

  app.get(
    '/set-aside',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listSetAsideSamples',
        summary: 'List samples that were kept aside, and why',
        querystring: SetAsideQuery,
        response: { 200: Page(SetAsideSample) },
      },
    },
    (request) => measurements.listSetAside(request.tenantDb(), request.query),
  )
}

/** The answer prints itself; whatever else these routes may answer is an ordinary object. */
const serializerCompiler: FastifySerializerCompiler<unknown> = () => (answer: unknown) =>
  (answer instanceof AggregatedAnswer ? answer.print() : JSON.stringify(answer)) as string

function aggregatedRoutes(app: App): void {
  const { clock, database } = app.deps
  const answer = (
    request: FastifyRequest,
    query: Pick<AggregateRequest, 'deviceId' | 'variant' | 'interval' | 'start' | 'end'>,
  ) => aggregate(database.pool, { ...query, tenantId: request.principal.tenantId, now: clock.now() })

  app.get(
    '/aggregated',
    {
      ...read,
      serializerCompiler,
      schema: {
        tags,
        operationId: 'getAggregated',
        summary: 'Consumption of a device by hour, day or month',
        querystring: AggregateByDeviceQuery,
        response: { 200: AggregatedResponse },
      },
    },
    (request) => {
      const { device_id, ...query } = request.query
      return answer(request, { ...query, deviceId: device_id, variant: 'consumption' })
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
          summary: `${variant === 'production' ? 'Photovoltaic production' : 'Consumption'} of a device by hour, day or month`,
          params: DeviceParams,
          querystring: AggregateQuery,
          response: { 200: AggregatedResponse },
        },
      },
      (request) => answer(request, { ...request.query, deviceId: request.params.device_id, variant }),
    )
  byDevice('/devices/:device_id/aggregated', 'consumption', 'getDeviceAggregated')
  byDevice('/devices/:device_id/aggregated-production', 'production', 'getDeviceAggregatedProduction')
}

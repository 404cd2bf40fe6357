import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { parseValidInstant } from '../../../kernel/time.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { encodedResponses } from '../../../platform/http/encoded-response.ts'
import { Page, sendList } from '../../../platform/http/page.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { METERING_TEXTS } from '../messages.ts'
import { readLatest } from './latest.ts'
import { SAMPLES_READ_DEFAULT_MS } from './limits.ts'
import {
  DeviceParams,
  LatestQuery,
  LatestValues,
  SamplesQuery,
  SetAsideQuery,
  SetAsideSample,
  StoredSample,
} from './schema.ts'
import * as samples from './store.ts'

const tags = ['measurements']
const read = needs('read:measurement')

export function sampleRoutes(app: App): void {
  const { clock } = app.deps

  app.get(
    '/devices/:device_id/samples',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDeviceSamples',
        summary: 'List stored samples in ascending order; without a range the last 24 hours',
        params: DeviceParams,
        querystring: SamplesQuery,
        response: { 200: Type.Array(StoredSample) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const instantOf = (text: string | undefined, absent: number): number =>
        text === undefined ? absent : parseValidInstant(text).getTime()
      const to = instantOf(query.to, clock.now() + SAMPLE_FUTURE_MAX_MS)
      const from = instantOf(query.from, to - SAMPLES_READ_DEFAULT_MS)
      if (from >= to) throw invalidInput(['query', 'to'], METERING_TEXTS.RANGE_TO_BEFORE_FROM())
      const db = request.tenantDb()
      const { key } = found('device', await samples.findDevice(db, request.params.device_id))
      const options = { tenantId: db.tenantId, deviceKey: key, range: { from, to }, limit: query.limit }
      return sendList(reply, await samples.readStoredSamples(request.readDatabase().pool, options))
    },
  )

  app.get(
    '/latest',
    {
      ...read,
      serializerCompiler: encodedResponses,
      schema: {
        tags,
        operationId: 'getLatestValues',
        summary: 'Get the latest values of many devices',
        description:
          'Times, units and whether each value is current. Ids that are no device of the tenant are listed in ' +
          'not_found_device_ids. Live values are pushed by the socket /ws/telemetry.',
        querystring: LatestQuery,
        response: { 200: LatestValues },
      },
    },
    (request) =>
      readLatest(request.readDatabase().pool, request.principal.tenantId, request.query, clock.now()),
  )

  app.get(
    '/set-aside',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listSetAsideSamples',
        summary: 'List samples that were set aside, with the reason',
        querystring: SetAsideQuery,
        response: { 200: Page(SetAsideSample) },
      },
    },
    (request) => samples.listSetAside(request.tenantDb(), request.query),
  )
}

import { Type } from 'typebox'
import type { Language } from '../../../../kernel/messages.ts'
import { warningFields } from '../../../../kernel/warnings.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { withErrors } from '../../../../platform/http/openapi.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { rebuildAfterChange } from '../../hourly-energy/index.ts'
import { routeContext } from '../../shared/index.ts'
import {
  ChangedMeterChange,
  CorrectMeterChange,
  CreateMeterChange,
  MeterChange,
  MeterChangeDetail,
  MeterChangeQuery,
  VoidMeterChange,
} from './schema.ts'
import {
  correctMeterChange,
  readMeterChange,
  recordMeterChange,
  voidMeterChange,
  type WrittenChange,
} from './service.ts'
import { list } from './store.ts'

const tags = ['netting metering']
const EFFECT_TEXT =
  'The hourly energy and the roll-ups around the change are derived again, at the latest before the next ' +
  'calculation that reads them; calculated months become stale. 409 SEALED_MONTH if one of their months is sealed.'

export function meterChangeRoutes(app: App): void {
  readRoutes(app)
  writeRoutes(app)
}

function readRoutes(app: App): void {
  const read = needs('read:netting')

  app.get(
    '/meters/changes',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listMeterChanges',
        summary: 'List recorded meter changes, the latest change first',
        querystring: MeterChangeQuery,
        response: { 200: Type.Array(MeterChange) },
      },
    },
    async (request, reply) => sendList(reply, await list(request.tenantDb(), request.query)),
  )

  getResource(
    app,
    '/meters/changes/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getMeterChange',
        summary: 'Get a recorded meter change with the values before its corrections',
        params: IdParams,
        response: { 200: MeterChangeDetail },
      },
    },
    (request) => readMeterChange(request.tenantDb(), request.params.id),
  )
}

function writeRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.post(
    '/meters/changes',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'recordMeterChange',
        summary:
          'Record the replacement of a meter: the end of the old register, the beginning of the new one',
        description:
          'The energy over the change is then exact and not suspect. 422 METER_CHANGE_CONTRADICTS_READINGS if the ' +
          'old end lies below the last reading before the change, or the new start above the first reading after ' +
          `it; 409 METER_CHANGE_EXISTS for a second record of the register at the same instant. ${EFFECT_TEXT}`,
        body: CreateMeterChange,
        response: { 201: ChangedMeterChange },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const context = routeContext(principal, app.deps.clock)
      const done = await request.tenantTx((tx) => recordMeterChange(tx, body, context))
      return reply.code(201).send(await toResponse(app, principal.tenantId, done, languageOf(reply)))
    },
  )

  app.patch(
    '/meters/changes/:id',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'correctMeterChange',
        summary: 'Correct a recorded meter change; the values before the correction are kept',
        description: `Omitted fields are unchanged, null clears. 409 METER_CHANGE_VOIDED. ${EFFECT_TEXT}`,
        params: IdParams,
        body: CorrectMeterChange,
        response: { 200: ChangedMeterChange },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const context = routeContext(principal, app.deps.clock)
      const done = await request.tenantTx((tx) => correctMeterChange(tx, params.id, body, context))
      return toResponse(app, principal.tenantId, done, languageOf(reply))
    },
  )

  app.post(
    '/meters/changes/:id/void',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'voidMeterChange',
        summary: 'Void a recorded meter change: it stays listed with its reason, without effect',
        description: `409 METER_CHANGE_VOIDED. ${EFFECT_TEXT}`,
        params: IdParams,
        body: VoidMeterChange,
        response: { 200: ChangedMeterChange },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const { by, at } = routeContext(principal, app.deps.clock)
      const done = await request.tenantTx((tx) => voidMeterChange(tx, params.id, { ...body, by, at }))
      return toResponse(app, principal.tenantId, done, languageOf(reply))
    },
  )
}

/** The response after the commit, when the facts are derived again as far as they are few. */
async function toResponse(
  app: App,
  tenantId: number,
  { change, facilityIds, warnings }: WrittenChange,
  language: Language,
) {
  const rebuilt = await rebuildAfterChange(app.deps, tenantId, facilityIds)
  return { ...change, ...warningFields([...warnings, ...rebuilt], language) }
}

import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { epochMsOf } from '../shared/index.ts'
import {
  HourlyEnergy,
  HourlyEnergyQuery,
  HourlyEnergyTotals,
  HourlyEnergyTotalsQuery,
  RebuildBody,
  RebuildResult,
} from './schema.ts'
import { rebuild } from './service.ts'
import * as store from './store.ts'
import { sumFacts } from './totals-store.ts'

const tags = ['netting hourly energy']

export function hourlyEnergyRoutes(app: App): void {
  app.get(
    '/facilities/:id/hourly-energy',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listHourlyEnergy',
        summary: 'List the hourly facts of a facility by hour ascending, one row per source and role',
        params: IdParams,
        querystring: HourlyEnergyQuery,
        response: { 200: Type.Array(HourlyEnergy) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const db = request.tenantDb()
      found('facility', await store.findFacility(db, params.id))
      const range = { from: epochMsOf(query.from), to: epochMsOf(query.to) }
      return sendList(reply, await store.listFacts(db, params.id, { ...query, range }))
    },
  )

  app.get(
    '/facilities/:id/hourly-energy/totals',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'getHourlyEnergyTotals',
        summary: 'Get the sums of the hourly facts of a facility by source and role',
        params: IdParams,
        querystring: HourlyEnergyTotalsQuery,
        response: { 200: HourlyEnergyTotals },
      },
    },
    async (request) => {
      const { params, query } = request
      const db = request.tenantDb()
      found('facility', await store.findFacility(db, params.id))
      return sumFacts(db, params.id, { from: epochMsOf(query.from), to: epochMsOf(query.to) })
    },
  )

  app.post(
    '/facilities/:id/hourly-energy/rebuild',
    {
      ...withErrors(needs('manage:netting'), 'sealed month'),
      schema: {
        tags,
        operationId: 'rebuildHourlyEnergy',
        summary: 'Rebuild the hourly facts of a facility from its meters; changed rows become corrected',
        params: IdParams,
        body: RebuildBody,
        response: { 201: RebuildResult },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const result = await rebuild(app.deps, {
        tenantId: principal.tenantId,
        facilityId: params.id,
        body,
        inTx: (work) => request.tenantTx(work),
      })
      return reply.code(201).send(result)
    },
  )
}

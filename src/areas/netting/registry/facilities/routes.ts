import { Type } from 'typebox'
import { found } from '../../../../kernel/errors.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { forSuperuser, needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { routeContext } from '../../shared/index.ts'
import { CreateFacility, Facility, FacilityQuery, ListedFacility, UpdateFacility } from './schema.ts'
import { createFacility, deleteFacility, listFacilities, updateFacility } from './service.ts'
import * as facilities from './store.ts'

const tags = ['netting facilities']

export function facilityRoutes(app: App): void {
  readRoutes(app)
  writeRoutes(app)
}

function readRoutes(app: App): void {
  const read = needs('read:netting')

  app.get(
    '/facilities',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listFacilities',
        summary: 'List facilities, newest first',
        querystring: FacilityQuery,
        response: { 200: Type.Array(ListedFacility) },
      },
    },
    async (request, reply) =>
      sendList(reply, await listFacilities(request.tenantDb(), request.query, app.deps.clock.now())),
  )

  getResource(
    app,
    '/facilities/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getFacility',
        summary: 'Get a facility',
        params: IdParams,
        response: { 200: Facility },
      },
    },
    async (request) => found('facility', await facilities.find(request.tenantDb(), request.params.id)),
  )
}

function writeRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.post(
    '/facilities',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createFacility',
        summary: 'Create a facility',
        description:
          'The org_type of the referenced organizations is not checked: one company may have several functions.',
        body: CreateFacility,
        response: { 201: Facility },
      },
    },
    async (request, reply) => {
      const actor = routeContext(request.principal, app.deps.clock)
      return reply.code(201).send(await request.tenantTx((tx) => createFacility(tx, request.body, actor)))
    },
  )

  app.patch(
    '/facilities/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateFacility',
        summary: 'Update a facility: omitted fields are unchanged, null clears',
        description: 'The rules are checked on the record with the change applied.',
        params: IdParams,
        body: UpdateFacility,
        response: { 200: Facility },
      },
    },
    (request) => {
      const { body, params, principal } = request
      const actor = routeContext(principal, app.deps.clock)
      return request.tenantTx((tx) => updateFacility(tx, params.id, body, actor))
    },
  )

  app.delete(
    '/facilities/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'deleteFacility',
        summary: 'Delete a facility of any tenant permanently (superuser)',
        description:
          'Rejected with 409 facility_has_dependencies, which contains the number of records that refer to ' +
          'the facility. OSOS installations are detached.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params, principal } = request
      const actor = routeContext(principal, app.deps.clock)
      const precondition = (tx: TenantTx) => request.firstInTx?.(tx)
      await deleteFacility(request.systemDb(), { id: params.id, actor, precondition })
      return reply.code(204).send(null)
    },
  )
}

import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import * as service from './mapping-service.ts'
import {
  CollectorMapping,
  CollectorMappingQuery,
  CreateCollectorMapping,
  UpdateCollectorMapping,
} from './schema.ts'
import { listMappings } from './store.ts'

const tags = ['measurements']
const read = needs('read:device')
const manage = needs('manage:device')

/** Below /api/collector-mappings. */
export function collectorMappingRoutes(app: App): void {
  const { deps } = app

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listCollectorMappings',
        summary: 'List the mappings of line protocol and remote write to devices and metrics',
        querystring: CollectorMappingQuery,
        response: { 200: Page(CollectorMapping) },
      },
    },
    (request) => listMappings(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createCollectorMapping',
        summary: 'Create a collector mapping',
        body: CreateCollectorMapping,
        response: { 201: CollectorMapping },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => service.createMapping(deps, tx, request.body))),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getCollectorMapping',
        summary: 'Get a collector mapping',
        params: IdParams,
        response: { 200: CollectorMapping },
      },
    },
    (request) => service.getMapping(request.tenantDb(), request.params.id),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateCollectorMapping',
        summary: 'Update a collector mapping: omitted fields are unchanged',
        params: IdParams,
        body: UpdateCollectorMapping,
        response: { 200: CollectorMapping },
      },
    },
    (request) =>
      request.tenantTx((tx) =>
        service.updateMapping(deps, tx, { id: request.params.id, body: request.body }),
      ),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteCollectorMapping',
        summary: 'Delete a collector mapping; requests that name it use the default mapping or are refused',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.removeMapping(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateRegion, Region, RegionQuery, UpdateRegion } from './region-schema.ts'
import * as regions from './region-store.ts'

const tags = ['regions']

export function regionRoutes(app: App): void {
  const read = needs('read:region')
  const manage = needs('manage:region')

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listRegions',
        summary: 'List regions',
        querystring: RegionQuery,
        response: { 200: Page(Region) },
      },
    },
    (request) => regions.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createRegion',
        summary: 'Create a region',
        body: CreateRegion,
        response: { 201: Region },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => regions.create(tx, request.body))),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getRegion',
        summary: 'Get a region',
        params: IdParams,
        response: { 200: Region },
      },
    },
    async (request) => found('region', await regions.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateRegion',
        summary: 'Update a region: omitted fields are unchanged',
        params: IdParams,
        body: UpdateRegion,
        response: { 200: Region },
      },
    },
    async (request) =>
      found('region', await request.tenantTx((tx) => regions.update(tx, request.params.id, request.body))),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteRegion',
        summary: 'Delete a region',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('region', await request.tenantTx((tx) => regions.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

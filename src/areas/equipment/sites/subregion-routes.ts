import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateSubregion, Subregion, SubregionQuery, UpdateSubregion } from './subregion-schema.ts'
import * as subregions from './subregion-store.ts'

const tags = ['subregions']

export function subregionRoutes(app: App): void {
  const read = needs('read:region')
  const manage = needs('manage:region')

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listSubregions',
        summary: 'List subregions',
        querystring: SubregionQuery,
        response: { 200: Page(Subregion) },
      },
    },
    (request) => subregions.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createSubregion',
        summary: 'Create a subregion',
        body: CreateSubregion,
        response: { 201: Subregion },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => subregions.create(tx, request.body))),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getSubregion',
        summary: 'Get a subregion',
        params: IdParams,
        response: { 200: Subregion },
      },
    },
    async (request) => found('subregion', await subregions.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateSubregion',
        summary: 'Update a subregion: omitted fields are unchanged',
        params: IdParams,
        body: UpdateSubregion,
        response: { 200: Subregion },
      },
    },
    async (request) =>
      found(
        'subregion',
        await request.tenantTx((tx) => subregions.update(tx, request.params.id, request.body)),
      ),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteSubregion',
        summary: 'Delete a subregion',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('subregion', await request.tenantTx((tx) => subregions.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

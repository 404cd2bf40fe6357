import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateIdTag, IdTag, IdTagQuery, UpdateIdTag } from './schema.ts'
import { createIdTag, updateIdTag } from './service.ts'
import * as idTags from './store.ts'

const tags = ['id tags']

/** Below /api/ocpp/id-tags: the tags that may charge. */
export function idTagRoutes(app: App): void {
  const read = needs('read:charger')
  const manage = needs('manage:charger')
  const now = () => new Date(app.deps.clock.now())

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listIdTags',
        summary: 'List id tags',
        querystring: IdTagQuery,
        response: { 200: Page(IdTag) },
      },
    },
    (request) => idTags.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createIdTag',
        summary: 'Create an id tag',
        body: CreateIdTag,
        response: { 201: IdTag },
      },
    },
    async (request, reply) => {
      const tag = await request.tenantTx(async (tx) =>
        found('id tag', await idTags.find(tx, await createIdTag(tx, request.body, now()))),
      )
      return reply.code(201).send(tag)
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getIdTag',
        summary: 'Get an id tag',
        params: IdParams,
        response: { 200: IdTag },
      },
    },
    async (request) => found('id tag', await idTags.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateIdTag',
        summary: 'Update an id tag: omitted fields are unchanged',
        params: IdParams,
        body: UpdateIdTag,
        response: { 200: IdTag },
      },
    },
    (request) =>
      request.tenantTx(async (tx) => {
        await updateIdTag(tx, request.params.id, request.body, now())
        return found('id tag', await idTags.find(tx, request.params.id))
      }),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteIdTag',
        summary: 'Delete an id tag, unless it is the group of other tags; sessions keep the tag as text',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('id tag', await request.tenantTx((tx) => idTags.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

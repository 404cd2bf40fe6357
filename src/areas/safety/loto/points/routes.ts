import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { Page } from '../../../../platform/http/page.ts'
import { CreateLotoPoint, LotoPoint, LotoPointQuery, UpdateLotoPoint } from './schema.ts'
import { createPoint, deletePoint, findPoint, updatePoint } from './service.ts'
import { list } from './store.ts'

const tags = ['lockout/tagout']
const read = needs('read:loto')
const manage = needs('manage:loto')

/** Below /api/loto/points. */
export function lotoPointRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listLotoPoints',
        summary: 'List the LOTO points, at which energy is isolated',
        querystring: LotoPointQuery,
        response: { 200: Page(LotoPoint) },
      },
    },
    (request) => list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createLotoPoint',
        summary: 'Create a LOTO point, at which energy is isolated',
        body: CreateLotoPoint,
        response: { 201: LotoPoint },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => createPoint(tx, request.body, now()))),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLotoPoint',
        summary: 'Get a LOTO point',
        params: IdParams,
        response: { 200: LotoPoint },
      },
    },
    (request) => findPoint(request.tenantDb(), request.params.id),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateLotoPoint',
        summary: 'Update a LOTO point: omitted fields are unchanged',
        description: '409 LOTO_POINT_IN_USE while a pending, approved or applied session contains the point.',
        params: IdParams,
        body: UpdateLotoPoint,
        response: { 200: LotoPoint },
      },
    },
    (request) =>
      request.tenantTx((tx) => updatePoint(tx, request.params.id, { body: request.body, now: now() })),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteLotoPoint',
        summary: 'Delete a LOTO point; completed sessions keep a copy of it',
        description: '409 LOTO_POINT_IN_USE while a pending, approved or applied session contains the point.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => deletePoint(tx, request.params.id, now()))
      return reply.code(204).send(null)
    },
  )
}

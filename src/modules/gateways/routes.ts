import { Type } from 'typebox'
import { found } from '../../kernel/errors.ts'
import { needs } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/app-type.ts'
import { IdParams } from '../../platform/http/fields.ts'
import { Page } from '../../platform/http/page.ts'
import { CreateGateway, Gateway, GatewayQuery, UpdateGateway } from './schema.ts'
import * as gateways from './store.ts'

const tags = ['gateways']

export function gatewayRoutes(app: App): void {
  const read = needs('read:gateway')
  const manage = needs('manage:gateway')

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listGateways',
        summary: 'List gateways',
        querystring: GatewayQuery,
        response: { 200: Page(Gateway) },
      },
    },
    (request) => gateways.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createGateway',
        summary: 'Create a gateway',
        body: CreateGateway,
        response: { 201: Gateway },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => gateways.create(tx, request.body))),
  )

  app.get(
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getGateway',
        summary: 'Get a gateway',
        params: IdParams,
        response: { 200: Gateway },
      },
    },
    async (request) => found('gateway', await gateways.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateGateway',
        summary: 'Update a gateway: omitted fields are unchanged',
        params: IdParams,
        body: UpdateGateway,
        response: { 200: Gateway },
      },
    },
    async (request) =>
      found('gateway', await request.tenantTx((tx) => gateways.update(tx, request.params.id, request.body))),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteGateway',
        summary: 'Delete a gateway',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('gateway', await request.tenantTx((tx) => gateways.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page, sendList } from '../../../platform/http/page.ts'
import {
  BrokerGateway,
  BrokerGatewayQuery,
  CreateGateway,
  Gateway,
  GatewayQuery,
  UpdateGateway,
} from './schema.ts'
import { createGateway, updateGateway } from './service.ts'
import * as gateways from './store.ts'

const tags = ['gateways']
const read = needs('read:gateway')
const manage = needs('manage:gateway')

export function gatewayRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  addBrokerList(app)

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
    (request) => gateways.list(request.tenantDb(), request.query, now()),
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
      reply.code(201).send(await request.tenantTx((tx) => createGateway(app.deps, tx, request.body))),
  )

  oneGateway(app)
}

function oneGateway(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: ['is_online', 'last_seen', 'config_state', 'reported_version', 'reported_at'],
      schema: {
        tags,
        operationId: 'getGateway',
        summary: 'Get a gateway',
        params: IdParams,
        response: { 200: Gateway },
      },
    },
    async (request) => found('gateway', await gateways.find(request.tenantDb(), request.params.id, now())),
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
    async (request) => {
      const { body } = request
      const { id } = request.params
      return found('gateway', await request.tenantTx((tx) => updateGateway(app.deps, tx, { id, body })))
    },
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
      const { id } = request.params
      found('gateway', await request.tenantTx((tx) => gateways.remove(tx, id)))
      app.deps.bus.emit('gateway_login_changed', { gatewayId: id })
      app.deps.bus.emit('gateways_changed', { tenantId: request.principal.tenantId, gatewayId: id })
      return reply.code(204).send(null)
    },
  )
}

function addBrokerList(app: App): void {
  app.get(
    '/mqtt',
    {
      ...needs('read:gateway'),
      schema: {
        tags,
        operationId: 'listBrokerGateways',
        summary: 'List the gateways on a message broker with their online state',
        querystring: BrokerGatewayQuery,
        response: { 200: Type.Array(BrokerGateway) },
      },
    },
    async (request, reply) =>
      sendList(
        reply,
        await gateways.listOnBroker(request.tenantDb(), request.query, new Date(app.deps.clock.now())),
      ),
  )
}

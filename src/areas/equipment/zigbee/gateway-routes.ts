import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { listDevices, updateGateway } from './gateway-service.ts'
import * as gateways from './gateway-store.ts'
import {
  UpdateZigbeeGateway,
  ZigbeeDevice,
  ZigbeeDeviceQuery,
  ZigbeeGateway,
  ZigbeeGatewayQuery,
} from './schema.ts'

const tags = ['zigbee']
const read = needs('read:zigbee')
const manage = needs('manage:zigbee')

/** Zigbee gateways and their paired devices. */
export function zigbeeGatewayRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listZigbeeGateways',
        summary: 'List Zigbee gateways',
        querystring: ZigbeeGatewayQuery,
        response: { 200: Page(ZigbeeGateway) },
      },
    },
    (request) => gateways.list(request.tenantDb(), request.query, now()),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: ['is_online', 'last_seen'],
      schema: {
        tags,
        operationId: 'getZigbeeGateway',
        summary: 'Get a Zigbee gateway',
        params: IdParams,
        response: { 200: ZigbeeGateway },
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
        operationId: 'updateZigbeeGateway',
        summary: 'Update a Zigbee gateway, or let devices join: omitted fields are unchanged',
        params: IdParams,
        body: UpdateZigbeeGateway,
        response: { 200: ZigbeeGateway },
      },
    },
    (request) => {
      const { principal, params, body } = request
      return updateGateway({ deps: app.deps, principal }, (work) => request.tenantTx(work), {
        id: params.id,
        body,
      })
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteZigbeeGateway',
        summary: 'Delete a Zigbee gateway; its devices and their measurements are kept, without a gateway',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const isGone = await request.tenantTx((tx) => gateways.remove(tx, id))
      found('gateway', isGone || undefined)
      app.deps.bus.emit('gateway_login_changed', { gatewayId: id })
      app.deps.bus.emit('gateways_changed', { tenantId: request.principal.tenantId, gatewayId: id })
      return reply.code(204).send(null)
    },
  )

  addDevices(app)
}

function addDevices(app: App): void {
  app.get(
    '/:id/devices',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listZigbeeDevices',
        summary: 'List the devices that are paired with a Zigbee gateway',
        params: IdParams,
        querystring: ZigbeeDeviceQuery,
        response: { 200: Page(ZigbeeDevice) },
      },
    },
    (request) =>
      listDevices(app.deps, request.tenantDb(), { gatewayId: request.params.id, query: request.query }),
  )
}

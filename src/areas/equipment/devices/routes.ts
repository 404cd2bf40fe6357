import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { mount } from '../../../platform/http/mount.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { assertDeviceQuota } from '../../access/quotas/index.ts'
import { deviceTemplateRoutes } from '../device-templates/index.ts'
import { CreateDevice, Device, DeviceQuery, UpdateDevice } from './schema.ts'
import { createDevice, updateDevice } from './service.ts'
import * as devices from './store.ts'

const tags = ['devices']

/** MQTT intake reads the devices of these gateways again. To be called after the commit. */
function notifyGateways(app: App, tenantId: number, ...gatewayIds: (string | null | undefined)[]): void {
  for (const gatewayId of new Set(gatewayIds)) {
    if (gatewayId) app.deps.bus.emit('gateways_changed', { tenantId, gatewayId })
  }
}

/** Dead letters that refer to the device are replayed. To be called after `notifyGateways`. */
function notifyNamed(app: App, tenantId: number, gatewayId: string | null): void {
  if (gatewayId) app.deps.bus.emit('devices_named', { tenantId, gatewayId })
}

const read = needs('read:device')
const manage = needs('manage:device')

export function deviceRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  mount(app, '/device-templates', deviceTemplateRoutes)

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDevices',
        summary: 'List devices',
        querystring: DeviceQuery,
        response: { 200: Page(Device) },
      },
    },
    (request) => devices.list(request.tenantDb(), request.query, now()),
  )

  app.post(
    '/',
    {
      ...withErrors(manage, 'flat 422'),
      schema: {
        tags,
        operationId: 'createDevice',
        summary: 'Create a device',
        body: CreateDevice,
        response: { 201: Device },
      },
    },
    async (request, reply) => {
      const device = await request.tenantTx(async (tx) => {
        await assertDeviceQuota(app.deps, tx)
        return found('device', await devices.find(tx, await createDevice(tx, request.body), now()))
      })
      notifyGateways(app, request.principal.tenantId, device.mqtt_gateway_id)
      notifyNamed(app, request.principal.tenantId, device.mqtt_gateway_id)
      return reply.code(201).send(device)
    },
  )

  oneDevice(app)
}

function oneDevice(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: ['is_online', 'last_seen'],
      schema: {
        tags,
        operationId: 'getDevice',
        summary: 'Get a device',
        params: IdParams,
        response: { 200: Device },
      },
    },
    async (request) => found('device', await devices.find(request.tenantDb(), request.params.id, now())),
  )

  app.put(
    '/:id',
    {
      ...withErrors(manage, 'flat 422'),
      schema: {
        tags,
        operationId: 'updateDevice',
        summary: 'Update a device: omitted fields are unchanged',
        description:
          'extra_metadata: absent or null changes nothing, {} clears the map, otherwise the sent keys are ' +
          'merged. A device on a message-broker gateway needs a template that can be read over it (422 ' +
          'MQTT_TEMPLATE_REQUIRED).',
        params: IdParams,
        body: UpdateDevice,
        response: { 200: Device },
      },
    },
    async (request) => {
      const { before, after } = await request.tenantTx(async (tx) => {
        const before = await devices.find(tx, request.params.id, now())
        await updateDevice(tx, request.params.id, request.body)
        return { before, after: found('device', await devices.find(tx, request.params.id, now())) }
      })
      notifyGateways(app, request.principal.tenantId, before?.mqtt_gateway_id, after.mqtt_gateway_id)
      notifyNamed(app, request.principal.tenantId, after.mqtt_gateway_id)
      return after
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteDevice',
        summary: 'Delete a device with its measurements; refused while a meter assignment uses it',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const removed = await request.tenantTx(async (tx) => {
        const device = found('device', await devices.find(tx, request.params.id, now()))
        found('device', (await devices.remove(tx, request.params.id)) || undefined)
        return device
      })
      notifyGateways(app, request.principal.tenantId, removed.mqtt_gateway_id)
      return reply.code(204).send(null)
    },
  )
}

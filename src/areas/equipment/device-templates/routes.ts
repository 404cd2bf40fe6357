import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { mount } from '../../../platform/http/mount.ts'
import { Page } from '../../../platform/http/page.ts'
import { registerMapRoutes } from './register-map-routes.ts'
import { importTemplate } from './register-map-service.ts'
import {
  CreateDeviceTemplate,
  DeviceTemplate,
  DeviceTemplateQuery,
  ImportQuery,
  ImportTemplate,
  TemplateWithNotes,
  UpdateDeviceTemplate,
} from './schema.ts'
import { createTemplate, removeTemplate, updateTemplate } from './service.ts'
import * as templates from './store.ts'

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** Emitted after a change of a device template of the tenant, so that its register map is read again. */
    device_templates_changed: { readonly tenantId: number }
  }
}

const tags = ['device templates']

export function deviceTemplateRoutes(app: App): void {
  const read = needs('read:device')
  const manage = needs('manage:device')
  mount(app, '', registerMapRoutes)
  importRoute(app)

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDeviceTemplates',
        summary: 'List device templates',
        querystring: DeviceTemplateQuery,
        response: { 200: Page(DeviceTemplate) },
      },
    },
    (request) => templates.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createDeviceTemplate',
        summary: 'Create a device template',
        body: CreateDeviceTemplate,
        response: { 201: DeviceTemplate },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => createTemplate(tx, request.body))),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getDeviceTemplate',
        summary: 'Get a device template',
        params: IdParams,
        response: { 200: DeviceTemplate },
      },
    },
    async (request) => found('device template', await templates.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateDeviceTemplate',
        summary: 'Update a device template: omitted fields are unchanged',
        params: IdParams,
        body: UpdateDeviceTemplate,
        response: { 200: DeviceTemplate },
      },
    },
    async (request) => {
      const template = await request.tenantTx((tx) => updateTemplate(tx, request.params.id, request.body))
      app.deps.bus.emit('device_templates_changed', { tenantId: request.principal.tenantId })
      return template
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteDeviceTemplate',
        summary: 'Delete a device template that no device uses',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => removeTemplate(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

function importRoute(app: App): void {
  app.post(
    '/import',
    {
      ...needs('manage:device'),
      schema: {
        tags,
        operationId: 'importDeviceTemplate',
        summary:
          'Create a device template from a SunSpec model or from the zigbee2mqtt definition of a device',
        description:
          'SunSpec: addresses are counted from `base_address`, scale factors are kept as references, and ' +
          'points with a known metric get its name. zigbee2mqtt: each published value gets its `mqtt_path`. ' +
          '`notes` list omitted points and assumptions.',
        querystring: ImportQuery,
        body: ImportTemplate,
        response: { 201: TemplateWithNotes },
      },
    },
    async (request, reply) => {
      const { format } = request.query
      const made = await request.tenantTx((tx) => importTemplate(tx, format, request.body))
      return reply.code(201).send(made)
    },
  )
}

import { Type } from 'typebox'
import { found } from '../../kernel/errors.ts'
import { needs } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/app-type.ts'
import { IdParams } from '../../platform/http/fields.ts'
import { Page } from '../../platform/http/page.ts'
import { CreateDeviceTemplate, DeviceTemplate, DeviceTemplateQuery, UpdateDeviceTemplate } from './schema.ts'
import { removeTemplate, updateTemplate } from './service.ts'
import * as templates from './store.ts'

const tags = ['device templates']

export function deviceTemplateRoutes(app: App): void {
  const read = needs('read:device')
  const manage = needs('manage:device')

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
      reply.code(201).send(await request.tenantTx((tx) => templates.create(tx, request.body))),
  )

  app.get(
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
    (request) => request.tenantTx((tx) => updateTemplate(tx, request.params.id, request.body)),
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

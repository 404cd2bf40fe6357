import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { sendList } from '../../../platform/http/page.ts'
import { MAPPINGS_MAX } from './limits.ts'
import { Mapping, MappingsQuery, SaveMapping } from './mapping-schema.ts'
import * as service from './mapping-service.ts'
import * as store from './mapping-store.ts'

const tags = ['netting proof']
const read = needs('read:netting')
const manage = needs('manage:netting')

/** The corrected fields of invoices, by supplier and layout. */
export function invoiceMappingRoutes(app: App): void {
  app.get(
    '/invoice-mappings',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listInvoiceMappings',
        summary: 'List the field mappings of invoices, by supplier',
        querystring: MappingsQuery,
        response: { 200: Type.Array(Mapping) },
      },
    },
    async (request, reply) => sendList(reply, await store.list(request.tenantDb(), request.query)),
  )
  getResource(
    app,
    '/invoice-mappings/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getInvoiceMapping',
        summary: 'Get a field mapping of invoices',
        params: IdParams,
        response: { 200: Mapping },
      },
    },
    async (request) => found('invoice mapping', await store.find(request.tenantDb(), request.params.id)),
  )
  writeRoutes(app)
}

function writeRoutes(app: App): void {
  app.post(
    '/invoice-mappings',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createInvoiceMapping',
        summary: 'Store how the invoices of a supplier are read',
        description:
          `Later invoices and repeated checks are read with it. 409 STATE_CONFLICT beyond ${MAPPINGS_MAX} mappings, ` +
          'and for a supplier and layout that have one.',
        body: SaveMapping,
        response: { 201: Mapping },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, at: app.deps.clock.now() }
      return reply.code(201).send(await request.tenantTx((tx) => service.createMapping(tx, request.body, by)))
    },
  )
  app.put(
    '/invoice-mappings/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'replaceInvoiceMapping',
        summary: 'Replace a field mapping of invoices',
        params: IdParams,
        body: SaveMapping,
        response: { 200: Mapping },
      },
    },
    (request) => {
      const by = { by: request.principal.id, at: app.deps.clock.now() }
      return request.tenantTx((tx) => service.replaceMapping(tx, request.params.id, request.body, by))
    },
  )
  app.delete(
    '/invoice-mappings/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteInvoiceMapping',
        summary: 'Delete a field mapping of invoices; stored checks keep what they were read with',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await request.tenantTx(async (tx) => found('invoice mapping', await store.remove(tx, id)))
      return reply.code(204).send(null)
    },
  )
}

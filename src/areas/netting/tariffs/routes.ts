import { Type } from 'typebox'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App, Principal } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { sendList } from '../../../platform/http/page.ts'
import {
  CreatePrice,
  CreatePriceSet,
  Price,
  PriceQuery,
  PriceSet,
  PriceSetQuery,
  TemplateQuery,
  UpdatePriceSet,
} from './schema.ts'
import { addPrice, approveSet, createSet, decodedPeriod, deleteSet, foundSet, updateSet } from './service.ts'
import * as tariffs from './store.ts'
import { makeTemplate } from './template.ts'

const tags = ['regulated tariffs']

/** Events for other modules. They import this module, so it must not import them. */
export interface TariffEvents {
  /** Called after the commit of an approval and before its response; it must not block. */
  readonly onApproved: () => void
}

/** National data: superuser only, and no tenant in it. */
export const tariffRoutes =
  (events: TariffEvents) =>
  (app: App): void => {
    setErrorShape(app, 'nested', 'NOT_FOUND')
    setRoutes(app)
    setActionRoutes(app, events)
    priceRoutes(app)
    templateRoute(app)
  }

const actorOf = (app: App, { id }: Principal) => ({ userId: id, now: app.deps.clock.now() })

function setRoutes(app: App): void {
  app.get(
    '/price-sets',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTariffPriceSets',
        summary: 'List price sets, newest first',
        querystring: PriceSetQuery,
        response: { 200: Type.Array(PriceSet) },
      },
    },
    async (request, reply) => sendList(reply, await tariffs.listSets(request.systemDb(), request.query)),
  )

  app.post(
    '/price-sets',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'createTariffPriceSet',
        summary: 'Create a price set as a draft',
        body: CreatePriceSet,
        response: { 201: PriceSet },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const set = await request.systemTx((tx) => createSet(tx, body, actorOf(app, principal)))
      return reply.code(201).send(set)
    },
  )

  getResource(
    app,
    '/price-sets/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getTariffPriceSet',
        summary: 'Get a price set',
        params: IdParams,
        response: { 200: PriceSet },
      },
    },
    async (request) => foundSet(await tariffs.findSet(request.systemDb(), request.params.id)),
  )

  app.patch(
    '/price-sets/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'updateTariffPriceSet',
        summary: 'Correct the metadata of a draft, or archive an approved set',
        params: IdParams,
        body: UpdatePriceSet,
        response: { 200: PriceSet },
      },
    },
    (request) => request.systemTx((tx) => updateSet(tx, request.params.id, request.body)),
  )
}

function setActionRoutes(app: App, { onApproved }: TariffEvents): void {
  app.post(
    '/price-sets/:id/approve',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'approveTariffPriceSet',
        summary: 'Approve a draft; afterwards its prices are used and cannot change',
        description:
          'Groups that were blocked because of a missing approved price are evaluated immediately afterwards.',
        params: IdParams,
        response: { 200: PriceSet },
      },
    },
    async (request) => {
      const { params, principal } = request
      const set = await request.systemTx((tx) => approveSet(tx, params.id, actorOf(app, principal)))
      onApproved()
      return set
    },
  )

  app.delete(
    '/price-sets/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'deleteTariffPriceSet',
        summary: 'Delete a draft with its prices',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.systemTx((tx) => deleteSet(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

function priceRoutes(app: App): void {
  app.get(
    '/price-sets/:id/prices',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTariffPrices',
        summary: 'List the prices of a set, newest first',
        params: IdParams,
        querystring: PriceQuery,
        response: { 200: Type.Array(Price) },
      },
    },
    async (request, reply) => {
      const { id } = foundSet(await tariffs.findSet(request.systemDb(), request.params.id))
      return sendList(reply, await tariffs.listPrices(request.systemDb(), id, request.query))
    },
  )

  app.post(
    '/price-sets/:id/prices',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'addTariffPrice',
        summary: 'Add a price to a draft',
        params: IdParams,
        body: CreatePrice,
        response: { 201: Price },
      },
    },
    async (request, reply) => {
      const { body, params } = request
      const now = app.deps.clock.now()
      return reply.code(201).send(await request.systemTx((tx) => addPrice(tx, params.id, body, now)))
    },
  )
}

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

function templateRoute(app: App): void {
  app.get(
    '/import-template',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getTariffImportTemplate',
        summary:
          'Download a template for the import: all headers in their order, and example rows that can be ' +
          'imported',
        querystring: TemplateQuery,
        produces: Object.values(FILE_TYPES),
        response: { 200: Type.Unsafe<Buffer>({ description: 'The file as an attachment.' }) },
      },
    },
    async (request, reply) => {
      const { format, billing_period: period } = request.query
      return reply
        .type(FILE_TYPES[format])
        .header('Content-Disposition', `attachment; filename="tariff-import-template.${format}"`)
        .send(await makeTemplate(format, app.deps.clock.now(), period && decodedPeriod(period)))
    },
  )
}

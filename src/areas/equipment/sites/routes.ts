import { type Static, type TSchema, Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateRegion, Region, RegionQuery, UpdateRegion } from './region-schema.ts'
import * as regions from './region-store.ts'
import { CreateSubregion, Subregion, SubregionQuery, UpdateSubregion } from './subregion-schema.ts'
import * as subregions from './subregion-store.ts'

export const regionRoutes = (app: App): void =>
  siteRoutes(app, {
    name: 'region',
    operationIds: {
      list: 'listRegions',
      create: 'createRegion',
      get: 'getRegion',
      update: 'updateRegion',
      remove: 'deleteRegion',
    },
    schemas: { item: Region, query: RegionQuery, create: CreateRegion, update: UpdateRegion },
    store: regions,
  })

export const subregionRoutes = (app: App): void =>
  siteRoutes(app, {
    name: 'subregion',
    operationIds: {
      list: 'listSubregions',
      create: 'createSubregion',
      get: 'getSubregion',
      update: 'updateSubregion',
      remove: 'deleteSubregion',
    },
    schemas: { item: Subregion, query: SubregionQuery, create: CreateSubregion, update: UpdateSubregion },
    store: subregions,
  })

/** A level of the sites. The functions of its store match its schemas. */
interface SiteLevel<
  Item extends TSchema,
  Query extends TSchema,
  Create extends TSchema,
  Update extends TSchema,
> {
  readonly name: 'region' | 'subregion'
  readonly operationIds: Readonly<Record<'list' | 'create' | 'get' | 'update' | 'remove', string>>
  readonly schemas: {
    readonly item: Item
    readonly query: Query
    readonly create: Create
    readonly update: Update
  }
  readonly store: {
    list(tenant: TenantDb, query: Static<Query>): Promise<{ readonly items: readonly Static<Item>[] }>
    find(tenant: TenantDb, id: string): Promise<Static<Item> | undefined>
    create(tx: TenantTx, body: Static<Create>): Promise<Static<Item>>
    update(tx: TenantTx, id: string, body: Static<Update>): Promise<Static<Item> | undefined>
    remove(tx: TenantTx, id: string): Promise<{ readonly id: string } | undefined>
  }
}

/**
 * The five routes of a level. The types of bodies and queries are those of the store, which `SiteLevel`
 * compares with the schemas; Fastify cannot derive them from generic schemas.
 */
function siteRoutes<
  Item extends TSchema,
  Query extends TSchema,
  Create extends TSchema,
  Update extends TSchema,
>(app: App, { name, operationIds, schemas, store }: SiteLevel<Item, Query, Create, Update>): void {
  const read = needs('read:region')
  const manage = needs('manage:region')
  const tags = [`${name}s`]
  const item: TSchema = schemas.item
  const schemaOf = (operation: keyof typeof operationIds, summary: string) => ({
    tags,
    operationId: operationIds[operation],
    summary,
  })

  app.get(
    '/',
    {
      ...read,
      schema: {
        ...schemaOf('list', `List ${name}s`),
        querystring: schemas.query as TSchema,
        response: { 200: Page(item) as TSchema },
      },
    },
    (request) => store.list(request.tenantDb(), request.query as Static<Query>),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        ...schemaOf('create', `Create a ${name}`),
        body: schemas.create as TSchema,
        response: { 201: item },
      },
    },
    async (request, reply) => {
      const created = await request.tenantTx((tx) => store.create(tx, request.body as Static<Create>))
      return reply.code(201).send(created)
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: { ...schemaOf('get', `Get a ${name}`), params: IdParams, response: { 200: item } },
    },
    async (request) => found(name, await store.find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        ...schemaOf('update', `Update a ${name}: omitted fields are unchanged`),
        params: IdParams,
        body: schemas.update as TSchema,
        response: { 200: item },
      },
    },
    async (request) => {
      const body = request.body as Static<Update>
      return found(name, await request.tenantTx((tx) => store.update(tx, request.params.id, body)))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        ...schemaOf('remove', `Delete a ${name}`),
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found(name, await request.tenantTx((tx) => store.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

import { found } from '../../../kernel/errors.ts'
import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { DeletionConfirmation, requestDeletion, TenantDeletion } from '../tenant-deletion/index.ts'
import { CreatedTenant, CreateTenant, Tenant, TenantQuery, UpdateTenant } from './schema.ts'
import { createTenantFromBody, updateTenant } from './service.ts'
import { findByUid, list } from './store.ts'

const tags = ['tenants']

export function tenantRoutes(app: App): void {
  readRoutes(app)
  changeRoutes(app)
}

function readRoutes(app: App): void {
  app.get(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTenants',
        summary: 'List tenants',
        querystring: TenantQuery,
        response: { 200: Page(Tenant) },
      },
    },
    (request) => list(request.systemDb(), request.query),
  )

  getResource(
    app,
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getTenant',
        summary: 'Get a tenant',
        params: IdParams,
        response: { 200: Tenant },
      },
    },
    async (request) => found('tenant', await findByUid(request.systemDb(), request.params.id)),
  )
}

function changeRoutes(app: App): void {
  app.post(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'createTenant',
        summary: 'Create a tenant with its system roles and its first admin',
        description: 'A slug or address that is already in use is 409 DUPLICATE_ENTRY.',
        body: CreateTenant,
        response: { 201: CreatedTenant },
      },
    },
    async ({ principal, body }, reply) =>
      reply.code(201).send(await createTenantFromBody(app.deps, body, shareOfUser(principal))),
  )

  app.patch(
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'updateTenant',
        summary: 'Rename, deactivate or reactivate a tenant',
        description:
          'Omitted fields are unchanged; the slug stays; a body without a field to change is 422. Requests of an ' +
          "inactive tenant are 401 TENANT_INACTIVE at once; sockets and jobs follow within a minute. The caller's " +
          'own tenant cannot be deactivated, and a tenant whose deletion was requested cannot be changed (409 ' +
          'STATE_CONFLICT).',
        params: IdParams,
        body: UpdateTenant,
        response: { 200: Tenant },
      },
    },
    (request) =>
      updateTenant(app.deps, {
        id: request.params.id,
        body: request.body,
        ownTenantUid: request.principal.tenantUid,
      }),
  )

  app.delete(
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'deleteTenant',
        summary: 'Delete a deactivated tenant with all its data',
        description:
          'Confirmed by the name of the tenant in `name`; another name is 422. A job deletes the data; the response ' +
          'and GET /api/v1/admin/tenant-deletions/<id> show its progress. A repeated request returns the same ' +
          "deletion. An active tenant and the caller's own tenant cannot be deleted (409 STATE_CONFLICT). The " +
          'deletion cannot be undone.',
        params: IdParams,
        querystring: DeletionConfirmation,
        response: { 202: TenantDeletion },
      },
    },
    async ({ params, query, principal }, reply) =>
      reply.code(202).send(await requestDeletion(app.deps, { id: params.id, name: query.name, principal })),
  )
}

import { found } from '../../../kernel/errors.ts'
import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreatedTenant, CreateTenant, Tenant, TenantQuery, UpdateTenant } from './schema.ts'
import { createTenantFromBody, updateTenant } from './service.ts'
import { findByUid, list } from './store.ts'

const tags = ['tenants']

export function tenantRoutes(app: App): void {
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

  app.patch(
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'updateTenant',
        summary: 'Rename, deactivate or reactivate a tenant',
        description:
          'Omitted fields are unchanged; the slug stays. Requests of an inactive tenant are 401 TENANT_INACTIVE at ' +
          "once; sockets and jobs follow within a minute. The caller's own tenant cannot be deactivated (409 " +
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
}

import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreatedTenant, CreateTenant, Tenant, TenantQuery } from './schema.ts'
import { createTenantFromBody } from './service.ts'
import { list } from './store.ts'

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
}

import { found } from '../../../kernel/errors.ts'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { DeletionQuery, TenantDeletion } from './schema.ts'
import { find, list } from './store.ts'

const tags = ['tenants']

/** The deletions of tenants; they are requested by DELETE of the tenant. */
export function tenantDeletionRoutes(app: App): void {
  app.get(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTenantDeletions',
        summary: 'List deletions of tenants with their progress',
        querystring: DeletionQuery,
        response: { 200: Page(TenantDeletion) },
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
        operationId: 'getTenantDeletion',
        summary: 'Get the deletion of a tenant with its progress',
        description: 'The record stays after the end of the deletion.',
        params: IdParams,
        response: { 200: TenantDeletion },
      },
    },
    async (request) => found('tenant deletion', await find(request.systemDb(), request.params.id)),
  )
}

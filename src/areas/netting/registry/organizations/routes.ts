import { Type } from 'typebox'
import { found } from '../../../../kernel/errors.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { CreateOrganization, Organization, OrganizationQuery, UpdateOrganization } from './schema.ts'
import * as organizations from './store.ts'

const tags = ['netting organizations']

export function organizationRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.get(
    '/organizations',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listOrganizations',
        summary: "List the tenant's own and the system-wide organizations, by name",
        querystring: OrganizationQuery,
        response: { 200: Type.Array(Organization) },
      },
    },
    async (request, reply) => sendList(reply, await organizations.list(request.tenantDb(), request.query)),
  )

  app.post(
    '/organizations',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createOrganization',
        summary: "Create an organization in the caller's tenant",
        body: CreateOrganization,
        response: { 201: Organization },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => organizations.create(tx, request.body))),
  )

  app.patch(
    '/organizations/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateOrganization',
        summary: "Update one of the tenant's own organizations; a system-wide one is 404",
        params: IdParams,
        body: UpdateOrganization,
        response: { 200: Organization },
      },
    },
    async (request) =>
      found(
        'organization',
        await request.tenantTx((tx) => organizations.update(tx, request.params.id, request.body)),
      ),
  )
}

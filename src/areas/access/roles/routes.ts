import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateRole, Role, RoleQuery, UpdateRole } from './schema.ts'
import * as roles from './service.ts'
import { find, list } from './store.ts'

const tags = ['roles']
const read = needs('read:role')
const manage = needs('manage:role')

export function roleRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listRoles',
        summary: 'List roles',
        querystring: RoleQuery,
        response: { 200: Page(Role) },
      },
    },
    (request) => list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createRole',
        summary: 'Create a role',
        description: 'The caller can grant only permissions that the caller holds (403).',
        body: CreateRole,
        response: { 201: Role },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => roles.create(tx, request.principal, request.body))),
  )
  oneRole(app)
}

function oneRole(app: App): void {
  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getRole',
        summary: 'Get a role',
        params: IdParams,
        response: { 200: Role },
      },
    },
    async (request) => found('role', await find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateRole',
        summary: 'Update a role: omitted fields are unchanged',
        description:
          'The caller must hold every permission that the role has or gets (403). A system role cannot be ' +
          'changed (409).',
        params: IdParams,
        body: UpdateRole,
        response: { 200: Role },
      },
    },
    async (request) => {
      const change = { id: request.params.id, body: request.body }
      return found('role', await request.tenantTx((tx) => roles.update(tx, request.principal, change)))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteRole',
        summary: 'Delete a role',
        description:
          'The caller must hold every permission of the role (403). A system role, or a role that is ' +
          'assigned to users, cannot be deleted (409).',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      found('role', await request.tenantTx((tx) => roles.remove(tx, principal, params.id)))
      return reply.code(204).send(null)
    },
  )
}

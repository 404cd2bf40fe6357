import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateUser, UpdateUser, User, UserQuery } from './schema.ts'
import * as users from './service.ts'
import { find, list } from './store.ts'

const tags = ['users']
const read = needs('read:user')
const manage = needs('manage:user')

export function userRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listUsers',
        summary: 'List users',
        querystring: UserQuery,
        response: { 200: Page(User) },
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
        operationId: 'createUser',
        summary: 'Create a user',
        description: 'The address must not be registered anywhere in the service (409 DUPLICATE_ENTRY).',
        body: CreateUser,
        response: { 201: User },
      },
    },
    async (request, reply) => {
      const { password, ...body } = request.body
      const passwordHash = await app.deps.passwords.hash(password, shareOfUser(request.principal))
      const user = await request.tenantTx((tx) =>
        users.create(tx, request.principal, { ...body, passwordHash }),
      )
      return reply.code(201).send(user)
    },
  )
  oneUser(app)
}

function oneUser(app: App): void {
  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: ['last_login_at'],
      schema: {
        tags,
        operationId: 'getUser',
        summary: 'Get a user',
        params: IdParams,
        response: { 200: User },
      },
    },
    async (request) => found('user', await find(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateUser',
        summary: 'Update a user: omitted fields are unchanged',
        description:
          'A password is not changed here: its owner changes or resets it. A user who holds more ' +
          'permissions than the caller cannot be changed (403); the last active admin can be neither ' +
          'deactivated nor stripped of the role, and nobody can deactivate themselves (409 ' +
          'STATE_CONFLICT).',
        params: IdParams,
        body: UpdateUser,
        response: { 200: User },
      },
    },
    async (request) => {
      const change = { id: request.params.id, body: request.body }
      return found('user', await request.tenantTx((tx) => users.update(tx, request.principal, change)))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteUser',
        summary: 'Delete a user permanently',
        description:
          'Records that name the user keep the id. A user who holds more permissions than the caller cannot ' +
          'be deleted (403). The last active admin and the caller cannot be deleted (409).',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      found('user', await request.tenantTx((tx) => users.remove(tx, principal, params.id)))
      return reply.code(204).send(null)
    },
  )
}

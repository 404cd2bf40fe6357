import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { forSignedIn, needsSignIn } from '../../../platform/http/access.ts'
import type { App, Principal } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { ApiKey, ApiKeyQuery, CreateApiKey, CreatedApiKey } from './schema.ts'
import * as keys from './service.ts'
import { type KeyOwner, list } from './store.ts'

const tags = ['API keys']
const ofCaller = ({ id }: Principal): KeyOwner => ({ kind: 'personal', userId: id })
const MACHINE: KeyOwner = { kind: 'machine' }
const read = needsSignIn('read:user')
const manage = needsSignIn('manage:user')

/** The personal keys of the caller. */
export function apiKeyRoutes(app: App): void {
  app.get(
    '/',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List the personal API keys of the caller',
        querystring: ApiKeyQuery,
        response: { 200: Page(ApiKey) },
      },
    },
    (request) => list(request.tenantDb(), ofCaller(request.principal), request.query),
  )

  app.post(
    '/',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create a personal API key',
        description:
          'The key acts for the caller, with the permissions that are listed here and that the caller still ' +
          'has. The response contains the key, which is not shown again. A user can have 20 keys (409 ' +
          'API_KEY_LIMIT_REACHED).',
        body: CreateApiKey,
        response: { 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const creation = { principal, body, owner: ofCaller(principal), now: app.deps.clock.now() }
      return reply.code(201).send(await request.tenantTx((tx) => keys.create(tx, creation)))
    },
  )

  app.delete(
    '/:id',
    {
      ...forSignedIn,
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke a personal API key of the caller',
        description: 'The key is refused at once (401); an open live socket of it is closed within seconds.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const key = { principal, owner: ofCaller(principal), id: params.id }
      found('API key', await request.tenantTx((tx) => keys.revoke(tx, key)))
      return reply.code(204).send(null)
    },
  )
}

/** The machine keys of the tenant. */
export function machineKeyRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listMachineKeys',
        summary: 'List the machine keys of the tenant',
        querystring: ApiKeyQuery,
        response: { 200: Page(ApiKey) },
      },
    },
    (request) => list(request.tenantDb(), MACHINE, request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createMachineKey',
        summary: 'Create a machine key',
        description:
          'A key for a program of the tenant, which every administrator sees and can revoke. The caller is its ' +
          'owner: the key has no permission that the owner lacks, and is refused while the owner is inactive. ' +
          'The response contains the key, which is not shown again. A tenant can have 200 machine keys (409 ' +
          'API_KEY_LIMIT_REACHED).',
        body: CreateApiKey,
        response: { 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const creation = { principal, body, owner: MACHINE, now: app.deps.clock.now() }
      return reply.code(201).send(await request.tenantTx((tx) => keys.create(tx, creation)))
    },
  )
  oneMachineKey(app)
}

function oneMachineKey(app: App): void {
  app.post(
    '/:id/take-over',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'takeOverMachineKey',
        summary: 'Become the owner of a machine key',
        description:
          'The key stays the same, so that no program has to be changed when its owner leaves the tenant. The ' +
          'caller must hold every permission of the key (403). Deleting a user deletes the keys that the user ' +
          'owns: take them over before.',
        params: IdParams,
        response: { 200: ApiKey },
      },
    },
    async (request) => {
      const { principal, params } = request
      const key = { principal, owner: MACHINE, id: params.id }
      return found('API key', await request.tenantTx((tx) => keys.takeOver(tx, key)))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'revokeMachineKey',
        summary: 'Revoke a machine key',
        description:
          'The key is refused at once (401); an open live socket of it is closed within seconds. The caller must ' +
          'hold every permission of the key (403).',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const key = { principal, owner: MACHINE, id: params.id }
      found('API key', await request.tenantTx((tx) => keys.revoke(tx, key)))
      return reply.code(204).send(null)
    },
  )
}

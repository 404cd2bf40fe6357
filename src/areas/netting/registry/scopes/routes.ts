import { Type } from 'typebox'
import { found } from '../../../../kernel/errors.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { routeContext } from '../../shared/index.ts'
import { CreateScope, Declaration, Scope, ScopeQuery, UpdateScope } from './schema.ts'
import { declareSameParty } from './service.ts'
import * as scopes from './store.ts'

const tags = ['netting scopes']

export function scopeRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.get(
    '/scopes',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listScopes',
        summary: 'List scopes, by name',
        querystring: ScopeQuery,
        response: { 200: Type.Array(Scope) },
      },
    },
    async (request, reply) => sendList(reply, await scopes.list(request.tenantDb(), request.query)),
  )

  app.post(
    '/scopes',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createScope',
        summary: 'Create a scope; a separate operation declares it',
        body: CreateScope,
        response: { 201: Scope },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => scopes.create(tx, request.body))),
  )

  app.patch(
    '/scopes/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateScope',
        summary: 'Update a scope: omitted fields are unchanged, null clears',
        params: IdParams,
        body: UpdateScope,
        response: { 200: Scope },
      },
    },
    async (request) =>
      found('scope', await request.tenantTx((tx) => scopes.update(tx, request.params.id, request.body))),
  )

  app.post(
    '/scopes/:id/declare-same-official-party',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'declareSameOfficialParty',
        summary: 'Declare that the scope is one official party',
        description: 'A weaker source than the one on record is refused with 409 PROVENANCE_DOWNGRADE.',
        params: IdParams,
        body: Declaration,
        response: { 201: Scope },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const actor = routeContext(principal, app.deps.clock)
      return reply
        .code(201)
        .send(await request.tenantTx((tx) => declareSameParty(tx, params.id, body, actor)))
    },
  )
}

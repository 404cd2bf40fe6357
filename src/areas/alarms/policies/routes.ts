import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { Page } from '../../../platform/http/page.ts'
import { publishChanges } from '../incidents/index.ts'
import { ChangedPolicy, CreatePolicy, Policy, PolicyQuery, UpdatePolicy } from './schema.ts'
import * as policies from './service.ts'
import { findPolicy, listPolicies } from './store.ts'

const tags = ['alarms']

export function alarmPolicyRoutes(app: App): void {
  const now = () => app.deps.clock.now()

  app.get(
    '/',
    {
      ...needs('read:alarm'),
      schema: {
        tags,
        operationId: 'listAlarmPolicies',
        summary: 'List alarm policies, except those of the system',
        querystring: PolicyQuery,
        response: { 200: Page(Policy) },
      },
    },
    async (request) => {
      const page = await listPolicies(request.tenantDb(), request.query)
      return { ...page, items: page.items.map(policies.toResponse) }
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...needs('read:alarm'),
      schema: {
        tags,
        operationId: 'getAlarmPolicy',
        summary: 'Get an alarm policy',
        params: IdParams,
        response: { 200: Policy },
      },
    },
    async (request) =>
      policies.toResponse(found('alarm policy', await findPolicy(request.tenantDb(), request.params.id))),
  )
  writeRoutes(app, now)
}

function writeRoutes(app: App, now: () => number): void {
  const manage = needs('manage:alarm')

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createAlarmPolicy',
        summary: 'Create an alarm policy',
        body: CreatePolicy,
        response: { 201: ChangedPolicy },
      },
    },
    async (request, reply) => {
      const policy = await request.tenantTx((tx) => policies.createPolicy(tx, request.body, now()))
      return reply.code(201).send(withWarningTexts(policy, languageOf(reply)))
    },
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateAlarmPolicy',
        summary: 'Update an alarm policy: omitted fields are unchanged',
        params: IdParams,
        body: UpdatePolicy,
        response: { 200: ChangedPolicy },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const { policy, closed } = await request.tenantTx((tx) =>
        policies.updatePolicy(tx, params.id, { body, at: now() }),
      )
      publishChanges(app.deps, principal.tenantId, { opened: [], closed })
      return withWarningTexts(policy, languageOf(reply))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteAlarmPolicy',
        summary: 'Delete an alarm policy; its incidents are closed and kept',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params, principal } = request
      const closed = await request.tenantTx((tx) => policies.deletePolicy(tx, params.id, now()))
      publishChanges(app.deps, principal.tenantId, { opened: [], closed })
      return reply.code(204).send(null)
    },
  )
}

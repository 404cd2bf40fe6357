import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { Page, sendList } from '../../../../platform/http/page.ts'
import { listPolicies } from './policy-store.ts'
import {
  CreateEscalationPolicy,
  EscalationMessage,
  EscalationMessageQuery,
  EscalationPolicy,
  EscalationPolicyQuery,
  UpdateEscalationPolicy,
} from './schema.ts'
import * as service from './service.ts'

const tags = ['alarms']
const read = needs('read:alarm')
const manage = needs('manage:alarm')

/** Below /api/escalation-policies. */
export function escalationRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listEscalationPolicies',
        summary: 'List the escalation policies',
        querystring: EscalationPolicyQuery,
        response: { 200: Page(EscalationPolicy) },
      },
    },
    (request) => listPolicies(request.tenantDb(), request.query),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getEscalationPolicy',
        summary: 'Get an escalation policy',
        params: IdParams,
        response: { 200: EscalationPolicy },
      },
    },
    (request) => service.getPolicy(request.tenantDb(), request.params.id),
  )
  writeRoutes(app)
}

function writeRoutes(app: App): void {
  const { clock, config } = app.deps

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createEscalationPolicy',
        summary: 'Create an escalation policy',
        description:
          'An alarm policy names it with escalation_policy_id, or it is the default of severities.',
        body: CreateEscalationPolicy,
        response: { 201: EscalationPolicy },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await request.tenantTx((tx) =>
            service.createPolicy(tx, request.body, { at: clock.now(), rules: config }),
          ),
        ),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateEscalationPolicy',
        summary: 'Update an escalation policy: omitted fields are unchanged',
        description: 'Running escalations continue with the changed levels.',
        params: IdParams,
        body: UpdateEscalationPolicy,
        response: { 200: EscalationPolicy },
      },
    },
    (request) =>
      request.tenantTx((tx) =>
        service.updatePolicy(tx, request.params.id, { body: request.body, at: clock.now(), rules: config }),
      ),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteEscalationPolicy',
        summary: 'Delete an escalation policy; 409 while an alarm policy names it',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.removePolicy(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

/** Below /api/alarms/incidents. */
export function incidentEscalationRoutes(app: App): void {
  app.get(
    '/:id/escalations',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listIncidentEscalations',
        summary: 'List the messages of the escalation of an incident, oldest first',
        params: IdParams,
        querystring: EscalationMessageQuery,
        response: { 200: Type.Array(EscalationMessage) },
      },
    },
    async (request, reply) =>
      sendList(reply, await service.listMessages(request.tenantDb(), request.params.id, request.query)),
  )
}

import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import { ScenarioDetail } from '../scenarios/index.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import {
  CreateOptimisation,
  Flow,
  FlowsQuery,
  OptimisationDetail,
  OptimisationHead,
  OptimisationsQuery,
  SetPoint,
  SetPointsQuery,
} from './schema.ts'
import * as service from './service.ts'

const tags = ['netting optimisation']
const read = needs('read:netting')
const manage = needs('manage:netting')

export function optimisationRoutes(app: App): void {
  manageRoutes(app)
  partRoutes(app)
  app.get(
    '/optimisations',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOptimisations',
        summary: 'List optimisations, newest first',
        querystring: OptimisationsQuery,
        response: { 200: Type.Array(OptimisationHead) },
      },
    },
    async (request, reply) =>
      sendList(reply, await service.listOptimisations(request.tenantDb(), request.query)),
  )
  getResource(
    app,
    '/optimisations/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOptimisation',
        summary: 'Get an optimisation with its progress, its result and its gap',
        params: IdParams,
        response: { 200: OptimisationDetail },
      },
    },
    (request) => service.findOptimisation(request.tenantDb(), request.params.id),
  )
  app.get(
    '/optimisations/:id/set-points',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listSetPoints',
        summary:
          'List the set points of the batteries by hour, for a controller; nothing is sent to a device',
        params: IdParams,
        querystring: SetPointsQuery,
        response: { 200: Type.Array(SetPoint) },
      },
    },
    async (request, reply) =>
      sendList(reply, await service.listSetPoints(request.tenantDb(), request.params.id, request.query)),
  )
}

function partRoutes(app: App): void {
  app.get(
    '/optimisations/:id/flows',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listOptimisedFlows',
        summary: 'List the matched energy of each producer by consumer, of an allocation',
        params: IdParams,
        querystring: FlowsQuery,
        response: { 200: Type.Array(Flow) },
      },
    },
    async (request, reply) =>
      sendList(reply, await service.listFlows(request.tenantDb(), request.params.id, request.query)),
  )
}

function manageRoutes(app: App): void {
  app.post(
    '/optimisations',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createOptimisation',
        summary: 'Create an optimisation of the current results of groups and months; a job computes it',
        description:
          'The solver works on a model; its proposal is computed by the rules of netting, and shown with the gap to ' +
          'what is proven (docs/understand/netting/optimisation.md). A model that is too large ends it as failed. ' +
          '422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many optimisations.',
        body: CreateOptimisation,
        response: { 201: OptimisationDetail },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const created = await request.tenantTx((tx) => service.createOptimisation(tx, request.body, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.optimisations, tenantId: request.principal.tenantId })
      return reply.code(201).send(created)
    },
  )
  app.post(
    '/optimisations/:id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelOptimisation',
        summary: 'Cancel an optimisation that waits or is being computed',
        params: IdParams,
        response: { 200: OptimisationDetail },
      },
    },
    (request) =>
      request.tenantTx((tx) => service.cancelOptimisation(tx, request.params.id, app.deps.clock.now())),
  )
  app.post(
    '/optimisations/:id/scenario',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createScenarioOfOptimisation',
        summary: 'Create a scenario of the same months with the changes of the proposal',
        params: IdParams,
        response: { 201: ScenarioDetail },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const created = await request.tenantTx((tx) => service.createScenarioOf(tx, request.params.id, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.scenarios, tenantId: request.principal.tenantId })
      return reply.code(201).send(created)
    },
  )
  app.delete(
    '/optimisations/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteOptimisation',
        summary: 'Delete an optimisation with its result',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.deleteOptimisation(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

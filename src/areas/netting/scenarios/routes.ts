import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import { openScenarioReport } from './report.ts'
import * as results from './results.ts'
import {
  ComparedScenario,
  ComparisonQuery,
  CreateScenario,
  HoursQuery,
  ResultQuery,
  ScenarioDetail,
  ScenarioHead,
  ScenarioHour,
  ScenarioMember,
  ScenarioMonth,
  ScenarioReportQuery,
  ScenariosQuery,
} from './schema.ts'
import * as service from './service.ts'

const tags = ['netting scenarios']
const read = needs('read:netting')
const manage = needs('manage:netting')

export function scenarioRoutes(app: App): void {
  manageRoutes(app)
  app.get(
    '/scenarios',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listScenarios',
        summary: 'List scenarios, newest first',
        querystring: ScenariosQuery,
        response: { 200: Type.Array(ScenarioHead) },
      },
    },
    async (request, reply) => sendList(reply, await service.listScenarios(request.tenantDb(), request.query)),
  )
  app.get(
    '/scenarios/comparison',
    {
      ...read,
      schema: {
        tags,
        operationId: 'compareScenarios',
        summary: 'Compare the totals of finished scenarios side by side, each with its base',
        querystring: ComparisonQuery,
        response: { 200: Type.Array(ComparedScenario) },
      },
    },
    (request) => results.compareScenarios(request.tenantDb(), request.query.ids),
  )
  getResource(
    app,
    '/scenarios/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getScenario',
        summary: 'Get a scenario with its progress and its totals',
        params: IdParams,
        response: { 200: ScenarioDetail },
      },
    },
    (request) => service.findScenario(request.tenantDb(), request.params.id),
  )
  resultRoutes(app)
}

function manageRoutes(app: App): void {
  app.post(
    '/scenarios',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createScenario',
        summary: 'Create a scenario: the stored inputs of months, with changes; a job computes it',
        description:
          'The base are the current results of the groups and months. An error of a field names the change by its ' +
          'position. A change that cannot be applied to the readings ends the scenario as failed, with error_change ' +
          'and error_field. 422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many scenarios.',
        body: CreateScenario,
        response: { 201: ScenarioDetail },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const created = await request.tenantTx((tx) => service.createScenario(tx, request.body, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.scenarios, tenantId: request.principal.tenantId })
      return reply.code(201).send(created)
    },
  )
  app.post(
    '/scenarios/:id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelScenario',
        summary: 'Cancel a scenario that waits or is being computed',
        params: IdParams,
        response: { 200: ScenarioDetail },
      },
    },
    (request) =>
      request.tenantTx((tx) => service.cancelScenario(tx, request.params.id, app.deps.clock.now())),
  )
  app.post(
    '/scenarios/:id/calculate',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'calculateScenario',
        summary: 'Compute a finished scenario again, from the results that are current now',
        params: IdParams,
        response: { 202: ScenarioDetail },
      },
    },
    async (request, reply) => {
      const waiting = await request.tenantTx((tx) => service.calculateAgain(tx, request.params.id))
      requestJob(app.deps, { job: REQUESTED_JOBS.scenarios, tenantId: request.principal.tenantId })
      return reply.code(202).send(waiting)
    },
  )
  app.delete(
    '/scenarios/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteScenario',
        summary: 'Delete a scenario with its result',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.deleteScenario(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

function resultRoutes(app: App): void {
  app.get(
    '/scenarios/:id/months',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listScenarioMonths',
        summary: 'List the result by month and group, without and with the changes',
        params: IdParams,
        querystring: ResultQuery,
        response: { 200: Type.Array(ScenarioMonth) },
      },
    },
    async (request, reply) =>
      sendList(reply, await results.listMonths(request.tenantDb(), request.params.id, request.query)),
  )
  app.get(
    '/scenarios/:id/members',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listScenarioMembers',
        summary: 'List the result by month, group and facility',
        params: IdParams,
        querystring: ResultQuery,
        response: { 200: Type.Array(ScenarioMember) },
      },
    },
    async (request, reply) =>
      sendList(reply, await results.listMembers(request.tenantDb(), request.params.id, request.query)),
  )
  app.get(
    '/scenarios/:id/hours',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'listScenarioHours',
        summary: 'List the hours of one group and month of the result',
        params: IdParams,
        querystring: HoursQuery,
        response: { 200: Type.Array(ScenarioHour) },
      },
    },
    async (request, reply) =>
      sendList(reply, await results.listHours(request.tenantDb(), request.params.id, request.query)),
  )
  app.get(
    '/scenarios/:id/report',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'getScenarioReport',
        summary: 'Download the result as CSV, XLSX or PDF, in Turkish or English',
        params: IdParams,
        querystring: ScenarioReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const query = withLocale(reply, request.query)
      const options = { query, now: app.deps.clock.now() }
      const file = await openScenarioReport(request.tenantDb(), request.params.id, options)
      return sendReport(reply, { ...file, format: query.format })
    },
  )
}

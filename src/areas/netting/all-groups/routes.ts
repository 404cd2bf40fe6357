import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { sendList } from '../../../platform/http/page.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import { readOverview } from './overview.ts'
import { Bulk, BulkBody, BulkGroup, BulkGroupsQuery, BulkQuery, GroupMonth, OverviewQuery } from './schema.ts'
import { findBulk, listBulkGroups, listBulks, startBulk } from './service.ts'

const tags = ['netting calculation']
const read = needs('read:netting')

export function allGroupsRoutes(app: App): void {
  app.get(
    '/groups/overview',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listGroupMonths',
        summary:
          'List one month of all groups, by name: status, figures, stale hours, open alarms and warnings',
        querystring: OverviewQuery,
        response: { 200: Type.Array(GroupMonth) },
      },
    },
    async (request, reply) =>
      sendList(reply, await readOverview(request.tenantDb(), request.query, languageOf(reply))),
  )
  bulkRoutes(app)
}

function bulkRoutes(app: App): void {
  app.post(
    '/groups/bulk',
    {
      ...needs('manage:netting'),
      schema: {
        tags,
        operationId: 'startBulkCalculation',
        summary: 'Calculate or correct a month of many groups in the background',
        description:
          'The response is the stored request; its resource shows the progress. The groups are processed one after ' +
          'the other, each as by its own request, and a stop of the service interrupts none of them for good.',
        body: BulkBody,
        response: { 201: Bulk },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const started = await request.tenantTx((tx) => startBulk(tx, request.body, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.bulkCalculations, tenantId: request.principal.tenantId })
      return reply.code(201).send(started)
    },
  )

  app.get(
    '/groups/bulk',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listBulkCalculations',
        summary: 'List the bulk requests, newest first',
        querystring: BulkQuery,
        response: { 200: Type.Array(Bulk) },
      },
    },
    async (request, reply) => sendList(reply, await listBulks(request.tenantDb(), request.query)),
  )

  getResource(
    app,
    '/groups/bulk/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getBulkCalculation',
        summary: 'Get a bulk request with its progress',
        params: IdParams,
        response: { 200: Bulk },
      },
    },
    (request) => findBulk(request.tenantDb(), request.params.id),
  )

  app.get(
    '/groups/bulk/:id/groups',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listBulkCalculationGroups',
        summary: 'List the results of a bulk request by group',
        params: IdParams,
        querystring: BulkGroupsQuery,
        response: { 200: Type.Array(BulkGroup) },
      },
    },
    async (request, reply) => {
      const options = { query: request.query, language: languageOf(reply) }
      return sendList(reply, await listBulkGroups(request.tenantDb(), request.params.id, options)) as never
    },
  )
}

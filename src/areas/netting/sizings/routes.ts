import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { sendList } from '../../../platform/http/page.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import { CreateSizing, SizingDetail, SizingHead, SizingsQuery } from './schema.ts'
import * as service from './service.ts'

const tags = ['netting scenarios']
const read = needs('read:netting')
const manage = needs('manage:netting')

export function sizingRoutes(app: App): void {
  app.get(
    '/sizings',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listSizings',
        summary: 'List sizings, newest first',
        querystring: SizingsQuery,
        response: { 200: Type.Array(SizingHead) },
      },
    },
    async (request, reply) => sendList(reply, await service.listSizings(request.tenantDb(), request.query)),
  )
  getResource(
    app,
    '/sizings/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getSizing',
        summary: 'Get a sizing with its progress and its points',
        params: IdParams,
        response: { 200: SizingDetail },
      },
    },
    (request) => service.findSizing(request.tenantDb(), request.params.id),
  )
  app.post(
    '/sizings',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createSizing',
        summary: 'Compute a scenario for each of several sizes of one change; a job computes it',
        description:
          'Errors as for a scenario; 422 BUSINESS_RULE_VIOLATION also for a change without a size or too many sizes.',
        body: CreateSizing,
        response: { 201: SizingDetail },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, now: app.deps.clock.now() }
      const created = await request.tenantTx((tx) => service.createSizing(tx, request.body, by))
      requestJob(app.deps, { job: REQUESTED_JOBS.sizings, tenantId: request.principal.tenantId })
      return reply.code(201).send(created)
    },
  )
  app.post(
    '/sizings/:id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelSizing',
        summary: 'Cancel a sizing that waits or is being computed',
        params: IdParams,
        response: { 200: SizingDetail },
      },
    },
    (request) => request.tenantTx((tx) => service.cancelSizing(tx, request.params.id, app.deps.clock.now())),
  )
  app.delete(
    '/sizings/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteSizing',
        summary: 'Delete a sizing with its result',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.deleteSizing(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

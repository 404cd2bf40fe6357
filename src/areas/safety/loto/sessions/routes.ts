import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { attachment } from '../../../../platform/http/attachment.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { Page, sendList } from '../../../../platform/http/page.ts'
import { withLocale } from '../../../../platform/http/reports.ts'
import { makeRecord } from '../record/service.ts'
import {
  CreateLotoSession,
  LotoEvent,
  LotoEventQuery,
  LotoRecordQuery,
  LotoSession,
  LotoSessionDetail,
  LotoSessionQuery,
  UpdateLotoSession,
} from './schema.ts'
import { changeSession, findSession, listSessionEvents, requestSession } from './service.ts'
import { list } from './store.ts'

const tags = ['lockout/tagout']
const read = needs('read:loto')
const manage = needs('manage:loto')

/** Below /api/loto/sessions: requesting and reading sessions. */
export function lotoSessionRoutes(app: App): void {
  readRoutes(app)
  recordRoute(app)
  const now = () => new Date(app.deps.clock.now())

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'requestLotoSession',
        summary: 'Request a LOTO session: work that needs isolated points',
        body: CreateLotoSession,
        response: { 201: LotoSessionDetail },
      },
    },
    async (request, reply) => {
      const action = { userId: request.principal.id, now: now() }
      return reply.code(201).send(await request.tenantTx((tx) => requestSession(tx, request.body, action)))
    },
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateLotoSession',
        summary: 'Update a pending session: omitted fields are unchanged',
        description:
          '403 LOTO_NOT_REQUESTER for every user except the requester: the user who changes a session must ' +
          'not approve it.',
        params: IdParams,
        body: UpdateLotoSession,
        response: { 200: LotoSessionDetail },
      },
    },
    (request) => {
      const action = { userId: request.principal.id, now: now() }
      return request.tenantTx((tx) => changeSession(tx, request.params.id, { body: request.body, action }))
    },
  )
}

function readRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listLotoSessions',
        summary: 'List LOTO sessions',
        querystring: LotoSessionQuery,
        response: { 200: Page(LotoSession) },
      },
    },
    (request) => list(request.tenantDb(), request.query),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLotoSession',
        summary: 'Get a LOTO session with its points and locks',
        params: IdParams,
        response: { 200: LotoSessionDetail },
      },
    },
    (request) => findSession(request.tenantDb(), request.params.id),
  )

  app.get(
    '/:id/events',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listLotoEvents',
        summary: 'Get the audit trail of a session, oldest entry first',
        params: IdParams,
        querystring: LotoEventQuery,
        response: { 200: Type.Array(LotoEvent) },
      },
    },
    async (request, reply) =>
      sendList(reply, await listSessionEvents(request.tenantDb(), request.params.id, request.query)),
  )
}

function recordRoute(app: App): void {
  app.get(
    '/:id/record.pdf',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLotoRecord',
        summary: 'Get the record of a session as a PDF for printing and signing',
        description:
          'The A4 record contains the current points, people, locks, verification and audit trail, with ' +
          'lines for signatures.',
        params: IdParams,
        querystring: LotoRecordQuery,
        response: {
          200: {
            description: 'The record, as an attachment.',
            content: {
              'application/pdf': {
                schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { content, fileName } = await makeRecord(request.tenantDb(), {
        id: request.params.id,
        locale: withLocale(reply, request.query).locale,
        at: app.deps.clock.now(),
      })
      return reply.type('application/pdf').header('Content-Disposition', attachment(fileName)).send(content)
    },
  )
}

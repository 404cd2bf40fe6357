import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { applySession, inspectPoints } from './apply-service.ts'
import { LotoApplication, LotoNote, LotoRejection, LotoSessionDetail } from './schema.ts'
import { approveSession, rejectSession, releaseSession } from './service.ts'

const tags = ['lockout/tagout']
const manage = needs('manage:loto')
const REFUSED = '409 STATE_CONFLICT when its status does not allow it.'

/** Below /api/loto/sessions: the transitions of a session. */
export function lotoTransitionRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  decisionRoutes(app, now)

  app.post(
    '/:id/apply',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'applyLotoSession',
        summary: 'Apply a session after verification that its points are de-energized',
        description:
          'From then on the devices of its points accept no commands, updates or starts (409 LOTO_LOCKED_OUT). ' +
          'Every point needs a lock: otherwise 409 LOTO_LOCKS_MISSING with `point_ids`. If a point has a meter, ' +
          'its latest readings must be recent and show neither power nor current: otherwise 409 LOTO_NOT_DEAD ' +
          'with `readings`. Every other point counts as verified manually by the caller. 409 ' +
          `LOTO_POINT_APPLIED if a point is in another applied session. ${REFUSED}`,
        params: IdParams,
        body: LotoApplication,
        response: { 200: LotoSessionDetail },
      },
    },
    async (request) => {
      const { params, principal, body } = request
      const at = now()
      const inspected = await inspectPoints(app.deps, request.tenantDb(), { id: params.id, now: at })
      const input = { inspected, userId: principal.id, now: at, body, note: body?.note }
      return request.tenantTx((tx) => applySession(tx, params.id, input))
    },
  )

  app.post(
    '/:id/release',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'releaseLotoSession',
        summary: 'Release a session; its points become available again',
        description: `409 LOTO_LOCKS_LEFT while a lock is in place. ${REFUSED}`,
        params: IdParams,
        body: LotoNote,
        response: { 200: LotoSessionDetail },
      },
    },
    (request) => {
      const action = { userId: request.principal.id, now: now(), note: request.body?.note }
      return request.tenantTx((tx) => releaseSession(tx, request.params.id, action))
    },
  )
}

function decisionRoutes(app: App, now: () => Date): void {
  app.post(
    '/:id/approve',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'approveLotoSession',
        summary: 'Approve a session that another user has requested',
        description: `403 LOTO_FOUR_EYES for the requester, regardless of permissions. ${REFUSED}`,
        params: IdParams,
        body: LotoNote,
        response: { 200: LotoSessionDetail },
      },
    },
    (request) => {
      const action = { userId: request.principal.id, now: now(), note: request.body?.note }
      return request.tenantTx((tx) => approveSession(tx, request.params.id, action))
    },
  )

  app.post(
    '/:id/reject',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'rejectLotoSession',
        summary: 'Reject or withdraw a session, or revoke its approval before it is applied',
        description: `409 LOTO_LOCKS_LEFT while a lock is in place. ${REFUSED}`,
        params: IdParams,
        body: LotoRejection,
        response: { 200: LotoSessionDetail },
      },
    },
    (request) => {
      const { body, principal } = request
      const action = { userId: principal.id, now: now(), note: body?.note, reason: body?.reason }
      return request.tenantTx((tx) => rejectSession(tx, request.params.id, action))
    },
  )
}

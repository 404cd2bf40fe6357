import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { LotoLock, LotoRemoval, LotoRemovalQuery, PlaceLotoLock } from '../sessions/schema.ts'
import { placeLock, removeLock } from './service.ts'

const tags = ['lockout/tagout']
const manage = needs('manage:loto')

/** Below /api/loto/locks. */
export function lotoLockRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'placeLotoLock',
        summary: 'Place a lock of the caller at a point of a session',
        description:
          'The session must be approved or applied. The caller is the owner; an owner_id in the body is ' +
          'ignored. 409 DUPLICATE_ENTRY for a second lock of the caller at the same point, or a number that ' +
          'is already in use in the session.',
        body: PlaceLotoLock,
        response: { 201: LotoLock },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      return reply
        .code(201)
        .send(await request.tenantTx((tx) => placeLock(tx, body, { principal, now: now() })))
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'removeLotoLock',
        summary: "Remove a lock: the caller's own, or as an admin that of another user with a reason",
        description:
          'The lock and the reason are kept in the session and its audit trail. 403 LOTO_NOT_LOCK_OWNER ' +
          'without manage:loto_override, 422 without a reason.',
        params: IdParams,
        querystring: LotoRemovalQuery,
        body: LotoRemoval,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, body, query } = request
      const reason = (body?.reason ?? query.reason)?.trim() || null
      await request.tenantTx((tx) => removeLock(tx, params.id, { principal, now: now(), reason }))
      return reply.code(204).send(null)
    },
  )
}

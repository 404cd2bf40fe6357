import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { closeSession } from './close-session.ts'
import { sessionReportRoute } from './report-route.ts'
import {
  ChargingSessionDetail,
  ChargingSessionPage,
  CurveQuery,
  PricingQuery,
  SessionCurve,
  SessionQuery,
} from './schema.ts'
import { findSession, listSessions, readSessionCurve } from './service.ts'

const tags = ['chargers']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/sessions: charging sessions with energy, cost and curve. */
export function chargingSessionRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargingSessions',
        summary: 'List charging sessions with their energy and cost',
        querystring: SessionQuery,
        response: { 200: ChargingSessionPage },
      },
    },
    (request) => listSessions(app.deps, request.tenantDb(), request.query),
  )

  sessionReportRoute(app)
  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargingSession',
        summary: 'Get a charging session with its energy and cost',
        params: IdParams,
        querystring: PricingQuery,
        response: { 200: ChargingSessionDetail },
      },
    },
    (request) => findSession(app.deps, request.tenantDb(), { id: request.params.id, query: request.query }),
  )

  app.get(
    '/:id/curve',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargingSessionCurve',
        summary: 'Get the measurements of the connector during a charging session',
        params: IdParams,
        querystring: CurveQuery,
        response: { 200: SessionCurve },
      },
    },
    (request) =>
      readSessionCurve(app.deps, request.tenantDb(), { id: request.params.id, query: request.query }),
  )

  app.post(
    '/:id/end',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'endChargingSession',
        summary: 'Close a session whose end was lost, at its last reading; the station is not contacted',
        params: IdParams,
        response: { 200: ChargingSessionDetail },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.tenantTx((tx) => closeSession(tx, id, new Date(app.deps.clock.now())))
      return findSession(app.deps, request.tenantDb(), { id, query: {} })
    },
  )
}

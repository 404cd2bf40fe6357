import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateReservation, Reservation, ReservationQuery } from './schema.ts'
import { cancelReservation, findReservation, reserve } from './service.ts'
import { list } from './store.ts'

const tags = ['charging']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/reservations. */
export function reservationRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  acceptIdempotencyKeys(app)

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listReservations',
        summary: 'List the reservations of connectors',
        querystring: ReservationQuery,
        response: { 200: Page(Reservation) },
      },
    },
    (request) => list(request.tenantDb(), request.query, now()),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createReservation',
        summary: 'Reserve a connector of a charger for an id tag',
        description:
          'The reservation is pending until the station has responded. 409 LOTO_LOCKED_OUT while its device ' +
          'is locked out.',
        body: CreateReservation,
        response: { 201: Reservation },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const made = await request.tenantTx((tx) => reserve(tx, request.body, { userId, now: now() }))
      app.deps.bus.emit('charger_command', { tenantId, chargerId: made.charger_id })
      return reply.code(201).send(made)
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getReservation',
        summary: 'Get a reservation',
        params: IdParams,
        response: { 200: Reservation },
      },
    },
    (request) => findReservation(request.tenantDb(), request.params.id, now()),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelReservation',
        summary: 'Cancel a reservation',
        description:
          'The record is kept. A reservation that was sent to the station stays active until the station has ' +
          'responded. 409 STATE_CONFLICT for a reservation that has ended.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const { chargerId } = await request.tenantTx((tx) =>
        cancelReservation(tx, request.params.id, { userId, now: now() }),
      )
      app.deps.bus.emit('charger_command', { tenantId, chargerId })
      return reply.code(204).send(null)
    },
  )
}

import { Type } from 'typebox'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import { Command, WaitQuery, waitForEnd } from '../commands/index.ts'
import { ChargingProfile, ClearBody, CompositeBody, CreateProfile, ProfileQuery } from './schema.ts'
import {
  clearProfiles,
  createProfile,
  findProfile,
  listProfiles,
  removeProfile,
  requestCompositeSchedule,
} from './service.ts'

const tags = ['charging']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/chargers. */
export function profileOfChargerRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  const notify = (tenantId: number, chargerId: string) =>
    app.deps.bus.emit('charger_command', { tenantId, chargerId })
  acceptIdempotencyKeys(app)

  app.get(
    '/:id/charging-profiles',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargingProfiles',
        summary: 'List the charging profiles that were sent to a charger',
        params: IdParams,
        querystring: ProfileQuery,
        response: { 200: Page(ChargingProfile) },
      },
    },
    (request) => listProfiles(request.tenantDb(), request.params.id, request.query),
  )

  app.post(
    '/:id/charging-profiles',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createChargingProfile',
        summary: 'Send a charging profile to a charger',
        description:
          'The profile is pending until the station has responded. 409 CHARGER_IN_GROUP for the limit of a ' +
          'whole charger that is in a charging group.',
        params: IdParams,
        body: CreateProfile,
        response: { 201: ChargingProfile },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const made = await request.tenantTx((tx) =>
        createProfile(tx, request.params.id, { body: request.body, caller: { userId, now: now() } }),
      )
      notify(tenantId, made.charger_id)
      return reply.code(201).send(made)
    },
  )
  commandRoutes(app)
}

/** The routes whose response is a command. */
function commandRoutes(app: App): void {
  const { deps } = app
  const now = () => new Date(deps.clock.now())
  const responseTo = (
    request: { tenantDb(): TenantDb; query: { readonly wait?: number } },
    command: Awaited<ReturnType<typeof requestCompositeSchedule>>,
  ) => (request.query.wait ? waitForEnd(deps, request.tenantDb(), command.id, request.query.wait) : command)

  app.post(
    '/:id/charging-profiles/clear',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'clearChargingProfiles',
        summary: 'Clear all matching charging profiles of a charger, regardless of who sent them',
        params: IdParams,
        querystring: WaitQuery,
        body: ClearBody,
        response: { 202: Command },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const command = await request.tenantTx((tx) =>
        clearProfiles(tx, request.params.id, { body: request.body, caller: { userId, now: now() } }),
      )
      deps.bus.emit('charger_command', { tenantId, chargerId: command.charger_id })
      return reply.code(202).send(await responseTo(request, command))
    },
  )

  app.post(
    '/:id/composite-schedule',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'askCompositeSchedule',
        summary: 'Query the composite schedule of a charger; the response of the command contains it',
        params: IdParams,
        querystring: WaitQuery,
        body: CompositeBody,
        response: { 202: Command },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const command = await request.tenantTx((tx) =>
        requestCompositeSchedule(tx, request.params.id, {
          body: request.body,
          caller: { userId, now: now() },
        }),
      )
      deps.bus.emit('charger_command', { tenantId, chargerId: command.charger_id })
      return reply.code(202).send(await responseTo(request, command))
    },
  )
}

/** Below /api/ocpp/charging-profiles. */
export function profileRoutes(app: App): void {
  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargingProfile',
        summary: 'Get a charging profile',
        params: IdParams,
        response: { 200: ChargingProfile },
      },
    },
    (request) => findProfile(request.tenantDb(), request.params.id),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'removeChargingProfile',
        summary: 'Clear a charging profile of its charger',
        description:
          'The record is kept, and the profile stays in effect until the station has responded. 409 ' +
          'STATE_CONFLICT for a profile that is no longer in effect.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const now = new Date(app.deps.clock.now())
      const { chargerId } = await request.tenantTx((tx) =>
        removeProfile(tx, request.params.id, { userId, now }),
      )
      app.deps.bus.emit('charger_command', { tenantId, chargerId })
      return reply.code(204).send(null)
    },
  )
}

import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import { assertDeviceQuota } from '../../access/quotas/index.ts'
import type { CommandEffects } from '../commands/index.ts'
import { makePassword, responseSealer } from '../passwords/index.ts'
import { Charger, ChargerQuery, CreateCharger, NewCharger, UpdateCharger } from './schema.ts'
import { createCharger, removeCharger, updateCharger } from './service.ts'
import * as chargers from './store.ts'

const tags = ['chargers']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Fields of a charger that its station reports. */
const OBSERVED = [
  ...(['is_online', 'status', 'connectors', 'last_heartbeat', 'last_message_at'] as const),
  ...(['connected_at', 'disconnected_at', 'contested_at', 'booted_at', 'events_left_out'] as const),
  ...(['ocpp_version', 'firmware_version', 'security_profile'] as const),
]

/** Below /api/ocpp/chargers: charging stations, which are devices that speak OCPP. */
export const chargerRoutes =
  (effects: Required<CommandEffects>) =>
  (app: App): void => {
    acceptIdempotencyKeys(app, responseSealer(app.deps.config))
    createRoutes(app)
    changeRoutes(app, effects)
  }

function createRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargers',
        summary: 'List chargers, with their state, connectors and last heartbeat',
        querystring: ChargerQuery,
        response: { 200: Page(Charger) },
      },
    },
    (request) => chargers.list(request.tenantDb(), request.query, now()),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createCharger',
        summary: 'Create a charger and its device; only this response contains the password',
        body: CreateCharger,
        response: { 201: NewCharger },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const password = await makePassword(app.deps, body.password, shareOfUser(principal))
      const charger = await request.tenantTx(async (tx) => {
        await assertDeviceQuota(app.deps, tx)
        const id = await createCharger(tx, body, password, now())
        return found('charger', await chargers.find(tx, id, now()))
      })
      return reply.code(201).send({ ...charger, password: password.shown })
    },
  )

  oneCharger(app)
}

function oneCharger(app: App): void {
  const now = () => new Date(app.deps.clock.now())

  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: OBSERVED,
      schema: {
        tags,
        operationId: 'getCharger',
        summary: 'Get a charger',
        params: IdParams,
        response: { 200: Charger },
      },
    },
    async (request) => found('charger', await chargers.find(request.tenantDb(), request.params.id, now())),
  )
}

function changeRoutes(app: App, effects: Required<CommandEffects>): void {
  const now = () => new Date(app.deps.clock.now())

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateCharger',
        summary: 'Update a charger: omitted fields are unchanged; its device takes over name and subregion',
        params: IdParams,
        body: UpdateCharger,
        response: { 200: Charger },
      },
    },
    (request) =>
      request.tenantTx(async (tx) => {
        await updateCharger(tx, request.params.id, request.body, now())
        return found('charger', await chargers.find(tx, request.params.id, now()))
      }),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteCharger',
        summary: 'Remove a charger; its sessions and devices are kept, its cpid can be used again',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => removeCharger(tx, request.params.id, { now: now(), effects }))
      return reply.code(204).send(null)
    },
  )
}

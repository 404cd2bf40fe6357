import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import {
  ChargingGroup,
  ChargingGroupHead,
  CreateChargingGroup,
  GroupQuery,
  UpdateChargingGroup,
} from './schema.ts'
import { createGroup, findGroup, listGroups, removeGroup, updateGroup } from './service.ts'

const tags = ['charging']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/charging-groups. */
export function chargingGroupRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  acceptIdempotencyKeys(app)
  changeRoutes(app)

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargingGroups',
        summary: 'List the charging groups, which share a power limit',
        querystring: GroupQuery,
        response: { 200: Page(ChargingGroupHead) },
      },
    },
    (request) => listGroups(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createChargingGroup',
        summary: 'Create a charging group',
        description: '409 CHARGER_IN_GROUP for a charger that belongs to another group.',
        body: CreateChargingGroup,
        response: { 201: ChargingGroup },
      },
    },
    async (request, reply) => {
      const caller = { userId: request.principal.id, now: now() }
      return reply.code(201).send(await request.tenantTx((tx) => createGroup(tx, request.body, caller)))
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargingGroup',
        summary: 'Get a charging group with the limit of each charger and the total maximum power',
        params: IdParams,
        response: { 200: ChargingGroup },
      },
    },
    (request) => findGroup(request.tenantDb(), request.params.id, now()),
  )
}

function changeRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  const notify = (tenantId: number, chargerIds: readonly string[]) => {
    for (const chargerId of chargerIds) app.deps.bus.emit('charger_command', { tenantId, chargerId })
  }

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateChargingGroup',
        summary: 'Update a charging group: omitted fields are unchanged, members are replaced as a whole',
        description: '409 CHARGER_IN_GROUP for a charger that belongs to another group.',
        params: IdParams,
        body: UpdateChargingGroup,
        response: { 200: ChargingGroup },
      },
    },
    async (request) => {
      const { id: userId, tenantId } = request.principal
      const change = { body: request.body, caller: { userId, now: now() } }
      const { group, dropped } = await request.tenantTx((tx) => updateGroup(tx, request.params.id, change))
      notify(tenantId, dropped)
      return group
    },
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteChargingGroup',
        summary: 'Delete a charging group; the limits of its chargers are cleared',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const caller = { userId, now: now() }
      notify(tenantId, await request.tenantTx((tx) => removeGroup(tx, request.params.id, caller)))
      return reply.code(204).send(null)
    },
  )
}

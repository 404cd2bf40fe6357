import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import { cancelCommand } from './queue.ts'
import { Command, CommandParams, CommandQuery, PlaceCommand, PlaceQuery } from './schema.ts'
import { getCommand, listCommands, onWire, orderCommand, waitForEnd } from './service.ts'

const tags = ['chargers']

/** What stations are told to do, and what came of it. */
export function chargerCommandRoutes(app: App): void {
  const read = needs('read:charger')
  const manage = needs('manage:charger')
  const { deps } = app
  const now = () => new Date(deps.clock.now())
  acceptIdempotencyKeys(app)

  app.post(
    '/:id/commands',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'commandCharger',
        summary:
          'Tell the station to do something; it is told as soon as it is connected and has done what came before',
        description:
          'Refused with 409 LOTO_LOCKED_OUT while people may be at work on a device that the command would set going. Which fields an action takes: docs/chargers.md.',
        params: IdParams,
        querystring: PlaceQuery,
        body: PlaceCommand,
        response: { 202: Command },
      },
    },
    async (request, reply) => {
      const { params, body, principal, query } = request
      const caller = { requestedBy: principal.id, now: now() }
      const command = await request.tenantTx((tx) => orderCommand(tx, params.id, body, caller))
      deps.bus.emit('charger_command', { tenantId: principal.tenantId, chargerId: command.charger_id })
      const seconds = query.wait ?? 0
      const shown =
        seconds > 0 ? await waitForEnd(deps, request.tenantDb(), command.id, seconds) : onWire(command)
      return reply.code(202).send(shown)
    },
  )

  app.get(
    '/:id/commands',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargerCommands',
        summary: 'List what the station was told to do, newest first',
        params: IdParams,
        querystring: CommandQuery,
        response: { 200: Page(Command) },
      },
    },
    (request) => listCommands(request.tenantDb(), request.params.id, request.query),
  )

  getResource(
    app,
    '/:id/commands/:command_id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargerCommand',
        summary: 'Get a command with its answer',
        params: CommandParams,
        response: { 200: Command },
      },
    },
    (request) => getCommand(request.tenantDb(), request.params.id, request.params.command_id),
  )

  app.post(
    '/:id/commands/:command_id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelChargerCommand',
        summary: 'Do not send a command that still waits; 409 STATE_CONFLICT when it was sent',
        params: CommandParams,
        response: { 200: Command },
      },
    },
    (request) =>
      request.tenantTx(async (tx) => {
        const { id } = await getCommand(tx, request.params.id, request.params.command_id)
        return onWire(await cancelCommand(tx, id, now()))
      }),
  )
}

import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import type { CommandEffects } from './effect.ts'
import { cancelCommand } from './end-command.ts'
import { Command, CommandParams, CommandQuery } from './schema.ts'
import { getCommand, listCommands, toResponse } from './service.ts'

const tags = ['chargers']

/**
 * Below /api/ocpp/chargers: the commands of a station with their responses. `effects` must have every action.
 */
export const commandRoutes =
  (effects: Required<CommandEffects>) =>
  (app: App): void => {
    const read = needs('read:charger')
    const manage = needs('manage:charger')
    const { deps } = app
    acceptIdempotencyKeys(app)

    app.get(
      '/:id/commands',
      {
        ...read,
        schema: {
          tags,
          operationId: 'listChargerCommands',
          summary: 'List the commands of the station, newest first',
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
          summary: 'Get a command with the response of the station',
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
          summary: 'Cancel a command that is not sent yet; 409 STATE_CONFLICT if it was sent',
          params: CommandParams,
          response: { 200: Command },
        },
      },
      (request) =>
        request.tenantTx(async (tx) => {
          const { id } = await getCommand(tx, request.params.id, request.params.command_id)
          const now = new Date(deps.clock.now())
          return toResponse(await cancelCommand(tx, id, { now, effects }))
        }),
    )
  }

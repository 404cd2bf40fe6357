import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Command, toResponse, WaitQuery, waitForEnd } from '../commands/index.ts'
import { CommandBody } from './schema.ts'
import { requestAction } from './service.ts'

/** Below /api/ocpp/chargers: what an operator orders a station to do directly. */
export function chargerActionRoutes(app: App): void {
  const { deps } = app
  acceptIdempotencyKeys(app)

  app.post(
    '/:id/commands',
    {
      ...needs('manage:charger'),
      schema: {
        tags: ['chargers'],
        operationId: 'commandCharger',
        summary:
          'Create a command for the station; it is sent when the station is connected and earlier commands ' +
          'are completed',
        description:
          'Rejected with 409 LOTO_LOCKED_OUT while a device that the command would energize is locked out, and ' +
          'with 409 STATE_CONFLICT for a security profile with which the station could not connect any more. ' +
          'docs/integrate/chargers.md lists the fields of each action.',
        params: IdParams,
        querystring: WaitQuery,
        body: CommandBody,
        response: { 202: Command },
      },
    },
    async (request, reply) => {
      const { params, body, principal, query } = request
      const caller = { userId: principal.id, now: new Date(deps.clock.now()), config: deps.config }
      const command = await request.tenantTx((tx) => requestAction(tx, params.id, body, caller))
      deps.bus.emit('charger_command', { tenantId: principal.tenantId, chargerId: command.charger_id })
      const seconds = query.wait ?? 0
      const response =
        seconds > 0 ? await waitForEnd(deps, request.tenantDb(), command.id, seconds) : toResponse(command)
      return reply.code(202).send(response)
    },
  )
}

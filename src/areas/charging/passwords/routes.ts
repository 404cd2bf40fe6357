import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { toResponse } from '../commands/index.ts'
import { requireCharger } from '../registry/index.ts'
import { makePassword } from './password.ts'
import { ChangedPassword, ChangePassword } from './schema.ts'
import { changePassword, responseSealer } from './service.ts'

/** Below /api/ocpp/chargers: the password of a station. */
export function chargerPasswordRoutes(app: App): void {
  acceptIdempotencyKeys(app, responseSealer(app.deps.config))

  app.post(
    '/:id/password',
    {
      ...needs('manage:charger'),
      schema: {
        tags: ['chargers'],
        operationId: 'changeChargerPassword',
        summary:
          'Change the password of a charger, generated or given, and optionally send it to the station',
        params: IdParams,
        body: ChangePassword,
        response: { 200: ChangedPassword },
      },
    },
    async (request) => {
      const { params, body, principal } = request
      await requireCharger(request.tenantDb(), params.id)
      const password = await makePassword(app.deps, body.password, shareOfUser(principal))
      const command = await request.tenantTx((tx) =>
        changePassword(tx, app.deps, {
          chargerId: params.id,
          password,
          isPushed: body.push === true,
          requestedBy: principal.id,
          timeoutMs: body.expires_in_s && body.expires_in_s * 1000,
        }),
      )
      if (command)
        app.deps.bus.emit('charger_command', { tenantId: principal.tenantId, chargerId: params.id })
      return {
        password: password.shown,
        has_pending_password: command !== null,
        command: command && toResponse(command),
      }
    },
  )
}

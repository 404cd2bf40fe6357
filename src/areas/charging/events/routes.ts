import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { requireCharger } from '../registry/index.ts'
import { ChargerEvent, EventQuery } from './schema.ts'
import { list } from './store.ts'

/** Below /api/ocpp/chargers: what a station reports, other than measurements. */
export function chargerEventRoutes(app: App): void {
  app.get(
    '/:id/events',
    {
      ...needs('read:charger'),
      schema: {
        tags: ['chargers'],
        operationId: 'listChargerEvents',
        summary:
          'List the events that the station reported on its state, security and maintenance, newest first',
        params: IdParams,
        querystring: EventQuery,
        response: { 200: Page(ChargerEvent) },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      await requireCharger(tenant, request.params.id)
      return list(tenant, request.params.id, request.query)
    },
  )
}

import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { requireCharger } from '../registry/index.ts'
import { listReports } from './report-store.ts'
import { ChargerReport, ChargerVariable, ReportQuery, VariableQuery } from './schema.ts'
import { listVariables } from './store.ts'

const tags = ['chargers']
const read = needs('read:charger')

/** Below /api/ocpp/chargers/:id: the device model of an OCPP 2.0.1 station. */
export function chargerVariableRoutes(app: App): void {
  app.get(
    '/:id/variables',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargerVariables',
        summary: 'List the components and variables that an OCPP 2.0.1 station has reported',
        description:
          'The list contains the results of the commands get_base_report, get_report, get_configuration and ' +
          'set_configuration, and the unsolicited reports of the station. Passwords are not stored.',
        params: IdParams,
        querystring: VariableQuery,
        response: { 200: Page(ChargerVariable) },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      const { id } = await requireCharger(tenant, request.params.id)
      return listVariables(tenant, id, request.query)
    },
  )

  app.get(
    '/:id/reports',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargerReports',
        summary: 'List the reports that an OCPP 2.0.1 station has sent or announced, with their completeness',
        params: IdParams,
        querystring: ReportQuery,
        response: { 200: Page(ChargerReport) },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      const { id } = await requireCharger(tenant, request.params.id)
      const now = new Date(app.deps.clock.now())
      return listReports(tenant, { chargerId: id, query: request.query, now })
    },
  )
}

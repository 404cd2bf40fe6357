import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { readEnergyOfDays } from './energy.ts'
import { readPower } from './power.ts'
import { OverviewEnergy, OverviewPower, OverviewQuery } from './schema.ts'

const tags = ['overview']

/** Under /api/overview: what an overview of the facilities shows. */
export function overviewRoutes(app: App): void {
  const { clock } = app.deps

  app.get(
    '/power',
    {
      ...needs('read:measurement'),
      schema: {
        tags,
        operationId: 'getOverviewPower',
        summary: 'Get the meters of the power flow with their latest power',
        description:
          'The meters that are assigned to facilities as production, consumption, boundary or battery now. Their ' +
          'samples are pushed by the socket /ws/telemetry. docs/understand/power-flow.md explains how grid, sun, ' +
          'battery and load are computed from them.',
        querystring: OverviewQuery,
        response: { 200: OverviewPower },
      },
    },
    (request) =>
      readPower({ database: request.readDatabase(), tenant: request.tenantDb() }, request.query, clock.now()),
  )

  app.get(
    '/energy',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'getOverviewEnergy',
        summary: 'Get the energy of the facilities by hour, today and yesterday',
        description:
          'Production and consumption from the hourly facts by the formulas of the netting method, also of ' +
          'facilities that are no members of a group. The facts of an hour are built ten minutes after it.',
        querystring: OverviewQuery,
        response: { 200: OverviewEnergy },
      },
    },
    (request) => readEnergyOfDays(request.tenantDb(), request.query, clock.now()),
  )
}

import type { FastifySerializerCompiler } from 'fastify'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { DataQuery, SubregionParams } from '../schema.ts'
import { DATA_PATHS, type DataType } from '../types.ts'
import { DashboardData } from './dashboard-schema.ts'
import { DATA_SCHEMAS } from './schema.ts'
import { readDashboard, readOne } from './service.ts'

const tags = ['widgets']
const read = needs('read:measurement')

/** Plain JSON on both ways, so that a widget's data is the same bytes whichever way it goes. */
const serializerCompiler: FastifySerializerCompiler<unknown> = () => (answer: unknown) =>
  JSON.stringify(answer)

const SUMMARIES: Readonly<Record<DataType, string>> = {
  device_read_rate: 'Get the received and the expected number of samples by device',
  consumption_chart: 'Get the energy of the meters of a widget by hour, day or month',
  consumption_numeric: 'Get the energy of the meters of a widget as one value',
  cost_chart: 'Get the energy cost by the approved tariffs, by hour, day or month',
  cost_numeric: 'Get the energy cost by the approved tariffs as one value',
  reactive_ratio: 'Get the reactive ratio of the meters of a widget',
  realtime_value: 'The newest value of a metric, of the last 60 minutes',
  realtime_gauge: 'The newest value of a metric, of the last 60 minutes, with its scale',
  realtime_3phase: 'Voltages, currents and powers of three phases, of the last 60 minutes',
  realtime_power: 'Active, reactive and apparent power, of the last 60 minutes',
  alarm_summary: 'Open incidents by severity and status',
}

const operation = (type: DataType): string =>
  `getWidget${DATA_PATHS[type].replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())}`

/** Data of one widget: `/api/widgets/<id>/data/…`. */
export function widgetDataRoutes(app: App): void {
  for (const type of Object.keys(DATA_PATHS) as DataType[]) {
    app.get(
      `/:id/data/${DATA_PATHS[type]}`,
      {
        ...read,
        serializerCompiler,
        schema: {
          tags,
          operationId: operation(type),
          summary: SUMMARIES[type],
          params: IdParams,
          querystring: DataQuery,
          response: { 200: DATA_SCHEMAS[type] },
        },
      },
      async (request, reply) =>
        reply.send(
          await readOne(app.deps, type, {
            tenant: request.tenantDb(),
            pool: request.readDatabase().pool,
            id: request.params.id,
            timeRange: request.query.time_range,
          }),
        ),
    )
  }
}

/** Data of all widgets of a dashboard: `/api/subregions/<id>/widgets/data`. */
export function dashboardDataRoutes(app: App): void {
  app.get(
    '/:id/widgets/data',
    {
      ...read,
      serializerCompiler,
      schema: {
        tags,
        operationId: 'getDashboardData',
        summary: 'Get the data of all active widgets of a subregion',
        description:
          'A widget whose data cannot be computed has an error; the status of the response is still 200.',
        params: SubregionParams,
        querystring: DataQuery,
        response: { 200: DashboardData },
      },
    },
    (request, reply) =>
      readDashboard(
        app.deps,
        {
          tenant: request.tenantDb(),
          pool: request.readDatabase().pool,
          id: request.params.id,
          timeRange: request.query.time_range,
        },
        languageOf(reply),
      ),
  )
}

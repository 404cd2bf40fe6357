import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { MapData, MapQuery } from './schema.ts'
import { readMap } from './service.ts'

/** The snapshot for a map. */
export function mapRoutes(app: App): void {
  app.get(
    '/map-data',
    {
      ...needs('read:measurement'),
      schema: {
        tags: ['measurements'],
        operationId: 'getMapData',
        summary: 'Get a map snapshot: subregions and devices with coordinates, last values and online state',
        querystring: MapQuery,
        response: { 200: MapData },
      },
    },
    (request) => readMap(request.tenantDb(), request.query, app.deps.clock.now()),
  )
}

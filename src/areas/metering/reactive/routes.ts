import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { ReactiveQuery, ReactiveRatio } from './schema.ts'
import { readReactiveRatio } from './service.ts'

/** Ratios of inductive and capacitive to active energy, and the limits of the tariff. */
export function reactiveRoutes(app: App): void {
  const { clock } = app.deps
  app.get(
    '/reactive-ratio',
    {
      ...withErrors(needs('read:measurement'), 404),
      schema: {
        tags: ['measurements'],
        operationId: 'getReactiveRatio',
        summary:
          'Get the inductive and capacitive ratio of a meter or subregion and the limits for its contracted ' +
          'power',
        querystring: ReactiveQuery,
        response: { 200: ReactiveRatio },
      },
    },
    (request) =>
      readReactiveRatio(request.readDatabase().pool, request.tenantDb(), {
        query: request.query,
        now: clock.now(),
      }),
  )
}

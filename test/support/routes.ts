import type { RouteOptions } from 'fastify'

export interface Route {
  readonly method: string
  /** The pattern, e.g. /api/regions/:id. */
  readonly url: string
  readonly access: NonNullable<RouteOptions['config']>['access']
  readonly hasBody: boolean
  /** Its response has an ETag. */
  readonly isResource: boolean
}

/** Collects every route: pass `onRoute` to startApi and read `routes` after the start. */
export function routeCollector() {
  const routes: Route[] = []
  const onRoute = ({ method, url, config, schema }: RouteOptions): void => {
    for (const one of [method].flat()) {
      if (one === 'HEAD' || one === 'OPTIONS') continue
      routes.push({
        method: one,
        url,
        access: config?.access,
        hasBody: schema?.body !== undefined,
        isResource: config?.resource !== undefined,
      })
    }
  }
  return { routes, onRoute }
}

import { loggableUrl } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { App } from './app-type.ts'

/**
 * One log line and one measurement a request. Routes are named by their pattern, so that their number is
 * bounded.
 */
export function observe(app: App, { httpSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, ip } = request
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    httpSeconds.observe(
      { method, route: request.routeOptions.url ?? 'unknown', status: String(status) },
      reply.elapsedTime / 1000,
    )
    request.log.info({ method, url: loggableUrl(url), status, ms, ip }, 'answered')
    done()
  })
}

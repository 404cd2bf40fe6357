import type { FastifyReply } from 'fastify'
import type { App } from './app-type.ts'
import { IGNORED_PARAMETERS_SHOWN_MAX } from './limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The names of the query parameters in the schema of the route. */
    queryNames?: ReadonlySet<string>
    /** The operation passes the other parameters on and names the ignored ones itself. */
    passesParameters?: boolean
  }
}

const HEADER = 'X-Ignored-Parameters'

/**
 * Names the query parameters that an operation does not know in the header X-Ignored-Parameters. They are ignored
 * and not refused, because the interface ignores unknown fields of requests; the header shows a misspelt filter,
 * which would otherwise return every record. `prefix` is the beginning of the paths of the API; pages and links of
 * mails have parameters for their scripts.
 */
export function reportIgnoredParameters(app: App, prefix: string): void {
  app.addHook('onRoute', (route) => {
    const querystring = route.schema?.querystring as { readonly properties?: object } | undefined
    const queryNames = new Set(Object.keys(querystring?.properties ?? {}))
    route.config = { ...route.config, queryNames }
  })
  app.addHook('preValidation', (request, reply, done) => {
    const { url, config } = request.routeOptions
    const known = config.queryNames
    if (known && url?.startsWith(prefix) && !config.passesParameters) {
      const names = Object.keys(request.query as object)
      nameIgnoredParameters(
        reply,
        names.filter((name) => !known.has(name)),
      )
    }
    done()
  })
}

/** Names parameters as ignored in the header of the response. */
export function nameIgnoredParameters(reply: FastifyReply, names: readonly string[]): void {
  if (names.length > 0) void reply.header(HEADER, shown(names))
}

/** The names are encoded, because a header cannot contain every character. */
const shown = (names: readonly string[]): string =>
  names.slice(0, IGNORED_PARAMETERS_SHOWN_MAX).map(encodeURIComponent).join(', ')

import type { App } from './app-type.ts'

/** A schema of JSON, as far as columns of reports need it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** What a GET operation accepts and returns. */
export interface ReadSchema {
  /** Names of the query parameters. */
  readonly query: ReadonlySet<string>
  readonly response: JsonSchema
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The GET operations by their paths, with `{id}` for a parameter. */
    readonly readSchemas: ReadonlyMap<string, ReadSchema>
  }
}

/** Keeps the schemas of the GET operations that are added afterwards. */
export function keepReadSchemas(app: App): void {
  const schemas = new Map<string, ReadSchema>()
  app.decorate('readSchemas', schemas)
  app.addHook('onRoute', ({ method, url, schema }) => {
    const response = (schema?.response as Record<string, JsonSchema> | undefined)?.['200']
    if (method !== 'GET' || !response) return
    const query = Object.keys((schema?.querystring as JsonSchema | undefined)?.properties ?? {})
    const path = url.replace(/(?<=.)\/$/, '').replaceAll(/:(\w+)/g, '{$1}')
    schemas.set(path, { query: new Set(query), response })
  })
}

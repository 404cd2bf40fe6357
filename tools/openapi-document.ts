import { buildApp } from '../src/http/app.ts'
import { makeLog } from '../src/platform/observability/log.ts'
import { makeDeps } from '../src/service/deps.ts'
import { readSettings } from '../src/service/settings.ts'

/** The OpenAPI document as the service serves it, made without a database: no connection is opened before a query. */
export async function openapiDocument(): Promise<object> {
  const result = readSettings({})
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  const deps = makeDeps({
    config: { ...result.settings, secretKey: 'no token is issued here' },
    url: 'postgresql://nowhere.invalid/none',
    log: makeLog('silent'),
    now: () => 0,
    mail: { send: async () => {} },
  })
  const app = await buildApp(deps)
  try {
    await app.ready()
    return app.swagger()
  } finally {
    await app.close()
    await deps.ingest.drain()
    await deps.database.close()
  }
}

export const OPENAPI_FILE = new URL('../docs/api/openapi.json', import.meta.url)
export const openapiText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

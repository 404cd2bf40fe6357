import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { forEveryone } from './access.ts'
import type { App } from './app-type.ts'

/** The document is made from the routes; /openapi.json serves it and /docs shows it. */
export async function describeApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Netsaat',
        version,
        description:
          'Energy monitoring and hourly netting. Unknown request keys are ignored. Decimals of the netting, limit and tariff answers are strings.',
        license: { name: 'Apache-2.0' },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    hideUntagged: false,
  })
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { deepLinking: true } })
  app.get('/openapi.json', { ...forEveryone, schema: { hide: true } }, () => app.swagger())
}

import Fastify, { type FastifyServerOptions } from 'fastify'
import { BODY_BYTES_MAX } from './kernel/limits.ts'
import { authRoutes, makeAuthenticate } from './modules/auth/index.ts'
import { deviceRoutes } from './modules/devices/index.ts'
import { gatewayRoutes } from './modules/gateways/index.ts'
import { nettingRoutes } from './modules/netting/index.ts'
import { regionRoutes } from './modules/regions/index.ts'
import { subregionRoutes } from './modules/subregions/index.ts'
import { tariffRoutes } from './modules/tariffs/index.ts'
import type { Deps } from './platform/deps.ts'
import { checkAccess, refuseSilentRoutes } from './platform/http/access.ts'
import type { App } from './platform/http/app-type.ts'
import { checkResponses } from './platform/http/check-responses.ts'
import { giveDatabase } from './platform/http/context.ts'
import { answerErrorsAs, answerUnknownRoutes } from './platform/http/errors.ts'
import { mount } from './platform/http/mount.ts'
import { parseNetworks } from './platform/http/networks.ts'
import { describeApi } from './platform/http/openapi.ts'
import { parseJsonBodies, validateWithAjv } from './platform/http/validation.ts'

export interface AppOptions {
  /** Tests hold every answer against its schema. */
  readonly checksResponses?: boolean
}

/** The HTTP side as a table of contents: what every request passes, then the modules in the order of the interface. */
export async function buildApp(deps: Deps, { checksResponses = false }: AppOptions = {}): Promise<App> {
  const { config, log } = deps
  const options: FastifyServerOptions = {
    loggerInstance: log,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: [...config.trustedProxies],
    routerOptions: { maxParamLength: 200 },
  }
  const app = Fastify(options) as unknown as App
  validateWithAjv(app)
  parseJsonBodies(app)
  refuseSilentRoutes(app)
  if (checksResponses) checkResponses(app)
  giveDatabase(app, deps)
  answerErrorsAs(app, 'standard')
  answerUnknownRoutes(app)
  checkAccess(app, {
    authenticate: makeAuthenticate(deps),
    internalNetworks: parseNetworks(config.internalAllowedNetworks),
  })
  app.addHook('onClose', () => deps.background.drain())
  await describeApi(app, '0.1.0')

  mount(app, '/api/auth', authRoutes)
  mount(app, '/api/regions', regionRoutes)
  mount(app, '/api/subregions', subregionRoutes)
  mount(app, '/api/gateways', gatewayRoutes)
  mount(app, '/api/devices', deviceRoutes)
  mount(app, '/api/mahsuplasma', nettingRoutes)
  mount(app, '/api/v1/admin/regulated-tariffs', tariffRoutes)
  return app
}

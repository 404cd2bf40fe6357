import Fastify, { type RouteOptions } from 'fastify'
import { RATE_KEYS_MAX } from './kernel/limits.ts'
import { authRoutes, makeAuthenticate } from './modules/auth/index.ts'
import { deviceRoutes } from './modules/devices/index.ts'
import { gatewayRoutes } from './modules/gateways/index.ts'
import { acceptanceRoutes, invitationRoutes } from './modules/invitations/index.ts'
import { measurementRoutes } from './modules/measurements/index.ts'
import { nettingRoutes, reconcileRoutes, reevaluateBlockedByTariff } from './modules/netting/index.ts'
import { regionRoutes } from './modules/regions/index.ts'
import { roleRoutes } from './modules/roles/index.ts'
import { subregionRoutes } from './modules/subregions/index.ts'
import { systemRoutes } from './modules/system/index.ts'
import { tariffRoutes } from './modules/tariffs/index.ts'
import { signupRoutes, tenantRoutes } from './modules/tenants/index.ts'
import { userRoutes } from './modules/users/index.ts'
import type { Deps } from './platform/deps.ts'
import { checkAccess, refuseSilentRoutes } from './platform/http/access.ts'
import type { App } from './platform/http/app-type.ts'
import { checkResponses } from './platform/http/check-responses.ts'
import { giveDatabase } from './platform/http/context.ts'
import { answerErrorsAs, answerUnknownRoutes } from './platform/http/errors.ts'
import { honourETags } from './platform/http/etag.ts'
import { allowOrigins, protectAnswers } from './platform/http/headers.ts'
import { mount } from './platform/http/mount.ts'
import { parseNetworks } from './platform/http/networks.ts'
import { observe } from './platform/http/observe.ts'
import { describeApi } from './platform/http/openapi.ts'
import { limitRates } from './platform/http/rate-limit.ts'
import { makeRedisRateStore } from './platform/http/rate-redis.ts'
import { makeMemoryRateStore, type RateStore } from './platform/http/rate-store.ts'
import { echoRequestId } from './platform/http/request-id.ts'
import { serverOptions } from './platform/http/server-options.ts'
import { parseJsonBodies, validateWithAjv } from './platform/http/validation.ts'
import { measurePool } from './platform/metrics.ts'
import { packageVersion } from './platform/version.ts'
import { rateRules } from './rate-rules.ts'

export interface AppOptions {
  /** Tests hold every answer against its schema. */
  readonly checksResponses?: boolean
  /** Told of every route, for the guards that walk them all. */
  readonly onRoute?: (route: RouteOptions) => void
}

/** The HTTP side as a table of contents: what every request passes, then the modules in the order of the interface. */
export async function buildApp(
  deps: Deps,
  { checksResponses = false, onRoute }: AppOptions = {},
): Promise<App> {
  const { config } = deps
  const app = Fastify(serverOptions(deps)) as unknown as App
  if (onRoute) app.addHook('onRoute', onRoute)
  validateWithAjv(app)
  echoRequestId(app)
  observe(app, deps.metrics)
  measurePool(deps.metrics, deps.database)
  await allowOrigins(app, config.corsOrigins)
  limitRates(app, rateStore(deps), rateRules(config.rateLimits))
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
  honourETags(app)
  protectAnswers(app, deps.readiness)
  await describeApi(app, packageVersion())

  mount(app, '', systemRoutes)
  if (config.roles.includes('api')) mountApi(app, deps)
  return app
}

/** The modules, in the order of the interface. A process without the role api answers for its health alone. */
function mountApi(app: App, deps: Deps): void {
  mount(app, '/api/auth', authRoutes)
  mount(app, '/api/auth/invitations', acceptanceRoutes)
  mount(app, '/api/auth/signup', signupRoutes)
  mount(app, '/api/users', userRoutes)
  mount(app, '/api/users/invitations', invitationRoutes)
  mount(app, '/api/roles', roleRoutes)
  mount(app, '/api/regions', regionRoutes)
  mount(app, '/api/subregions', subregionRoutes)
  mount(app, '/api/gateways', gatewayRoutes)
  mount(app, '/api/devices', deviceRoutes)
  mount(app, '/api/measurements', measurementRoutes)
  mount(app, '/api/mahsuplasma', nettingRoutes)
  mount(app, '/api/mahsuplasma', reconcileRoutes)
  mount(app, '/api/v1/admin/tenants', tenantRoutes)
  mount(app, '/api/v1/admin/regulated-tariffs', tariffRoutes({ onApproved: evaluateAfterApproval(deps) }))
}

/** Groups of any tenant may have waited for the price set; the approval's answer does not wait for them. */
const evaluateAfterApproval = (deps: Deps) => (): void => {
  deps.background.run('evaluation after a tariff approval', () => reevaluateBlockedByTariff(deps))
}

function rateStore({ config: { redisUrl }, clock, log }: Deps): RateStore {
  const inMemory = makeMemoryRateStore({ now: () => clock.now(), keysMax: RATE_KEYS_MAX })
  if (!redisUrl) return inMemory
  return makeRedisRateStore({ url: redisUrl, now: () => clock.now(), log, standIn: inMemory })
}

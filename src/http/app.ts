import Fastify, { type RouteOptions } from 'fastify'
import { makeAuthenticate, makeRecordWrite } from '../areas/access/auth/index.ts'
import { addFallbackPages } from '../areas/admin/pages/routes.ts'
import { systemRoutes } from '../areas/admin/system/routes.ts'
import { acceptTelemetry, startLive } from '../areas/metering/live/index.ts'
import { realtimeRoutes } from '../areas/metering/live/routes.ts'
import { startOcpp } from '../field/ocpp/index.ts'
import { checkAccess, requireAccessRules } from '../platform/http/access.ts'
import type { App } from '../platform/http/app-type.ts'
import { limitArrival } from '../platform/http/arrival-timeout.ts'
import { checkResponses } from '../platform/http/check-responses.ts'
import { setErrorShape, setNotFoundHandler } from '../platform/http/errors.ts'
import { honourETags } from '../platform/http/etag.ts'
import { addSecurityHeaders, allowOrigins } from '../platform/http/headers.ts'
import { reportIgnoredParameters } from '../platform/http/ignored-parameters.ts'
import { detectUnknownProxies, makeInternalRequests } from '../platform/http/internal-requests.ts'
import { sendMessageTexts } from '../platform/http/message-texts.ts'
import { mount } from '../platform/http/mount.ts'
import { parseNetworks } from '../platform/http/networks.ts'
import { describeApi } from '../platform/http/openapi.ts'
import { limitRates } from '../platform/http/rate-limit.ts'
import { makeMemoryRateStore, type RateStore } from '../platform/http/rate-store.ts'
import { addDatabase, recordWrites } from '../platform/http/request-database.ts'
import { echoRequestId, observe } from '../platform/http/request-log.ts'
import { keepReadSchemas } from '../platform/http/response-schemas.ts'
import { compileSchemasLazily } from '../platform/http/schema-compilers.ts'
import { ignoreUnknownExpectations, serverOptions } from '../platform/http/server-options.ts'
import { parseJsonBodies } from '../platform/http/validation.ts'
import { routeUpgrades, type UpgradeRouter } from '../platform/http/ws.ts'
import { measurePool } from '../platform/observability/metrics.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { API_AREAS } from './api-areas.ts'
import { apiInfo } from './api-info.ts'
import { addConsole } from './console.ts'
import { deploymentNotes } from './deployment-notes.ts'
import { RATE_KEYS_MAX } from './limits.ts'
import { rateRules } from './rate-rules.ts'
import { mountApi } from './routes.ts'

export interface AppOptions {
  /** Validates every response against its schema, in tests. */
  readonly checksResponses?: boolean
  /** Called with every route, for the guards that check all of them. */
  readonly onRoute?: (route: RouteOptions) => void
  /** Called with the port of the TLS listener for charging stations. */
  readonly onOcppTls?: (port: number) => void
  /** The build of the web console, when it is not beside the program. */
  readonly consoleFolder?: string | undefined
}

/**
 * Builds the HTTP application: first the hooks of every request, then the modules in the order of the
 * interface.
 */
export async function buildApp(
  deps: Deps,
  { checksResponses = false, onRoute, onOcppTls = () => {}, consoleFolder }: AppOptions = {},
): Promise<App> {
  const { config } = deps
  const app = Fastify(serverOptions(deps)) as unknown as App
  if (onRoute) app.addHook('onRoute', onRoute)
  ignoreUnknownExpectations(app)
  compileSchemasLazily(app)
  echoRequestId(app)
  observe(app, deps.metrics)
  const trustedProxies = parseNetworks(config.trustedProxies)
  const hasUnknownProxy = detectUnknownProxies(app, trustedProxies)
  deps.readiness.note(() => deploymentNotes(config, { hasUnknownProxy: hasUnknownProxy() }))
  limitArrival(app)
  measurePool(deps.metrics, deps.database)
  await allowOrigins(app, config.corsOrigins)
  const rates = await rateStore(deps)
  app.decorate('rates', rates)
  limitRates(app, rates, rateRules(config.rateLimits))
  parseJsonBodies(app)
  requireAccessRules(app)
  reportIgnoredParameters(app, '/api/')
  keepReadSchemas(app)
  sendMessageTexts(app)
  if (checksResponses) checkResponses(app)
  addDatabase(app, deps)
  if (deps.replicas) recordWrites(app, makeRecordWrite(deps))
  setErrorShape(app, 'standard')
  setNotFoundHandler(app)
  checkAccess(app, {
    authenticate: makeAuthenticate(deps),
    internalRequests: makeInternalRequests(parseNetworks(config.internalAllowedNetworks), trustedProxies),
    brokerWebhookSecret: config.brokerWebhookSecret,
  })
  app.addHook('onClose', () => deps.background.drain())
  app.addHook('onListen', async () => {
    for (const bound of app.addresses())
      if (typeof bound !== 'string') deps.ownEndpoints.add({ host: bound.address, port: bound.port })
  })
  honourETags(app)
  addSecurityHeaders(app, deps.readiness)
  await describeApi(app, apiInfo(), API_AREAS)

  mount(app, '', systemRoutes)
  if (config.roles.includes('api')) {
    mountApi(app, deps)
    mount(app, '', (scope) => addConsole(scope, consoleFolder) || addFallbackPages(scope))
  }
  mountSockets(app, deps, { rates, onOcppTls })
  return app
}

interface SocketOptions {
  readonly rates: RateStore
  readonly onOcppTls: (port: number) => void
}

/** Adds the WebSocket routes. They share the server with the HTTP routes and are closed before it. */
function mountSockets(app: App, deps: Deps, options: SocketOptions): void {
  const { config, log, readiness } = deps
  // Sockets are accepted as long as the port is open.
  const isStopping = () => readiness.isStopping() && !app.server.listening
  const upgrades = routeUpgrades({ server: app.server, log, isStopping })
  if (config.roles.includes('ocpp')) mountStations(app, deps, { upgrades, isStopping, ...options })
  const live = startLive(deps)
  app.addHook('preClose', () => upgrades.close())
  app.addHook('onClose', () => live.stop())
  if (!live.sockets) return
  acceptTelemetry(upgrades, live.sockets)
  mount(app, '/ws', realtimeRoutes(live.sockets))
}

/** Adds charging stations. Responses to stations under way are finished before the sockets close. */
function mountStations(
  app: App,
  deps: Deps,
  { onOcppTls, ...options }: SocketOptions & { upgrades: UpgradeRouter; isStopping: () => boolean },
): void {
  const ocpp = startOcpp({ deps, ...options })
  app.addHook('onReady', async () => {
    const port = await ocpp.listen()
    if (port === undefined) return
    deps.ownEndpoints.add({ host: deps.config.host, port })
    onOcppTls(port)
  })
  app.addHook('preClose', () => ocpp.finish())
  app.addHook('onClose', () => ocpp.stop())
}

async function rateStore({ config: { redisUrl }, clock, log }: Deps): Promise<RateStore> {
  const inMemory = makeMemoryRateStore({ now: () => clock.now(), keysMax: RATE_KEYS_MAX })
  if (!redisUrl) return inMemory
  const { makeRedisRateStore } = await import('../platform/http/rate-redis.ts')
  return makeRedisRateStore({ url: redisUrl, now: () => clock.now(), log, fallback: inMemory })
}

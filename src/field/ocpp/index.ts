import type { Server } from 'node:http'
import { startChargingPoll } from '../../areas/charging/stations.ts'
import { OCPP_VERSIONS, type OcppVersion } from '../../kernel/ocpp.ts'
import { withTimeout } from '../../platform/async/with-timeout.ts'
import type { RateStore } from '../../platform/http/rate-store.ts'
import { routeUpgrades, type UpgradeRouter } from '../../platform/http/ws.ts'
import { makeThrottledLog } from '../../platform/observability/throttled-log.ts'
import { startCommandSender } from './commands.ts'
import { makeDispatch } from './dispatch.ts'
import { makeHandshakeHandler } from './handshake.ts'
import { OCPP_MESSAGE_BYTES_MAX, OCPP_STOP_MS } from './limits.ts'
import { makeOcppMetrics } from './metrics.ts'
import { makeProtocolEvents } from './protocol-events.ts'
import { readSchemas } from './schemas.ts'
import { StationSocket } from './station.ts'
import { makeStations } from './stations.ts'
import { makeTlsListener } from './tls.ts'
import type { Handlers, MessagesByVersion, OcppDeps } from './types.ts'
import { makeHandlers16 } from './v16/index.ts'
import { makeHandlers201 } from './v201/index.ts'

/** The WebSocket subprotocols of the versions (OCPP-J 1.6, 3.1.2; 2.0.1 part 4, 3.1.2). */
const SUBPROTOCOLS: Readonly<Record<OcppVersion, string>> = { '1.6': 'ocpp1.6', '2.0.1': 'ocpp2.0.1' }

export interface OcppOptions {
  readonly deps: OcppDeps
  /** The upgrades of the API's listener, which serves stations without TLS too. */
  readonly upgrades: UpgradeRouter
  readonly rates: RateStore
  readonly isStopping: () => boolean
}

export interface Ocpp {
  /** Opens the TLS listener when the settings ask for one, and returns its port. */
  listen(): Promise<number | undefined>
  /** Begins nothing new and waits for the responses under way; the sockets stay open. */
  finish(): Promise<void>
  /** Stops the background work, after the sockets are closed. */
  stop(): Promise<void>
}

/** Serves charging stations at `/ocpp/1.6/<cpid>` and `/ocpp/2.0.1/<cpid>`. */
export function startOcpp({ deps, upgrades, rates, isStopping }: OcppOptions): Ocpp {
  const stations = makeStations(deps)
  const log = makeThrottledLog(deps.log, deps.clock)
  const events = makeProtocolEvents(deps)
  const metrics = makeOcppMetrics(deps.metrics, stations.counts)
  const sender = startCommandSender(deps, stations)
  const charging = startChargingPoll(deps, { onWaiting: sender.wake })
  const versions = {
    '1.6': serveVersion('1.6', makeHandlers16(deps)),
    '2.0.1': serveVersion('2.0.1', makeHandlers201(deps)),
  }

  function serveVersion<Version extends OcppVersion>(
    version: Version,
    handlers: Handlers<MessagesByVersion[Version]>,
  ) {
    const schemas = readSchemas(version)
    return { schemas, respond: makeDispatch({ deps, version, schemas, handlers, metrics }) }
  }

  const handleUpgrade = makeHandshakeHandler({
    deps,
    rates,
    metrics,
    onStation(identity, socket) {
      const { schemas, respond } = versions[identity.version]
      const station = new StationSocket({
        identity,
        socket,
        schemas,
        respond(sender, message) {
          if (message.kind === 'call' && message.action === 'Heartbeat') stations.recordHeartbeat(sender)
          return respond(sender, message)
        },
        onActivity: stations.recordActivity,
        onCallEnded: (action, outcome, seconds) => metrics.callSeconds.observe({ action, outcome }, seconds),
        onThrottled(sender) {
          const { tenantId, cpid } = sender
          log.warn({ tenantId, cpid }, 'a charging station sends too many messages and is slowed down')
          void events.recordThrottled(sender)
        },
        onExpelled(sender, reason) {
          const { tenantId, cpid } = sender
          log.warn({ tenantId, cpid, reason }, 'the connection of a charging station is closed')
          void events.recordExpelled(sender, reason)
        },
      })
      stations.register(station)
      void sender.onConnect(station)
    },
  })

  function addRoutes(router: UpgradeRouter): void {
    for (const version of OCPP_VERSIONS) {
      router.add({
        path: new RegExp(`^/ocpp/${version.replaceAll('.', '\\.')}/(?<cpid>[^/]+)/?$`),
        messageBytesMax: OCPP_MESSAGE_BYTES_MAX,
        protocols: [SUBPROTOCOLS[version]],
        handle: handleUpgrade(version),
      })
    }
  }

  addRoutes(upgrades)
  const tls = deps.config.ocpp.tlsPort === undefined ? undefined : makeTlsListener(deps)
  // An https server emits the same upgrade events as an http server; only its type is unrelated.
  const tlsUpgrades =
    tls && routeUpgrades({ server: tls.server as unknown as Server, log: deps.log, isStopping })
  if (tlsUpgrades) addRoutes(tlsUpgrades)

  return {
    async listen() {
      const port = await tls?.listen()
      if (port !== undefined) deps.log.info({ port }, 'the TLS listener for charging stations is open')
      return port
    },
    async finish() {
      const late = () => new Error('responses to charging stations are still under way')
      await withTimeout(OCPP_STOP_MS, stations.finish(), late).catch((error: Error) =>
        deps.log.warn(error.message),
      )
      await tlsUpgrades?.close()
    },
    async stop() {
      await tls?.close()
      await charging.stop()
      await sender.stop()
      await stations.stop()
    },
  }
}

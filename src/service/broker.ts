import type { FastifyBaseLogger } from 'fastify'
import { storeRetained } from '../areas/equipment/gateway-link/index.ts'
import { listenTls, prepareGateways, serveGateways, type TlsListener } from '../field/mqtt/embedded-source.ts'
import { reportGaps } from '../field/mqtt/sequence-gap-note.ts'
import type { SharedSource } from '../field/mqtt/shared-source.ts'
import type { Database } from '../platform/db/pool.ts'
import type { Broker } from '../platform/messaging/broker.ts'
import { makePostgresLink, type PostgresLink } from '../platform/messaging/postgres-link.ts'
import { linkOverBroker, type ProcessLink } from '../platform/messaging/process-link.ts'
import type { EmbeddedBroker } from '../platform/mqtt/broker-hooks.ts'
import { makeEmbeddedBroker } from '../platform/mqtt/embedded-broker.ts'
import { makeSharedBroker, type SharedBroker } from '../platform/mqtt/shared-broker.ts'
import { NotReady } from '../platform/observability/readiness.ts'
import type { Config } from '../platform/settings/config.ts'
import type { ServiceDeps } from './deps.ts'
import { relayEvents } from './event-relay.ts'
import { listenByRules } from './listen.ts'

/** The message broker of the service; gateways cannot connect until `serve` is called. */
export interface ServiceBroker {
  readonly broker: Broker
  /** To the other processes; undefined with the embedded database, which only this process uses. */
  readonly link: ProcessLink | undefined
  /** Accepts gateways in a process with the role ingest, and adds the broker to the checks of /readiness. */
  serve(deps: ServiceDeps, print: (line: string) => void): Promise<void>
  /** Closes the connections of gateways first: what they have sent is stored and acknowledged. */
  close(): Promise<void>
}

export interface BrokerOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The URL of the database, through which the processes of an installation without MQTT_URL meet. */
  readonly databaseUrl: string
}

/** Opens the embedded broker, or a connection to the broker of MQTT_URL. */
export async function openBroker(options: BrokerOptions): Promise<ServiceBroker> {
  const { config, log, databaseUrl: url } = options
  if (config.mqttUrl !== undefined) return openOutside(config.mqttUrl, config, log)
  const embedded = await makeEmbeddedBroker(log)
  return config.databaseUrl === undefined
    ? openEmbedded(embedded, config)
    : openShared(embedded, makePostgresLink({ url, log }), options)
}

/** The ports of the embedded broker in this process. */
interface OpenPorts {
  open(deps: ServiceDeps, print: (line: string) => void): Promise<void>
  close(): void
}

function makePorts(broker: EmbeddedBroker): OpenPorts {
  let tls: TlsListener | undefined
  return {
    async open(deps, print) {
      const { config } = deps
      if (config.mqttPlainEnabled) await listenPlain(deps, broker, print)
      tls = await listenTls(deps, broker)
      if (tls) print(`Gateways connect to mqtts://${config.host}:${tls.port}.`)
    },
    close() {
      tls?.certificates.stop()
      tls = undefined
    },
  }
}

/** The broker of a process that is the only one. */
function openEmbedded(broker: EmbeddedBroker, config: Config): ServiceBroker {
  const ports = makePorts(broker)
  let stopNoting = (): void => {}
  return {
    broker,
    link: undefined,
    async serve(deps, print) {
      if (!config.roles.includes('ingest')) return
      await serveGateways(deps, deps.mqtt, broker)
      stopNoting = reportGaps(deps)
      await ports.open(deps, print)
      deps.readiness.check('broker', async () => {
        if (!broker.isListening()) throw new NotReady('does not listen')
      })
    },
    close() {
      stopNoting()
      ports.close()
      return broker.close()
    },
  }
}

/** The broker of one of several processes that meet through the database: see SharedBroker. */
function openShared(
  embedded: EmbeddedBroker,
  link: PostgresLink,
  { config, log }: BrokerOptions,
): ServiceBroker {
  const ports = makePorts(embedded)
  let database: Database | undefined
  let stopNoting = (): void => {}
  let stopRelay = async (): Promise<void> => {}
  const shared: SharedBroker = makeSharedBroker({
    embedded,
    link,
    log,
    keepRetained: async (message) => {
      if (database) await storeRetained(database, message)
    },
  })
  return {
    broker: shared.broker,
    link,
    async serve(deps, print) {
      database = deps.database
      stopRelay = await relayEvents(deps)
      deps.readiness.note(() => (link.isConnected() ? [] : ['the link to the other processes is down']))
      if (!config.roles.includes('ingest')) return
      stopNoting = reportGaps(deps)
      const gateways = prepareGateways(deps, deps.mqtt, embedded)
      await shared.compete(deps.database, async () => {
        ports.close()
        await gateways.begin()
        await ports.open(deps, print)
      })
      deps.readiness.check('broker', async () => {
        if (shared.isOwner() && !embedded.isListening()) throw new NotReady('does not listen')
      })
      deps.readiness.note(() =>
        shared.isOwner() ? [] : ['another process serves the gateways on MQTT; this one stands by'],
      )
    },
    async close() {
      stopNoting()
      await stopRelay()
      ports.close()
      await embedded.close()
      await shared.close()
      await link.close()
    },
  }
}

async function listenPlain(
  { config, log, ownEndpoints }: ServiceDeps,
  broker: EmbeddedBroker,
  print: (line: string) => void,
): Promise<void> {
  const { host, mqttPort: port, mqttPortIsFixed: portIsFixed } = config
  let opened = 0
  await listenByRules({ host, port, portIsFixed, print, setting: 'MQTT_PORT' }, async (candidate) => {
    opened = await broker.listen({ host, port: candidate })
  })
  ownEndpoints.add({ host, port: opened })
  log.info({ port: opened }, 'gateways can connect')
  print(`Gateways connect to mqtt://${host}:${opened}.`)
}

async function openOutside(url: string, config: Config, log: FastifyBaseLogger): Promise<ServiceBroker> {
  // The client is loaded where there is a broker for it (ADR 0170).
  const { linkOutside } = await import('../platform/mqtt/outside.ts')
  const { shareGateways } = await import('../field/mqtt/shared-source.ts')
  const broker = linkOutside({ url, log })
  let source: SharedSource | undefined
  let stopNoting = (): void => {}
  let stopRelay = async (): Promise<void> => {}
  return {
    broker,
    link: linkOverBroker(broker),
    async serve(deps) {
      stopRelay = await relayEvents(deps)
      const away = 'the broker of MQTT_URL is out of reach'
      // Parts without the role ingest work without the broker: only commands to gateways and live values are
      // delayed.
      if (!config.roles.includes('ingest'))
        return deps.readiness.note(() => (broker.isConnected() ? [] : [away]))
      deps.readiness.check('broker', async () => {
        if (!broker.isConnected() || !source?.isConnected()) throw new NotReady(away)
      })
      source = await shareGateways(deps, url, deps.mqtt)
      stopNoting = reportGaps(deps)
    },
    async close() {
      stopNoting()
      await stopRelay()
      await source?.close()
      await broker.close()
    },
  }
}

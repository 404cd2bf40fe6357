import type { FastifyBaseLogger } from 'fastify'
import { relayChanges } from '../field/mqtt/change-relay.ts'
import { listenTls, serveGateways, type TlsListener } from '../field/mqtt/embedded-source.ts'
import { reportGaps } from '../field/mqtt/sequence-gap-note.ts'
import { type SharedSource, shareGateways } from '../field/mqtt/shared-source.ts'
import type { Broker } from '../platform/messaging/broker.ts'
import type { EmbeddedBroker } from '../platform/mqtt/broker-hooks.ts'
import { makeEmbeddedBroker } from '../platform/mqtt/embedded-broker.ts'
import { linkOutside } from '../platform/mqtt/outside.ts'
import { NotReady } from '../platform/observability/readiness.ts'
import type { Config } from '../platform/settings/config.ts'
import type { ServiceDeps } from './deps.ts'
import { listenByRules } from './listen.ts'

/** The message broker of the service; gateways cannot connect until `serve` is called. */
export interface ServiceBroker {
  readonly broker: Broker
  /** Accepts gateways in a process with the role ingest, and adds the broker to the checks of /readiness. */
  serve(deps: ServiceDeps, print: (line: string) => void): Promise<void>
  /** Closes the connections of gateways first: what they have sent is stored and acknowledged. */
  close(): Promise<void>
}

/** Opens the embedded broker, or a connection to the broker of MQTT_URL. */
export const openBroker = (config: Config, log: FastifyBaseLogger): Promise<ServiceBroker> =>
  config.mqttUrl === undefined ? openEmbedded(config, log) : openOutside(config.mqttUrl, config, log)

async function openEmbedded(config: Config, log: FastifyBaseLogger): Promise<ServiceBroker> {
  const broker = await makeEmbeddedBroker(log)
  let stopNoting = (): void => {}
  let tls: TlsListener | undefined
  return {
    broker,
    async serve(deps, print) {
      if (!config.roles.includes('ingest')) return
      await serveGateways(deps, deps.mqtt, broker)
      stopNoting = reportGaps(deps)
      if (config.mqttPlainEnabled) await listenPlain(deps, broker, print)
      tls = await listenTls(deps, broker)
      if (tls) print(`Gateways connect to mqtts://${config.host}:${tls.port}.`)
      deps.readiness.check('broker', async () => {
        if (!broker.isListening()) throw new NotReady('does not listen')
      })
    },
    close() {
      stopNoting()
      tls?.certificates.stop()
      return broker.close()
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
  const broker = linkOutside({ url, log })
  let source: SharedSource | undefined
  let stopNoting = (): void => {}
  let stopRelay = async (): Promise<void> => {}
  return {
    broker,
    async serve(deps) {
      stopRelay = await relayChanges(deps)
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

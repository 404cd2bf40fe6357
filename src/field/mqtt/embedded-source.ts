import { readRetained, storeRetained, verifyLogin } from '../../areas/equipment/gateway-link/index.ts'
import { markAllOffline, updateGatewayState } from '../../areas/equipment/gateways/index.ts'
import type { BrokerHooks, EmbeddedBroker } from '../../platform/mqtt/broker-hooks.ts'
import type { GatewayIdentity } from '../../platform/mqtt/gateway-root.ts'
import { makeLogins } from '../../platform/mqtt/logins.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { type Certificates, makeCertificates } from '../../platform/tls/certificates.ts'
import { announceToHomeAssistants } from './home-assistant/announcer.ts'
import type { Intake } from './intake.ts'

type SourceDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'bus'>

export interface GatewaySource {
  /** Serves gateways from here on; called again when this process has taken over from another one. */
  begin(): Promise<void>
}

/** Connects the embedded broker to the service: authentication, intake of messages, and presence. */
export function prepareGateways(deps: SourceDeps, intake: Intake, broker: EmbeddedBroker): GatewaySource {
  const { database, clock, bus, log } = deps
  const logins = makeLogins({ verify: (login) => verifyLogin(database, login), clock })
  const present = async (mount: GatewayIdentity, isOnline: boolean): Promise<void> => {
    await updateGatewayState(database, mount, { isOnline, at: clock.now() })
    const { tenantId, gatewayId } = mount
    bus.emit('gateway_reported', { tenantId, gatewayId, receivedAt: clock.now(), status: { isOnline } })
  }
  intake.watchBroker(() => broker.stats())
  const homeAssistants = announceToHomeAssistants(deps, broker)
  bus.on('gateway_login_changed', ({ gatewayId }) => {
    if (!homeAssistants.has(gatewayId)) return broker.disconnect(gatewayId)
    homeAssistants
      .withdraw(gatewayId)
      .catch((error: Error) => log.warn({ reason: error.message }, 'sensors of Home Assistant remain'))
      .finally(() => broker.disconnect(gatewayId))
  })
  /** Updates of presence run in sequence, so that the last one wins. */
  let lastUpdate: Promise<void> = Promise.resolve()
  const hooks: BrokerHooks = {
    login: (login, address) => logins.enter(login, address),
    take: intake.take,
    present(mount, isPresent) {
      if (mount.isReader) homeAssistants.present(mount, isPresent)
      lastUpdate = lastUpdate
        .then(() => present(mount, isPresent))
        .catch((error: Error) => log.warn({ reason: error.message }, 'who is connected was not written'))
    },
    keepRetained: (message) => storeRetained(database, message),
    readRetained: () => readRetained(database),
  }
  return {
    async begin() {
      await markAllOffline(database, clock.now())
      await broker.serve(hooks)
    },
  }
}

/** Starts the embedded broker for gateways in a process that is the only one. */
export const serveGateways = (deps: SourceDeps, intake: Intake, broker: EmbeddedBroker): Promise<void> =>
  prepareGateways(deps, intake, broker).begin()

export interface TlsListener {
  readonly port: number
  readonly certificates: Certificates
}

/** Opens the listener of MQTT_TLS_PORT, if that is set. Throws a sentence for the operator. */
export async function listenTls(
  deps: Pick<Deps, 'config' | 'log' | 'clock' | 'metrics' | 'readiness' | 'ownEndpoints'>,
  broker: EmbeddedBroker,
): Promise<TlsListener | undefined> {
  const { host, mqttTls } = deps.config
  if (!mqttTls) return undefined
  const certificates = makeCertificates({
    deps,
    listener: 'mqtt',
    cert: { setting: 'MQTT_TLS_CERT', path: mqttTls.cert },
    key: { setting: 'MQTT_TLS_KEY', path: mqttTls.key },
    clientCa: { setting: 'MQTT_TLS_CLIENT_CA', path: mqttTls.clientCa },
  })
  const whenTrusted = mqttTls.requiresClientCert ? 'required' : 'optional'
  const clientCertificate = mqttTls.clientCa === undefined ? 'none' : whenTrusted
  const port = await broker
    .listen({ host, port: mqttTls.port, tls: { certificates, clientCertificate } })
    .catch((error: NodeJS.ErrnoException) => {
      certificates.stop()
      const isPort = error.syscall === 'listen'
      throw isPort
        ? new Error(`MQTT_TLS_PORT ${mqttTls.port} on ${host} cannot be used: ${error.message}`)
        : error
    })
  deps.ownEndpoints.add({ host, port })
  deps.log.info({ port }, 'gateways can connect with TLS')
  return { port, certificates }
}

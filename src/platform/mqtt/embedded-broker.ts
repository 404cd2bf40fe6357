import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aedes, type AedesOptions, type Client, type ConnectPacket, type PublishPacket } from 'aedes'
import { MQTT_STOP_MAX_MS } from '../../kernel/limits.ts'
import type { BrokerMessage, PublishOptions } from '../messaging/broker.ts'
import { clientCertificateOf } from '../tls/client-certificate.ts'
import type { BrokerHooks, BrokerStats, EmbeddedBroker } from './broker-hooks.ts'
import type { BrokerLog } from './broker-log.ts'
import type { GatewayIdentity } from './gateway-root.ts'
import { GatewaySessions, makePresence, type Presence } from './gateway-sessions.ts'
import {
  MQTT_CLIENT_ID_LENGTH_MAX,
  MQTT_DRAIN_TIMEOUT_MS,
  MQTT_EARLY_PACKETS_MAX,
  MQTT_IN_FLIGHT_BYTES_MAX,
  MQTT_KEEPALIVE_REFRESH_MS,
  MQTT_WINDOW_BYTES,
  MQTT_WINDOW_MESSAGES,
} from './limits.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, Listeners, type ListenOptions } from './listeners.ts'
import type { LoginOutcome } from './logins.ts'
import { WindowPool } from './receive-window.ts'
import { Refusals } from './refusals.ts'
import { RetainedBudget } from './retained.ts'
import { asBuffer, makeServiceLink, type ServiceLink } from './service-link.ts'
import { isNeverGone, Session } from './session.ts'
import { SubscriptionIndex } from './subscription-index.ts'

/**
 * The broker inside the process. A gateway stands in a tree of its own and cannot name a topic outside it; a
 * message is acknowledged when `take` says that it is stored. Sessions live as long as their connection:
 * nothing is queued for a gateway that is away, which finds retained messages when it comes back.
 */
class GatewayBroker implements EmbeddedBroker {
  private readonly aedes: Aedes
  private readonly log: BrokerLog
  private readonly listeners: Listeners
  private readonly refusals: Refusals
  private readonly sessions = new Set<Session>()
  private readonly sessionOf = new WeakMap<Client, Session>()
  private readonly mounted = new GatewaySessions()
  private readonly audience = new SubscriptionIndex(this.mounted)
  /** For each login that is being checked, the gateways whose login has changed meanwhile. */
  private readonly checking = new Set<Set<string>>()
  private readonly logins = new WeakMap<Client, LoginOutcome>()
  private readonly retained = new RetainedBudget()
  private readonly pool = new WindowPool(
    { messages: MQTT_WINDOW_MESSAGES, bytes: MQTT_WINDOW_BYTES },
    MQTT_IN_FLIGHT_BYTES_MAX,
  )
  private readonly presence: Presence
  private readonly keepAlive: NodeJS.Timeout
  private readonly link: ServiceLink
  private hooks: BrokerHooks | undefined
  /** Also after `suspend`: what ends then says nothing about the gateways. */
  private isClosing = false

  constructor(log: BrokerLog, limits: ConnectionLimits, makeAedes: (options: AedesOptions) => Aedes) {
    this.log = log
    this.refusals = new Refusals(log)
    this.aedes = makeAedes({
      // No limit of aedes' own on messages under way: a slow subscriber that reaches it would hold up all others.
      concurrency: 0,
      connectTimeout: limits.connectTimeoutMs,
      drainTimeout: MQTT_DRAIN_TIMEOUT_MS,
      queueLimit: MQTT_EARLY_PACKETS_MAX,
      maxClientsIdLength: MQTT_CLIENT_ID_LENGTH_MAX * 2,
      preConnect: (client, packet, done) => {
        const session = this.sessionOf.get(client)
        if (packet.protocolVersion === 5) return this.refusals.refuseVersion(client, session?.address, done)
        session?.control.holdUntilConnack()
        void this.admit(client, packet)
          .catch(() => this.logins.set(client, 'refused'))
          .then(() => done(null, true))
      },
      authenticate: (client, _name, _secret, done) => this.refusals.answer(this.logins.get(client), done),
      authorizePublish: (client, packet, done) => this.takePublish(client, packet, done),
      authorizeSubscribe: (client, subscription, done) => {
        done(null, this.sessionOf.get(client)?.maySubscribe(subscription.topic) ? subscription : null)
      },
      authorizeForward: (client, packet) => {
        const session = this.sessionOf.get(client)
        const seen = session?.topicForClient(packet.topic)
        if (seen === undefined || !session?.canSend()) return null
        packet.topic = seen
        return packet
      },
    })
    this.link = makeServiceLink(this.aedes, log, this.audience)
    this.aedes.on('clientReady', (client) => this.enterPresence(client))
    this.aedes.on('clientDisconnect', (client) => this.leavePresence(client))
    for (const event of ['clientError', 'connectionError'] as const)
      this.aedes.on(event, (client, error) => this.explain(client, error))
    this.presence = makePresence((mount, isPresent) => {
      if (!this.isClosing) this.hooks?.present(mount, isPresent)
    })
    this.listeners = new Listeners({
      log,
      limits,
      accept: (socket) => this.accept(socket),
      onHandshakeFailure: (error) => this.refusals.failHandshake(error),
    })
    this.keepAlive = setInterval(() => {
      for (const { window, control } of this.sessions)
        if (window.size > 0 || window.isPaused) control.keepAlive()
    }, MQTT_KEEPALIVE_REFRESH_MS).unref()
  }

  readonly start = (): Promise<void> => this.aedes.listen()

  async serve(hooks: BrokerHooks): Promise<void> {
    for (const { topic, payload } of await hooks.readRetained())
      this.link.emit(topic, payload, { retain: true })
    this.hooks = hooks
    this.isClosing = false
  }

  readonly listen = (options: ListenOptions): Promise<number> => this.listeners.open(options)

  readonly isListening = (): boolean => this.listeners.areListening()

  async publish(topic: string, payload: Buffer | string, options: PublishOptions = {}): Promise<void> {
    if (options.retain === true) await this.hooks?.keepRetained({ topic, payload: asBuffer(payload) })
    this.link.emit(topic, asBuffer(payload), options)
  }

  readonly subscribe = (filter: string, handler: (message: BrokerMessage) => void) =>
    this.link.listen(filter, handler)

  disconnect(gatewayId: string): void {
    for (const changed of this.checking) changed.add(gatewayId)
    for (const { client } of this.mounted.sessionsOf(gatewayId)) client.close()
  }

  async suspend(): Promise<void> {
    this.isClosing = true
    for (const { client } of this.sessions) client.conn.destroy()
    await this.listeners.end()
  }

  stats(): BrokerStats {
    return {
      sessions: this.sessions.size,
      inFlightBytes: this.pool.bytes,
      heldUp: this.pool.waiting.size,
      refused: this.refusals.counts,
    }
  }

  async close(): Promise<void> {
    this.isClosing = true
    clearInterval(this.keepAlive)
    this.presence.stop()
    const closed = this.listeners.close()
    for (const { control } of this.sessions) control.pause()
    for (let waitedMs = 0; this.pool.bytes > 0 && waitedMs < MQTT_STOP_MAX_MS; waitedMs += 10) await sleep(10)
    // The acknowledgements of the last messages are still on their way into the sockets.
    await sleep(10)
    await new Promise<void>((resolve) => this.aedes.close(() => resolve()))
    for (const { client } of this.sessions) client.conn.destroy()
    this.listeners.destroyTlsConnections()
    await closed
  }

  private accept(socket: Socket): void {
    socket.setNoDelay(true)
    const client = this.aedes.handle(socket)
    const address = socket.remoteAddress ?? ''
    const certificateNames = clientCertificateOf(socket)?.names ?? []
    const onFilters = this.audience.change
    const session = new Session({ client, pool: this.pool, onFilters, address, certificateNames })
    this.sessions.add(session)
    this.sessionOf.set(client, session)
    socket.once('close', () => {
      this.sessions.delete(session)
      this.mounted.remove(session)
      this.audience.change()
      this.takeEarly(session)
      session.window.close()
    })
  }

  /** Decides the login before aedes looks at the client id: the id counts within the gateway only. */
  private async admit(client: Client, packet: ConnectPacket): Promise<void> {
    const session = this.sessionOf.get(client)
    if (!session || !this.hooks || this.isClosing) return void this.logins.set(client, 'unavailable')
    const password = packet.password === undefined ? undefined : String(packet.password)
    const login = { username: packet.username, password, certificateNames: session.certificateNames }
    const changed = new Set<string>()
    this.checking.add(changed)
    try {
      const answer = await this.hooks.login(login, session.address).catch(() => 'unavailable' as const)
      // Nothing may be waited for between the answer and the mounting: a login that ends now finds one or the other.
      if (typeof answer === 'object') this.mount(session, packet, answer, changed.has(answer.gatewayId))
      else this.logins.set(client, answer)
    } finally {
      this.checking.delete(changed)
    }
  }

  private mount(session: Session, packet: ConnectPacket, mount: GatewayIdentity, hasChanged: boolean): void {
    const clientId = `${mount.gatewayId}/${packet.clientId || randomUUID()}`
    const outcome = hasChanged ? 'unavailable' : this.mounted.check(mount, clientId, packet)
    this.logins.set(session.client, outcome)
    if (typeof outcome !== 'object') return
    session.setRoot(mount, clientId)
    if (session.client.closed) return void this.takeEarly(session)
    this.mounted.add(mount.gatewayId, session)
    packet.clientId = clientId
    // A session lives as long as its connection; see the class.
    packet.clean = true
    if (packet.will) packet.will.topic = session.topicOf(packet.will)
  }

  private takePublish(
    client: Client | null,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): void {
    const session = client && this.sessionOf.get(client)
    if (!client || !session?.mount) return void done(new Error('nobody published this'))
    // A closed client speaks by its will. At the stop of the service, and when a newer session has taken its place,
    // the will would be untrue.
    const isWill = client.closed
    if (isWill && (this.isClosing || this.mounted.isSuperseded(session)))
      return void done(new Error('superseded'))
    const isGone = packet.qos === 0 ? session.isDispensable : session.isGone
    this.takeMessage(session, packet, isWill ? isNeverGone : isGone, done)
    if (!session.window.isPaused) session.control.readOn()
  }

  /**
   * Takes the QoS 0 messages of a client that closed its connection before its successful login was answered.
   * Messages of another QoS were not acknowledged, so the client sends them again.
   */
  private takeEarly(session: Session): void {
    if (!session.mount || this.isClosing) return
    for (const packet of session.control.takeEarly()) {
      if (packet.qos !== 0 || /[#+]/.test(packet.topic)) continue
      this.takeMessage(session, packet, session.isDispensable, (error) => {
        if (!error) this.link.emit(packet.topic, asBuffer(packet.payload), { qos: 0, retain: packet.retain })
      })
    }
  }

  private takeMessage(
    session: Session,
    packet: PublishPacket,
    isGone: () => boolean,
    done: (error?: Error | null) => void,
  ): void {
    const { mount, root } = session
    if (!mount || !this.hooks || isGone()) return void done(new Error('the message is not taken'))
    const resolved = session.resolveTopic(packet.topic)
    if (resolved instanceof Error) return void done(resolved)
    const { whole, below: topic } = resolved
    packet.topic = whole
    const payload = asBuffer(packet.payload)
    const { tenantId, gatewayId, isReader } = mount
    if (isReader) return void session.drop(packet, done)
    packet.retain &&= this.retained.allows(gatewayId, whole, payload.length)
    const work = this.hooks.take({ tenantId, gatewayId, root, topic, payload, isShared: false, isGone })
    const isForUs = work !== undefined && isGone !== isNeverGone && packet.qos < 2 && !packet.retain
    session.window.enter(payload.length, work, (error) => {
      if (isGone()) return // The gateway sends it again, and a repeated sample changes nothing.
      const isQuiet = !error && isForUs && !this.audience.hasSubscribers(gatewayId, resolved)
      session.acknowledge(packet, isQuiet ? undefined : () => done(error))
    })
  }

  private enterPresence(client: Client): void {
    const session = this.sessionOf.get(client)
    // A client that closed before it was authenticated gets no disconnect event.
    if (session?.mount && !client.closed) this.presence.enter(session.mount, session)
  }

  private leavePresence(client: Client): void {
    const session = this.sessionOf.get(client)
    if (session?.mount) this.presence.leave(session.mount, session)
  }

  private explain(client: Client, error: Error): void {
    const session = this.sessionOf.get(client)
    this.log.debug(
      { gateway: session?.mount?.gatewayId, address: session?.address, reason: error.message },
      'an MQTT connection ended with an error',
    )
  }
}

/** Makes the broker, which serves the parts of this process; `serve` and `listen` open it to gateways. */
export async function makeEmbeddedBroker(
  log: BrokerLog,
  limits: Partial<ConnectionLimits> = {},
): Promise<EmbeddedBroker> {
  const broker = new GatewayBroker(log, { ...CONNECTION_LIMITS, ...limits }, (options) => new Aedes(options))
  await broker.start()
  return broker
}

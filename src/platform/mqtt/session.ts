import type { Client, PublishPacket } from 'aedes'
import { MQTT_PACKET_BYTES_MAX } from '../../kernel/limits.ts'
import { matchesFilter } from '../messaging/broker.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { type ClientControl, controlClient, type TopicPacket } from './aedes-client.ts'
import { type GatewayIdentity, isReserved, rootOf, underRoot } from './gateway-root.ts'
import {
  MQTT_CONNECT_BYTES_MAX,
  MQTT_OUTGOING_BYTES_MAX,
  MQTT_SUBSCRIPTIONS_PER_READER_MAX,
  MQTT_SUBSCRIPTIONS_PER_SESSION_MAX,
  MQTT_TOPIC_LENGTH_MAX,
  MQTT_TOPICS_CACHED_MAX,
} from './limits.ts'
import { ReceiveWindow, type WindowPool } from './receive-window.ts'

/** Below the root, where nothing is ever published: what stands in for a filter that is refused. */
const REFUSED = '$refused'

/** Of a will, which speaks for a connection that has ended. */
export const isNeverGone = (): boolean => false

/** Counts sessions, so that of two the newer one is known. */
let sessions = 0

/** Where a topic that was published lies. */
export interface ResolvedTopic {
  readonly whole: string
  /** Below the gateway's root. */
  readonly below: string
  /** The last result of SubscriptionIndex.hasSubscribers, and the version of the subscriptions it holds for. */
  subscriptionsVersion: number
  hasSubscribers: boolean
}

export interface SessionOptions {
  readonly client: Client
  readonly pool: WindowPool
  /** Called when the session subscribes to a filter or unsubscribes from one. */
  readonly onFilters: () => void
  /** As the connection said at its beginning; afterwards the system may not know any more. */
  readonly address: string
  /** The names in the trusted certificate of the client; empty without one. */
  readonly certificateNames: readonly string[]
}

/** One connection, from its first byte; `mount` stands once its login is right. */
export class Session {
  readonly client: Client
  readonly address: string
  readonly certificateNames: readonly string[]
  /** Higher for newer ones. */
  number = 0
  readonly window: ReceiveWindow
  readonly acknowledgements: Acknowledgements
  readonly control: ClientControl
  private mounted: GatewayIdentity | undefined
  root = ''
  /** Of the client within all gateways. */
  clientId = ''
  /** One for all messages: the connection has ended. */
  readonly isGone = (): boolean => this.client.closed
  /**
   * Of a QoS 0 message, which its sender does not repeat: it is stored although the connection has ended, unless
   * the memory for received messages is full.
   */
  readonly isDispensable = (): boolean => this.client.closed && this.pool.isFull()
  /** Filters as they were written: with the root, or without. */
  private readonly whole = new Set<string>()
  private readonly bare = new Set<string>()
  /** SUBSCRIBEs that came before the answer to the login. */
  private readonly early: TopicPacket[] = []
  /** By the topic as it was written: a gateway has few. */
  private readonly resolvedTopics = new Map<string, ResolvedTopic>()
  private readonly onFilters: () => void
  private readonly pool: WindowPool
  private isDraining = false

  constructor({ client, pool, onFilters, address, certificateNames }: SessionOptions) {
    this.client = client
    this.pool = pool
    this.address = address
    this.certificateNames = certificateNames
    this.onFilters = onFilters
    this.acknowledgements = new Acknowledgements(client)
    this.control = controlClient(client, {
      bytesMax: () => (this.mounted ? MQTT_PACKET_BYTES_MAX : MQTT_CONNECT_BYTES_MAX),
      tooLarge: (bytes) => client.conn.destroy(new Error(`a packet of ${bytes} bytes is too large`)),
      onTopics: (packet) => (this.mounted ? this.resolveFilters(packet) : void this.early.push(packet)),
    })
    this.window = new ReceiveWindow(pool, this.control)
  }

  get mount(): GatewayIdentity | undefined {
    return this.mounted
  }

  setRoot(mount: GatewayIdentity, clientId: string): void {
    this.mounted = mount
    this.clientId = clientId
    sessions += 1
    this.number = sessions
    this.root = rootOf(mount)
    for (const packet of this.early.splice(0)) this.resolveFilters(packet)
  }

  /** As `topicOf`, remembered; the error is answered. */
  resolveTopic(topic: string): ResolvedTopic | Error {
    const known = this.resolvedTopics.get(topic)
    if (known) return known
    try {
      const whole = this.topicOf({ topic })
      const rewriteFilters = {
        whole,
        below: this.below(whole),
        subscriptionsVersion: -1,
        hasSubscribers: true,
      }
      if (this.resolvedTopics.size >= MQTT_TOPICS_CACHED_MAX) this.resolvedTopics.clear()
      this.resolvedTopics.set(topic, rewriteFilters)
      return rewriteFilters
    } catch (error) {
      return error as Error
    }
  }

  /**
   * Of a settled message that nobody else hears only its acknowledgement is left; any other is left to aedes:
   * `pass`.
   */
  acknowledge({ messageId }: Pick<PublishPacket, 'messageId'>, pass: (() => void) | undefined): void {
    if (pass) {
      this.acknowledgements.flush()
      pass()
    } else if (messageId !== undefined) this.acknowledgements.add(messageId)
    this.holdUpUntilDrained()
  }

  /**
   * Drops a message of a reader. It is acknowledged, because an error would end the session: Home Assistant publishes
   * its own state.
   */
  drop(packet: PublishPacket, done: (error: Error) => void): void {
    if (packet.qos === 2 || this.client.closed) done(new Error('a reader publishes nothing'))
    else this.acknowledge(packet, undefined)
  }

  /** Looked at for each message: aedes writes acknowledgements whether they are taken or not. */
  private holdUpUntilDrained(): void {
    if (this.isDraining || !this.client.conn.writableNeedDrain) return
    this.isDraining = true
    this.window.setClogged(true)
    this.control.onDrained(() => {
      this.isDraining = false
      this.window.setClogged(false)
    })
  }

  /** Where a published topic lies; an error that ends the connection when it may not be used. */
  topicOf(packet: Pick<PublishPacket, 'topic'>): string {
    const { topic } = packet
    if (isReserved(topic)) throw new Error('a topic that begins with $ is reserved')
    if (topic.includes('\0')) throw new Error('the topic is not a text')
    const whole = underRoot(this.root, topic)
    if (whole.length > this.root.length + MQTT_TOPIC_LENGTH_MAX) throw new Error('the topic is too long')
    if (whole.length === this.root.length) throw new Error('the topic is empty')
    return whole
  }

  private below(wholeTopic: string): string {
    return wholeTopic.slice(this.root.length)
  }

  /** Whether a filter, as `resolveFilters` left it, may be subscribed to. */
  maySubscribe(filter: string): boolean {
    return filter.startsWith(this.root) && !filter.startsWith(this.root + REFUSED)
  }

  /**
   * The topic as this client is to see it; undefined for one that is not its own, which nobody should have
   * sent it.
   */
  topicForClient(topic: string): string | undefined {
    if (!topic.startsWith(this.root)) return undefined
    if (this.bare.size === 0) return topic
    const below = this.below(topic)
    if (this.whole.size === 0) return below
    for (const filter of this.bare) if (matchesFilter(filter, below)) return below
    return topic
  }

  /** Whether one of its filters matches a whole topic. */
  isSubscribedTo(topic: string): boolean {
    for (const filter of this.whole) if (matchesFilter(filter, topic)) return true
    for (const filter of this.bare) if (matchesFilter(this.root + filter, topic)) return true
    return false
  }

  /** False: too much waits to be sent already, and the connection ends. Nobody else is slowed down by it. */
  canSend(): boolean {
    const { conn } = this.client
    if (conn.writableLength <= MQTT_OUTGOING_BYTES_MAX) return true
    conn.destroy(new Error('the subscriber takes too little'))
    return false
  }

  private hasRoomFor(filter: string): boolean {
    return (
      !isReserved(filter) &&
      underRoot(this.root, filter).length <= this.root.length + MQTT_TOPIC_LENGTH_MAX &&
      this.bare.size + this.whole.size <
        (this.mounted?.isReader ? MQTT_SUBSCRIPTIONS_PER_READER_MAX : MQTT_SUBSCRIPTIONS_PER_SESSION_MAX)
    )
  }

  /** All filters of a packet at once: aedes keeps the whole packet's as soon as the first one is allowed. */
  private resolveFilters(packet: TopicPacket): void {
    this.onFilters()
    for (const subscription of packet.subscriptions ?? []) {
      const filter = subscription.topic
      const kept = filter.startsWith(this.root) ? this.whole : this.bare
      if (kept.has(filter) || this.hasRoomFor(filter)) {
        kept.add(filter)
        subscription.topic = underRoot(this.root, filter)
      } else subscription.topic = this.root + REFUSED
    }
    if (!packet.unsubscriptions) return
    for (const filter of packet.unsubscriptions) {
      this.whole.delete(filter)
      this.bare.delete(filter)
    }
    packet.unsubscriptions = packet.unsubscriptions.map((filter) => underRoot(this.root, filter))
  }
}

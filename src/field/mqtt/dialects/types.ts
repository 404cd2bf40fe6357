import type { FirmwareMessage } from '../../../areas/updates/ota/index.ts'

/**
 * The contract of MQTT dialects. A decoder is a pure function of one message and of the memory of its
 * gateway.
 *
 * The source (`src/field/mqtt`) calls it as follows:
 * 1. `dialectOf(topic)` selects the dialect by the topic below the gateway's root; none: dead letter
 *    `unknown_topic`.
 * 2. `decode(message)` runs once per message, synchronously, in the order in which one process received the
 *    messages. It throws `Undecodable` for a message of which nothing can be used: dead letter with its
 *    reason, its replies are still sent. Any other error is a bug: it is logged and the dead letter has the
 *    reason `decoder_failed`.
 * 3. The names of the readings are looked up among the gateway's devices: device.id, then
 *    extra_metadata.external_id or ieee_address, then device.name. A device whose template has a register
 *    map with `mqtt_path`s gets its values from `raw` and `rawByTopic` by that map, any other device takes
 *    `values`.
 *    Readings of unknown devices and everything in `refused` become ONE dead letter that holds the whole
 *    message; the rest of the message is stored all the same. A retry of the dead letter decodes the
 *    message again, with its first `receivedAt`: what was stored already is a duplicate.
 * 4. After the commit (of samples and dead letter): gateway status, availability and inventory are taken,
 *    `replies` are published below the gateway's root, and the message is acknowledged to its sender.
 *
 * A message can come more than once (QoS 1, retained, retries, two overlapping subscriptions): the same
 * message must decode to the same readings. With several processes on an outside broker each one sees only
 * a part of a gateway's messages (`isShared`); topics that a decoder needs to see whole in every process
 * are its `sharedState` filters.
 */

/** One received message. */
export interface Message {
  /** Below the gateway's root: `zigbee2mqtt/Plug`, `v1/gateway/telemetry`. Never begins with a slash. */
  readonly topic: string
  readonly payload: Buffer
  /** Epoch milliseconds; the time of readings without their own. */
  readonly receivedAt: number
  /**
   * Other processes receive a part of this gateway's messages, so a gap in a dialect's own numbering proves
   * nothing.
   */
  readonly isShared: boolean
  readonly memory: DecoderMemory
}

/**
 * State of one gateway between messages, for example Sparkplug's aliases. It is lost at a restart and
 * evicted for the least recently active gateways; a decoder must recover from an empty one. A gateway has
 * at most DECODER_MEMORY_KEYS_MAX keys, of which the least recently written is evicted; the decoder bounds
 * the size of a value.
 */
export interface DecoderMemory {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
}

/** The values of one device at one instant. */
export interface Reading {
  /** Its name on the wire, or its id. null: the sender itself, which is the gateway's only device. */
  readonly device: string | null
  /** Epoch milliseconds; absent when the message has no time. */
  readonly at?: number
  /**
   * Known metrics have the names and units of kernel/metrics.ts; all finite. May be empty when `raw` is
   * present.
   */
  readonly values: Readonly<Record<string, number>>
  /** The device's JSON as sent, for templates that read it by `mqtt_path`. */
  readonly raw?: unknown
  /**
   * The parts of `raw` that the device publishes on topics of their own, by the end of the topic: the paths of
   * templates name these topics.
   */
  readonly rawByTopic?: Readonly<Record<string, unknown>>
}

/** A refused part of a message, with the reason for its dead letter. */
export interface Refused {
  readonly reason: UndecodableReason
  /** Human-readable: the part and what is wrong with it. */
  readonly detail: string
}

export interface GatewayStatus {
  readonly isOnline: boolean
  readonly firmwareVersion?: string
  /** Address of the coordinator of a Zigbee gateway. */
  readonly ieeeAddress?: string
}

export interface Availability {
  readonly device: string
  readonly isOnline: boolean
}

/** A device that the gateway reports, whether it is registered or not. */
export interface InventoryItem {
  readonly device: string
  readonly ieeeAddress?: string
  readonly vendor?: string
  readonly model?: string
  /** The software behind the dialect supports the device. */
  readonly isSupported?: boolean
  /** The dialect's own description of what it offers, as sent (zigbee2mqtt's `definition.exposes`). */
  readonly exposes?: unknown
}

/** A message to the gateway, published after the commit. */
export interface Reply {
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer | string
  readonly qos?: 0 | 1
  readonly retain?: boolean
}

/** A gateway's own sequence number, incremented with each message; a smaller one means that it restarted. */
export interface Sequence {
  readonly seq: number
  /** When it sent the message by its own clock, epoch milliseconds. */
  readonly sentAt?: number
}

/** The content of a message; `{}` for one that is understood and ignored. */
export interface Decoded {
  readonly readings?: readonly Reading[]
  readonly refused?: readonly Refused[]
  readonly status?: GatewayStatus
  readonly availability?: readonly Availability[]
  readonly inventory?: readonly InventoryItem[]
  /** The inventory is complete: a device that is not listed has left. */
  readonly isInventoryWhole?: boolean
  readonly replies?: readonly Reply[]
  readonly sequence?: Sequence
  /** A message about an over-the-air update; its responses are published like replies. */
  readonly firmware?: FirmwareMessage
}

export interface Dialect {
  /** Name in metrics and logs: `canonical`, `thingsboard`. */
  readonly name: string
  /**
   * Subscriptions with an outside broker, as filters below the gateway's root. Messages of the service
   * itself (commands, responses) should not match them, because the broker would return them.
   */
  readonly filters: readonly string[]
  /**
   * True when a topic below the gateway's root belongs to this dialect; no two dialects claim the same
   * topic.
   */
  claims(topic: string): boolean
  decode(message: Message): Decoded
  /** Those of `filters` whose messages every process must receive (Sparkplug's births). */
  readonly sharedState?: readonly string[]
}

/** The words of dead letters; one that is not here is added here and to docs/integrate/mqtt.md. */
export const UNDECODABLE_REASONS = [
  'not_json',
  'not_protobuf',
  'wrong_shape',
  'bad_time',
  'bad_value',
  'bad_quality',
  'too_many_readings',
  'unknown_alias',
  'unknown_topic',
] as const
export type UndecodableReason = (typeof UNDECODABLE_REASONS)[number]

/** Thrown when nothing of a message can be used. */
export class Undecodable extends Error {
  readonly reason: UndecodableReason
  /** Replies that are sent nevertheless, for example Sparkplug's request for a rebirth. */
  readonly replies: readonly Reply[]

  /** `detail` is human-readable. */
  constructor(reason: UndecodableReason, detail: string, replies: readonly Reply[] = []) {
    super(detail)
    this.name = 'Undecodable'
    this.reason = reason
    this.replies = replies
  }
}

import type { FirmwareMessage } from '../../../areas/updates/ota/index.ts'

/**
 * How a dialect of MQTT is read. A decoder is a pure function of one message and of what it remembers of the gateway.
 *
 * The source (`src/field/mqtt`) calls it so:
 * 1. `dialectOf(topic)` picks the dialect by the topic below the gateway's root; none: dead letter `unknown_topic`.
 * 2. `decode(message)` once for each message, in the order in which one process received them, at once (no promises).
 *    It throws `Undecodable` for a message of which nothing can be used: dead letter with its reason, its replies
 *    are still sent. Any other error is our bug: it is logged and the dead letter says `decoder_failed`.
 * 3. The readings' names are looked up among the gateway's devices: device.id, then extra_metadata.external_id or
 *    ieee_address, then device.name. A device whose template has a register map with `mqtt_path`s gets its values from
 *    `raw` by that map, any other device takes `values`. Readings of unknown devices and everything in `refused`
 *    become ONE dead letter that holds the whole message; the rest of the message is stored all the same. A retry of
 *    the dead letter decodes the message again, with its first `receivedAt`: what was stored already is a duplicate.
 * 4. After the commit (of samples and dead letter): gateway status, availability and inventory are taken, `replies` are
 *    published below the gateway's root, and the message is acknowledged to its sender.
 *
 * A message can come more than once (QoS 1, retained, retries, two overlapping subscriptions): the same message must
 * decode to the same readings. With several processes on an outside broker each one sees only a part of a gateway's
 * messages (`isShared`); topics that a decoder needs to see whole in every process are its `sharedState` filters.
 */

/** One message as it came in. */
export interface Message {
  /** Below the gateway's root: `zigbee2mqtt/Plug`, `v1/gateway/telemetry`. Never begins with a slash. */
  readonly topic: string
  readonly payload: Buffer
  /** Epoch milliseconds; the time of readings that bring none. */
  readonly receivedAt: number
  /** Other processes take a part of this gateway's messages: a jump in a dialect's own numbering proves nothing. */
  readonly isShared: boolean
  readonly memory: DecoderMemory
}

/**
 * What a decoder keeps of one gateway between messages, for example Sparkplug's aliases. Lost at a restart and dropped
 * for gateways that have been silent the longest; a decoder must find its way back from an empty one. A gateway has
 * DECODER_MEMORY_KEYS_MAX keys, the key written the longest ago goes first; bounding a value is the decoder's task.
 */
export interface DecoderMemory {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
}

/** What one device measured at one instant. */
export interface Reading {
  /** Its name on the wire, or its id. null: the sender speaks for itself, so it is the gateway's only device. */
  readonly device: string | null
  /** Epoch milliseconds; left out when the message names no time. */
  readonly at?: number
  /** By the names and units of kernel/metrics.ts where they have one; all finite. May be empty when `raw` is there. */
  readonly values: Readonly<Record<string, number>>
  /** The device's JSON as sent, for templates that read it by `mqtt_path`. */
  readonly raw?: unknown
}

/** A part of a message that is left out, with the reason for its dead letter. */
export interface Refused {
  readonly reason: UndecodableReason
  /** For a person: which part, and what is wrong with it. */
  readonly detail: string
}

export interface GatewayStatus {
  readonly isOnline: boolean
  readonly firmwareVersion?: string
  /** Of a Zigbee gateway: the address of its coordinator. */
  readonly ieeeAddress?: string
}

export interface Availability {
  readonly device: string
  readonly isOnline: boolean
}

/** A device that the gateway says it has, whether we know it or not. */
export interface InventoryItem {
  readonly device: string
  readonly ieeeAddress?: string
  readonly vendor?: string
  readonly model?: string
  /** The dialect's software knows how to read it. */
  readonly isSupported?: boolean
  /** The dialect's own description of what it offers, as sent (zigbee2mqtt's `definition.exposes`). */
  readonly exposes?: unknown
}

/** What goes back to the gateway once everything is committed. */
export interface Reply {
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer | string
  readonly qos?: 0 | 1
  readonly retain?: boolean
}

/** A gateway's own numbering of its messages, one up for each; a smaller one means that it started again. */
export interface Sequence {
  readonly seq: number
  /** When it sent the message by its own clock, epoch milliseconds. */
  readonly sentAt?: number
}

/** Everything a message says; `{}` for one that is understood and says nothing to us. */
export interface Decoded {
  readonly readings?: readonly Reading[]
  readonly refused?: readonly Refused[]
  readonly status?: GatewayStatus
  readonly availability?: readonly Availability[]
  readonly inventory?: readonly InventoryItem[]
  /** The inventory lists all there are: one that is not on it has left. */
  readonly isInventoryWhole?: boolean
  readonly replies?: readonly Reply[]
  readonly sequence?: Sequence
  /** About an update over the air; what comes back is published as replies are. */
  readonly firmware?: FirmwareMessage
}

export interface Dialect {
  /** As metrics and logs call it: `canonical`, `thingsboard`. */
  readonly name: string
  /**
   * What it wants from an outside broker, as filters below the gateway's root. What we send ourselves (commands,
   * answers) is better not among them: it would come back to us.
   */
  readonly filters: readonly string[]
  /** Whether a topic below the gateway's root is this dialect's; no two dialects claim the same one. */
  claims(topic: string): boolean
  decode(message: Message): Decoded
  /** Those of `filters` whose messages every process has to see (Sparkplug's births). */
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

/** Nothing of the message can be used. */
export class Undecodable extends Error {
  readonly reason: UndecodableReason
  /** Sent all the same, for example Sparkplug's request for a rebirth. */
  readonly replies: readonly Reply[]

  /** `detail` is for a person. */
  constructor(reason: UndecodableReason, detail: string, replies: readonly Reply[] = []) {
    super(detail)
    this.name = 'Undecodable'
    this.reason = reason
    this.replies = replies
  }
}

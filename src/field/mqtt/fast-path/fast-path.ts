/**
 * The fast path of MQTT: telemetry of known devices, which is nearly everything that gateways send.
 *
 * Purpose. The full path parses a message into objects, resolves its readings and awaits a promise. At tens
 * of thousands of messages a second the objects cost more than the work: they live until the commit, and the
 * garbage collector moves them. The fast path reads the numbers of a message where they stand in its bytes
 * and writes them into the columns of a block. Until the commit nothing of a message lives but its bytes, its
 * range in a block and one `Pending`.
 *
 * How. The messages of a gateway are the same text with other numbers in it. The first message of a kind is
 * decoded by the full path; `learn` then records its shape (telemetry-shape.ts): the pieces of text and the
 * slots between them. A message that matches a shape is read by comparing the pieces and parsing the slots.
 *
 * When. `tryTake` returns undefined and the full path takes the message unless all of this holds: the topic
 * is `telemetry`, the message matches a shape, the gateway's numbering and device names are in memory, every
 * reading has a value, and no device has a template with paths of its own. A message that could not be stored
 * is decoded once more by the full path, which makes it a dead letter. So a doubt costs time and never
 * changes a result.
 *
 * Trade-offs. Two implementations of one format. Three things keep them equal: a shape is learned only when
 * it reads the message exactly as the decoder did, a property test compares them on mutated messages, and all
 * that is not a plain number at an expected position is left to the decoder. `fast-path.bench.ts` beside this
 * file measures what is gained; when it reports a ratio near 1, this folder can be deleted: nothing else
 * depends on it but one call in `intake.ts`.
 */

import {
  type Ingest,
  type SampleSink,
  SenderGone,
  type StreamMessage,
  type Waiter,
} from '../../../areas/metering/intake-contract/index.ts'
import { makeLru } from '../../../platform/async/lru.ts'
import type { GatewayMessage } from '../../../platform/mqtt/broker-hooks.ts'
import { Completion } from '../../../platform/mqtt/receive-window.ts'
import type { Decoded } from '../dialects/types.ts'
import type { NameTable } from '../dialects/values.ts'
import type { Directory, GatewayDevices } from '../directory.ts'
import type { GatewayWatch, Noted } from '../gateway-watch.ts'
import { DECODER_MEMORY_GATEWAYS_MAX, MQTT_BACKFILL_AGE_MS } from '../limits.ts'
import { type ShapedMessage, Shapes } from './telemetry-shape.ts'

interface FastPathDeps {
  readonly ingest: Pick<Ingest, 'stream'>
  readonly watch: GatewayWatch
  readonly directory: Pick<Directory, 'devices'>
  /** The short names of metrics in telemetry messages. */
  readonly names: NameTable
  /** The full path, for a message that could not be stored. */
  readonly fallBack: (message: GatewayMessage, receivedAt: number) => Promise<void>
}

const TOPIC = 'telemetry'

/** A matched message whose devices are known. There is one for all messages: the queue reads it at once. */
class ResolvedMessage implements StreamMessage {
  private readonly deviceIds: string[] = []
  private readonly deviceKeys: number[] = []
  private shaped: ShapedMessage | undefined
  private receivedAt = 0
  count = 0
  newestAt = Number.NEGATIVE_INFINITY

  get isBackfill(): boolean {
    return this.newestAt < this.receivedAt - MQTT_BACKFILL_AGE_MS
  }

  /** False when the full path has to take the message. */
  resolve(shaped: ShapedMessage, devices: GatewayDevices, receivedAt: number): boolean {
    this.shaped = shaped
    this.receivedAt = receivedAt
    this.count = shaped.count
    this.newestAt = Number.NEGATIVE_INFINITY
    for (let index = 0; index < shaped.count; index++) {
      const reading = shaped.readings[index]
      const device = reading && devices.find(reading.device)
      if (!device || device.map || reading.mask === 0) return false
      this.deviceIds[index] = device.id
      this.deviceKeys[index] = device.key
      this.newestAt = Math.max(this.newestAt, reading.at ?? receivedAt)
    }
    return shaped.count > 0
  }

  addTo(sink: SampleSink): void {
    for (let index = 0; index < this.count; index++) {
      const reading = this.shaped?.readings[index]
      const [id, key] = [this.deviceIds[index], this.deviceKeys[index]]
      if (!reading || id === undefined || key === undefined) throw new RangeError(`no reading ${index}`)
      sink.addColumns(id, key, reading.at ?? this.receivedAt, reading)
    }
  }
}

export class FastPath {
  /** Messages that were taken, for the metrics. */
  messages = 0
  private readonly deps: FastPathDeps
  private readonly resolved = new ResolvedMessage()
  private readonly shapes = makeLru<Shapes>(DECODER_MEMORY_GATEWAYS_MAX)

  constructor(deps: FastPathDeps) {
    this.deps = deps
  }

  /** Undefined when the full path has to take the message; nothing has happened then. */
  tryTake(message: GatewayMessage, receivedAt: number): Completion | undefined {
    if (message.topic !== TOPIC) return undefined
    const { watch, directory, ingest } = this.deps
    const shaped = this.shapes.get(message.gatewayId)?.read(message.payload)
    if (!shaped) return undefined
    const { sequence } = shaped
    if (sequence !== undefined && !watch.isOpen(message)) return undefined
    const devices = directory.devices(message)
    if (devices === null || devices instanceof Promise) return undefined
    const { resolved } = this
    if (!resolved.resolve(shaped, devices, receivedAt)) return undefined
    this.messages += 1
    const pending = new Pending(this.deps, message, { receivedAt, sequence, newestAt: resolved.newestAt })
    ingest.stream(message.tenantId, resolved, pending)
    return pending
  }

  /** Records the shape of a message that the full path has decoded. */
  learn({ gatewayId, topic, payload }: GatewayMessage, decoded: Decoded): void {
    if (topic !== TOPIC || decoded.readings === undefined) return
    let shapes = this.shapes.peek(gatewayId)
    if (!shapes) {
      shapes = new Shapes()
      this.shapes.set(gatewayId, shapes)
    }
    shapes.learn(payload, decoded, this.deps.names)
  }
}

/** A message until its commit. */
class Pending extends Completion implements Waiter {
  private readonly deps: FastPathDeps
  private readonly message: GatewayMessage
  private readonly noted: Noted
  readonly isGone: () => boolean

  constructor(deps: FastPathDeps, message: GatewayMessage, noted: Noted) {
    super()
    this.deps = deps
    this.message = message
    this.noted = noted
    this.isGone = message.isGone
  }

  resolve(): void {
    this.deps.watch.note(this.message, this.noted)
    this.end()
  }

  reject(error: unknown): void {
    if (error instanceof SenderGone) return void this.end(error)
    this.deps.fallBack(this.message, this.noted.receivedAt).then(
      () => this.end(),
      (failure: Error) => this.end(failure),
    )
  }
}

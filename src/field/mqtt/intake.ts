import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptMessage, MqttIntake, Unused } from '../../areas/equipment/gateway-link/index.ts'
import { updateGatewayState } from '../../areas/equipment/gateways/index.ts'
import { type SampleSink, SenderGone } from '../../areas/metering/intake-contract/index.ts'
import { handleFirmwareMessage } from '../../areas/updates/ota/index.ts'
import { isTransient } from '../../platform/db/errors.ts'
import type { BrokerStats, GatewayMessage } from '../../platform/mqtt/broker-hooks.ts'
import type { Work } from '../../platform/mqtt/receive-window.ts'
import { makeThrottledLog, type ThrottledLog } from '../../platform/observability/throttled-log.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { type DeadLetters, makeDeadLetters } from './dead-letters.ts'
import { type DecodedMessage, type DecoderDeps, decodeMessage, isNothing } from './decode-message.ts'
import { makeMemories } from './decoder-memory.ts'
import { CANONICAL_NAMES } from './dialects/canonical.ts'
import type { Decoded, Reply } from './dialects/types.ts'
import { type Directory, type GatewayDevices, type GatewayRef, makeDirectory } from './directory.ts'
import { FastPath } from './fast-path/fast-path.ts'
import { type GatewayWatch, watchGateways } from './gateway-watch.ts'
import { MQTT_BACKFILL_AGE_MS, MQTT_RETRY_MS } from './limits.ts'
import { countMessages, type MessageCounts } from './metrics.ts'
import { addSamples, type KeyedSample, type Resolved, resolveReadings, unusedOf } from './readings.ts'
import { replayNamedDevices } from './replay.ts'

export interface Intake extends MqttIntake {
  /**
   * Takes a message. Returns undefined when nothing has to be stored. Otherwise the promise resolves when all
   * of it is committed, in part perhaps as a dead letter, and rejects only when the sender has disconnected.
   */
  readonly take: (message: GatewayMessage) => Work
  /** Counts a message whose topic belongs to no tenant, so that no dead letter can be stored for it. */
  countUnassigned(): void
  readonly directory: Directory
  /** Connects the metrics to the statistics of the embedded broker. */
  watchBroker(stats: () => BrokerStats): void
  /** Writes unwritten state to the database. No message may be taken afterwards. */
  close(): Promise<void>
}

type IntakeDeps = Pick<
  Deps,
  'config' | 'database' | 'clock' | 'log' | 'metrics' | 'bus' | 'broker' | 'ingest'
>

/**
 * The intake for messages of gateways, whatever broker they came by: from a message to committed samples and dead
 * letters.
 *
 * There are two code paths. The fast path takes telemetry whose shape is known (see fast-path/). The full path takes
 * everything else and everything that the fast path declines: decode by the dialect, resolve device names, store
 * samples, take state, numbering and firmware messages, keep what could not be used as a dead letter, send replies.
 * Both enqueue their samples into the same queue (areas/metering/intake), and both let the sender wait for the commit.
 */
class MessageIntake implements Intake {
  readonly directory: Directory
  private readonly deps: IntakeDeps
  private readonly log: ThrottledLog
  private readonly decoder: DecoderDeps
  private readonly letters: DeadLetters
  private readonly watch: GatewayWatch
  private readonly fastPath: FastPath
  private readonly counts: MessageCounts
  private readonly replays: { stop(): Promise<void> }
  private brokerStats: (() => BrokerStats) | undefined

  constructor(deps: IntakeDeps) {
    this.deps = deps
    this.directory = makeDirectory(deps)
    this.log = makeThrottledLog(deps.log, deps.clock)
    this.letters = makeDeadLetters({ ...deps, log: this.log })
    this.watch = watchGateways({
      ...deps,
      acknowledge: (ref, ack) => this.send(ref, { topic: 'ack', payload: JSON.stringify(ack) }),
    })
    this.fastPath = new FastPath({
      ingest: deps.ingest,
      watch: this.watch,
      directory: this.directory,
      names: CANONICAL_NAMES,
      fallBack: (message, receivedAt) =>
        this.takeFully(message, this.decode(message, receivedAt), receivedAt),
    })
    this.counts = countMessages(deps.metrics, {
      waiting: () => deps.ingest.waitingMessages(),
      fastPath: () => this.fastPath.messages,
      skews: () => this.watch.skews(),
      broker: () => this.brokerStats?.(),
    })
    this.replays = replayNamedDevices({ ...deps, mqtt: this })
    this.decoder = { log: this.log, counts: this.counts, memoryOf: makeMemories() }
  }

  readonly take = (message: GatewayMessage): Work => {
    const receivedAt = this.deps.clock.now()
    const fast = this.fastPath.tryTake(message, receivedAt)
    if (fast !== undefined) return fast
    if (message.topic === 'hello') return this.sendHello(message)
    const decoded = this.decode(message, receivedAt)
    return isNothing(decoded) ? undefined : this.takeFully(message, decoded, receivedAt)
  }

  async retake(kept: KeptMessage): Promise<Unused | undefined> {
    const message = { isGone: () => false, ...kept, root: '', isShared: true }
    const { failure, decoded } = this.decode(message, kept.receivedAt)
    const { status: _status, availability: _availability, inventory: _inventory, ...current } = decoded
    return failure ?? this.store(message, current, kept.receivedAt)
  }

  watchBroker(stats: () => BrokerStats): void {
    this.brokerStats = stats
  }

  countUnassigned(): void {
    this.counts.message('nobody')
  }

  async close(): Promise<void> {
    await this.replays.stop()
    await this.watch.stop()
  }

  private async sendHello(message: GatewayMessage): Promise<void> {
    const ack = await this.retrying(message.isGone, () => this.watch.acknowledgement(message))
    this.send(message, { topic: 'ack', payload: JSON.stringify(ack) })
  }

  private decode(message: GatewayMessage, receivedAt: number): DecodedMessage {
    const result = decodeMessage(this.decoder, message, receivedAt)
    if (!result.failure) this.fastPath.learn(message, result.decoded)
    return result
  }

  /** The full path. */
  private async takeFully(
    message: GatewayMessage,
    { decoded, failure, replies }: DecodedMessage,
    receivedAt: number,
  ): Promise<void> {
    const unused =
      failure ??
      (await this.store(message, decoded, receivedAt).catch((error: unknown) => {
        if (error instanceof SenderGone) throw error
        return this.notStored(message, error)
      }))
    if (unused) await this.keepDeadLetter(message, unused, receivedAt)
    for (const reply of replies) this.send(message, reply)
  }

  /** Resolves when everything that can be stored is committed, with the reason if a part could not. */
  private async store(
    message: GatewayMessage,
    decoded: Decoded,
    receivedAt: number,
  ): Promise<Unused | undefined> {
    const { isGone } = message
    const { readings = [], refused = [], status, sequence, availability, inventory } = decoded
    let unused: Unused | undefined
    let newestAt: number | undefined
    if (readings.length > 0) {
      const resolved = await this.storeReadings(message, decoded, receivedAt)
      if ('reason' in resolved) return resolved
      newestAt = resolved.newestAt
      unused = unusedOf(resolved.unknown, [...refused, ...resolved.refused])
    } else unused = unusedOf(new Set(), refused)
    const { database, bus } = this.deps
    if (status) {
      const state = { isOnline: status.isOnline, at: receivedAt, firmwareVersion: status.firmwareVersion }
      await this.retrying(isGone, () => updateGatewayState(database, message, state))
    }
    if (sequence) {
      const opening = this.watch.open(message)
      if (opening !== undefined)
        await this.retrying(isGone, () => this.watch.open(message) ?? Promise.resolve())
    }
    this.watch.note(message, { receivedAt, sequence, newestAt })
    unused = (await this.takeFirmware(message, decoded)) ?? unused
    if ((status || availability || inventory) && bus.hasListeners('gateway_reported')) {
      const { tenantId, gatewayId } = message
      const { isInventoryWhole } = decoded
      const report = { status, availability, inventory, isInventoryWhole }
      bus.emit('gateway_reported', { tenantId, gatewayId, receivedAt, ...report })
    }
    return unused
  }

  /** Responses are sent after the commit; a chunk of a firmware is also a response. */
  private async takeFirmware(message: GatewayMessage, { firmware }: Decoded): Promise<Unused | undefined> {
    if (!firmware) return undefined
    const work = () => handleFirmwareMessage(this.deps, message, firmware)
    const { replies, unused } = await this.retrying(message.isGone, work)
    for (const reply of replies) this.send(message, reply)
    return unused
  }

  private async storeReadings(
    message: GatewayMessage,
    { readings = [] }: Decoded,
    receivedAt: number,
  ): Promise<Resolved | Unused> {
    const { isGone, topic } = message
    const known = this.directory.devices(message)
    let devices =
      known instanceof Promise
        ? await this.retrying(isGone, async () => this.directory.devices(message))
        : known
    const resolve = (present: GatewayDevices) => resolveReadings(readings, present, { topic, receivedAt })
    let resolved = devices && resolve(devices)
    if (resolved && resolved.unknown.size > 0) {
      const missing = resolved.unknown
      devices = await this.retrying(isGone, () => this.directory.refresh(message, missing))
      resolved = devices && resolve(devices)
    }
    if (!resolved)
      return { reason: 'unknown_gateway', detail: `the tenant has no gateway ${message.gatewayId}` }
    const { samples, newestAt = receivedAt } = resolved
    if (samples.length === 0) return resolved
    // A replayed message is older than its time of receipt suggests.
    const isBackfill = newestAt < this.deps.clock.now() - MQTT_BACKFILL_AGE_MS
    try {
      await this.retrying(isGone, () => this.commit(message, samples, isBackfill))
      return resolved
    } catch (error) {
      if (error instanceof SenderGone) throw error
      return this.notStored(message, error)
    }
  }

  /** Resolves when the samples are committed. */
  private commit(
    { tenantId, isGone }: GatewayMessage,
    samples: readonly KeyedSample[],
    isBackfill: boolean,
  ): Promise<void> {
    const addTo = (sink: SampleSink): void => addSamples(samples, sink)
    return new Promise((resolve, reject) => {
      const waiter = { isGone, resolve, reject }
      this.deps.ingest.stream(tenantId, { count: samples.length, isBackfill, addTo }, waiter)
    })
  }

  private notStored({ topic, gatewayId }: GatewayMessage, error: unknown): Unused {
    this.log.error({ err: error, topic, gatewayId }, 'the samples of a message could not be stored')
    return { reason: 'not_stored', detail: 'the samples could not be stored' }
  }

  private async keepDeadLetter(message: GatewayMessage, unused: Unused, receivedAt: number): Promise<void> {
    const { tenantId, gatewayId, topic, payload, isGone } = message
    await this.letters.keep({ tenantId, gatewayId, topic, payload, receivedAt, ...unused }, isGone)
    this.counts.deadLetter(unused.reason)
  }

  /**
   * Retries while the database is unavailable: the message stays unacknowledged as long as its sender is
   * connected.
   */
  private async retrying<T>(isGone: () => boolean, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isTransient(error)) throw error
        this.log.warn({ reason: (error as Error).message }, 'a message waits for the database')
        await sleep(MQTT_RETRY_MS)
        if (isGone()) throw new SenderGone('the sender has gone')
      }
    }
  }

  private send({ root }: Pick<GatewayRef, 'root'>, { topic, payload, qos = 1, retain = false }: Reply): void {
    if (root === '') return
    this.deps.broker.publish(root + topic, payload, { qos, retain }).catch((error: Error) => {
      this.log.warn({ reason: error.message, topic }, 'an answer to a gateway was not sent')
    })
  }
}

export const startIntake = (deps: IntakeDeps): Intake => new MessageIntake(deps)

import { setTimeout as sleep } from 'node:timers/promises'
import { updateGatewayState } from '../../areas/equipment/gateway-link/index.ts'
import { handleFirmwareMessage } from '../../areas/updates/ota/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Deps } from '../../platform/deps.ts'
import type { BrokerStats } from '../../platform/mqtt/broker-hooks.ts'
import type { Work } from '../../platform/mqtt/completion.ts'
import type { KeptMessage, MqttIntake, Unused } from '../../platform/mqtt-intake.ts'
import { type CalmLog, makeCalmLog } from '../../platform/observability/throttled-log.ts'
import { countMessages, type MessageCounts } from './counts.ts'
import { type Letters, makeLetters } from './dead-letters.ts'
import { canonical } from './dialects/canonical.ts'
import type { Decoded, Reply } from './dialects/types.ts'
import { type Directory, type GatewayRef, makeDirectory } from './directory.ts'
import { AtOnce } from './fast-path.ts'
import { type GatewayWatch, watchGateways } from './gateways.ts'
import type { IncomingMessage } from './incoming.ts'
import { MQTT_BACKFILL_AGE_MS, MQTT_RETRY_MS } from './limits.ts'
import { mayPass } from './may-pass.ts'
import { makeMemories } from './memory.ts'
import { Lanes, SenderGone, type Verdict } from './priority-queue.ts'
import { type Resolved, resolveReadings, unusedOf } from './readings.ts'
import { glance, isNothing, type Teller, type Told, tell } from './tell.ts'

export interface Intake extends MqttIntake {
  /**
   * Undefined: nothing in it has to be stored. Else it resolves when everything in it is committed, in part perhaps as
   * a dead letter; it rejects only when its sender is gone.
   */
  take(message: IncomingMessage): Work
  /** Counts a message that lies below no tenant: there is nobody to keep it for. */
  passOver(): void
  readonly directory: Directory
  /** Lets the metrics look at the embedded broker. */
  watchBroker(stats: () => BrokerStats): void
  readonly waiting: () => { readonly live: number; readonly old: number }
  /** Writes down what is only in memory. Nothing may be taken any more. */
  close(): Promise<void>
}

type IntakeDeps = Pick<
  Deps,
  'config' | 'database' | 'clock' | 'log' | 'metrics' | 'bus' | 'broker' | 'ingest'
>

/** What may be tried again as it is, and what is the fault of one message. */
const judge = (error: unknown): Verdict => (mayPass(error) ? 'again' : 'singly')

/** The way from a message of a gateway to committed samples and dead letters, whatever broker it came by. */
class MessageIntake implements Intake {
  readonly directory: Directory
  private readonly deps: IntakeDeps
  private readonly log: CalmLog
  private readonly teller: Teller
  private readonly lanes: Lanes
  private readonly letters: Letters
  private readonly watch: GatewayWatch
  private readonly atOnce: AtOnce
  private readonly counts: MessageCounts
  private brokerStats: (() => BrokerStats) | undefined

  constructor(deps: IntakeDeps) {
    this.deps = deps
    this.directory = makeDirectory(deps)
    this.log = makeCalmLog(deps.log, deps.clock)
    this.letters = makeLetters({ ...deps, log: this.log })
    this.lanes = new Lanes({
      collect: (tenantId) => deps.ingest.collect(tenantId),
      judge,
      pause: () => sleep(MQTT_RETRY_MS),
    })
    this.watch = watchGateways({
      ...deps,
      acknowledge: (ref, ack) => this.say(ref, { topic: 'ack', payload: JSON.stringify(ack) }),
    })
    this.atOnce = new AtOnce({
      lanes: this.lanes,
      watch: this.watch,
      directory: this.directory,
      takeLong: (message, receivedAt) => this.process(message, this.decode(message, receivedAt), receivedAt),
    })
    this.counts = countMessages(deps.metrics, {
      waiting: () => this.lanes.waiting,
      skews: () => this.watch.skews(),
      broker: () => this.brokerStats?.(),
    })
    this.teller = { log: this.log, counts: this.counts, memoryOf: makeMemories() }
  }

  readonly waiting = () => this.lanes.waiting

  take(message: IncomingMessage): Work {
    const receivedAt = this.deps.clock.now()
    if (message.topic === 'hello') return this.greet(message)
    const figures = glance(this.teller, message, receivedAt)
    const work = figures && this.atOnce.takeFigures(message, figures, receivedAt)
    if (work !== undefined) {
      this.counts.message(canonical.name)
      return work
    }
    const told = this.decode(message, receivedAt)
    if (isNothing(told)) return undefined
    return this.atOnce.take(message, told, receivedAt) ?? this.process(message, told, receivedAt)
  }

  async retake(kept: KeptMessage): Promise<Unused | undefined> {
    const message = { ...kept, root: '', isShared: true, isGone: () => false }
    const told = this.decode(message, kept.receivedAt)
    if (told.failure) return told.failure
    return this.store(message, told.decoded, kept.receivedAt)
  }

  watchBroker(stats: () => BrokerStats): void {
    this.brokerStats = stats
  }

  passOver(): void {
    this.counts.message('nobody')
  }

  async close(): Promise<void> {
    await this.watch.stop()
  }

  private async greet(message: IncomingMessage): Promise<void> {
    const ack = await this.patiently(message.isGone, () => this.watch.acknowledgement(message))
    this.say(message, { topic: 'ack', payload: JSON.stringify(ack) })
  }

  private decode(message: IncomingMessage, receivedAt: number): Told {
    return tell(this.teller, message, receivedAt)
  }

  private async process(message: IncomingMessage, told: Told, receivedAt: number): Promise<void> {
    const { decoded, failure, replies } = told
    const unused =
      failure ??
      (await this.store(message, decoded, receivedAt).catch((error: unknown) => {
        if (error instanceof SenderGone) throw error
        return this.notStored(message, error)
      }))
    if (unused) await this.bury(message, unused, receivedAt)
    for (const reply of replies) this.say(message, reply)
  }

  /** Resolves when what can be stored is committed, with why something could not. */
  private async store(
    message: IncomingMessage,
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
      await this.patiently(isGone, () => updateGatewayState(database, message, state))
    }
    if (sequence) {
      const opening = this.watch.open(message)
      if (opening !== undefined)
        await this.patiently(isGone, () => this.watch.open(message) ?? Promise.resolve())
    }
    this.watch.note(message, { receivedAt, sequence, newestAt })
    unused = (await this.takeFirmware(message, decoded)) ?? unused
    if ((status || availability || inventory) && bus.hasListeners('gateway_reported')) {
      const { tenantId, gatewayId } = message
      const { isInventoryWhole } = decoded
      const told = { status, availability, inventory, isInventoryWhole }
      bus.emit('gateway_reported', { tenantId, gatewayId, receivedAt, ...told })
    }
    return unused
  }

  /** Answered after the commit; a piece of a firmware is an answer too. */
  private async takeFirmware(message: IncomingMessage, { firmware }: Decoded): Promise<Unused | undefined> {
    if (!firmware) return undefined
    const work = () => handleFirmwareMessage(this.deps, message, firmware)
    const { replies, unused } = await this.patiently(message.isGone, work)
    for (const reply of replies) this.say(message, reply)
    return unused
  }

  private async storeReadings(
    message: IncomingMessage,
    { readings = [] }: Decoded,
    receivedAt: number,
  ): Promise<Resolved | Unused> {
    const { tenantId, isGone, topic } = message
    const known = this.directory.devices(message)
    let devices =
      known instanceof Promise ? await this.patiently(isGone, () => this.askDevices(message)) : known
    let wasAsked = false
    for (;;) {
      if (!devices)
        return { reason: 'unknown_gateway', detail: `the tenant has no gateway ${message.gatewayId}` }
      const resolved = resolveReadings(readings, devices, { topic, receivedAt })
      const { samples, unknown, newestAt = receivedAt } = resolved
      if (unknown.size > 0 && !wasAsked) {
        wasAsked = true
        devices = await this.patiently(isGone, () => this.directory.again(message))
        continue
      }
      if (samples.length === 0) return resolved
      try {
        const isOld = newestAt < receivedAt - MQTT_BACKFILL_AGE_MS
        await new Promise<void>((resolve, reject) => {
          this.lanes.add(tenantId, samples, isOld, { isGone, resolve, reject })
        })
        return resolved
      } catch (error) {
        if (error instanceof SenderGone) throw error
        // A device may have been deleted since its name was looked up.
        if (wasAsked || !isUnknownDevice(error)) return this.notStored(message, error)
        wasAsked = true
        devices = await this.patiently(isGone, () => this.directory.again(message))
      }
    }
  }

  private async askDevices(ref: GatewayRef) {
    return this.directory.devices(ref)
  }

  private notStored({ topic, gatewayId }: IncomingMessage, error: unknown): Unused {
    if (isUnknownDevice(error)) return { reason: 'unknown_device', detail: 'a device of it was deleted' }
    this.log.error({ err: error, topic, gatewayId }, 'the samples of a message could not be stored')
    return { reason: 'not_stored', detail: 'the samples could not be stored' }
  }

  private async bury(message: IncomingMessage, unused: Unused, receivedAt: number): Promise<void> {
    const { tenantId, gatewayId, topic, payload, isGone } = message
    await this.letters.keep({ tenantId, gatewayId, topic, payload, receivedAt, ...unused }, isGone)
    this.counts.deadLetter(unused.reason)
  }

  /** The database may be away: the message waits, unacknowledged, for as long as its sender does. */
  private async patiently<T>(isGone: () => boolean, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!mayPass(error)) throw error
        this.log.warn({ reason: (error as Error).message }, 'a message waits for the database')
        await sleep(MQTT_RETRY_MS)
        if (isGone()) throw new SenderGone('the sender has gone')
      }
    }
  }

  private say({ root }: Pick<GatewayRef, 'root'>, { topic, payload, qos = 1, retain = false }: Reply): void {
    if (root === '') return
    this.deps.broker.publish(root + topic, payload, { qos, retain }).catch((error: Error) => {
      this.log.warn({ reason: error.message, topic }, 'an answer to a gateway was not sent')
    })
  }
}

const isUnknownDevice = (error: unknown): boolean => error instanceof AppError && error.status === 422

export const startIntake = (deps: IntakeDeps): Intake => new MessageIntake(deps)

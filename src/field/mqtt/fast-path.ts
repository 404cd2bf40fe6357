import type { Collection } from '../../platform/ingest.ts'
import { Ending } from '../../platform/mqtt/completion.ts'
import type { Figures } from './dialects/types.ts'
import type { Directory, GatewayDevices } from './directory.ts'
import type { GatewayWatch, Noted } from './gateways.ts'
import type { IncomingMessage } from './incoming.ts'
import { MQTT_BACKFILL_AGE_MS } from './limits.ts'
import { type Lanes, SenderGone, type Sent, sentOf, type Waiter } from './priority-queue.ts'
import { resolveReadings } from './readings.ts'
import { isPlain, type Told } from './tell.ts'

interface AtOnceDeps {
  readonly lanes: Lanes
  readonly watch: GatewayWatch
  readonly directory: Directory
  /** The long way, for a message of which a device may have been deleted since its name was looked up. */
  readonly takeLong: (message: IncomingMessage, receivedAt: number) => Promise<void>
}

/** Figures whose devices are known. One for all messages: the lanes take them at once. */
class Resolved implements Sent {
  private readonly deviceIds: string[] = []
  private figures: Figures | undefined
  private receivedAt = 0
  count = 0
  newestAt = Number.NEGATIVE_INFINITY

  /** False: they need more than a look at the names. */
  take(figures: Figures, devices: GatewayDevices, receivedAt: number): boolean {
    this.figures = figures
    this.receivedAt = receivedAt
    this.count = figures.count
    this.newestAt = Number.NEGATIVE_INFINITY
    for (let index = 0; index < figures.count; index++) {
      const reading = figures.readings[index]
      const device = reading && devices.find(reading.device)
      if (!device || device.map || reading.mask === 0) return false
      this.deviceIds[index] = device.id
      this.newestAt = Math.max(this.newestAt, reading.at ?? receivedAt)
    }
    return figures.count > 0
  }

  addTo(samples: Collection): void {
    for (let index = 0; index < this.count; index++) {
      const reading = this.figures?.readings[index]
      if (reading) samples.addColumns(this.deviceIds[index] ?? '', reading.at ?? this.receivedAt, reading)
    }
  }
}

/**
 * Telemetry of known devices, which is nearly all there is: nothing is waited for but the commit, and of a message nothing
 * lives until then but its bytes and its place in a block. What is undefined is not that simple.
 */
export class AtOnce {
  private readonly deps: AtOnceDeps
  private readonly resolved = new Resolved()

  constructor(deps: AtOnceDeps) {
    this.deps = deps
  }

  takeFigures(message: IncomingMessage, figures: Figures, receivedAt: number): Ending | undefined {
    const { sequence } = figures
    const devices = this.devicesFor(message, sequence !== undefined)
    if (!devices || !this.resolved.take(figures, devices, receivedAt)) return undefined
    const { newestAt } = this.resolved
    return this.commit(message, this.resolved, { receivedAt, sequence, newestAt })
  }

  take(message: IncomingMessage, told: Told, receivedAt: number): Ending | undefined {
    const { readings, sequence } = told.decoded
    if (!readings || !isPlain(told)) return undefined
    const devices = this.devicesFor(message, sequence !== undefined)
    if (!devices) return undefined
    const { samples, unknown, refused, newestAt } = resolveReadings(readings, devices, {
      topic: message.topic,
      receivedAt,
    })
    if (unknown.size > 0 || refused.length > 0 || newestAt === undefined) return undefined
    return this.commit(message, sentOf(samples), { receivedAt, sequence, newestAt })
  }

  private devicesFor(message: IncomingMessage, isNumbered: boolean): GatewayDevices | undefined {
    const { watch, directory } = this.deps
    if (isNumbered && !watch.isOpen(message)) return undefined
    const devices = directory.devices(message)
    return devices === null || devices instanceof Promise ? undefined : devices
  }

  private commit(message: IncomingMessage, sent: Sent, noted: Noted): Ending {
    const { receivedAt, newestAt = receivedAt } = noted
    const pending = new Pending(this.deps, message, noted)
    this.deps.lanes.send(message.tenantId, sent, newestAt < receivedAt - MQTT_BACKFILL_AGE_MS, pending)
    return pending
  }
}

/** A message until its commit. */
class Pending extends Ending implements Waiter {
  private readonly deps: AtOnceDeps
  private readonly message: IncomingMessage
  private readonly noted: Noted
  readonly isGone: () => boolean

  constructor(deps: AtOnceDeps, message: IncomingMessage, noted: Noted) {
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
    this.deps.takeLong(this.message, this.noted.receivedAt).then(
      () => this.end(),
      (failure: Error) => this.end(failure),
    )
  }
}

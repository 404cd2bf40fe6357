import type { RawData, WebSocket } from 'ws'
import { iso } from '../../../kernel/time.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_MESSAGES_PER_SWEEP_MAX,
  LIVE_PING_MS,
  LIVE_RECHECK_API_KEY_MS,
  LIVE_RECHECK_MS,
  LIVE_REQUESTS_WAITING_MAX,
} from './limits.ts'
import { type ClientMessage, InvalidMessage, parseClientMessage, partitionIds } from './messages.ts'
import type { Subscriber } from './subscriber.ts'
import { exceedsDeviceLimit, type Subscriptions } from './subscriptions.ts'

export interface ClientConnectionOptions {
  readonly subscriber: Subscriber
  readonly socket: WebSocket
  readonly hub: Hub
  readonly subscriptions: Subscriptions
  readonly clock: Clock
}

/** The receiving side of one socket: requests of the client, flood control, liveness and token expiry. */
export class ClientConnection {
  readonly subscriber: Subscriber
  private readonly hub: Hub
  private readonly subscriptions: Subscriptions
  private readonly clock: Clock
  private messages = 0
  private requests: Promise<void> = Promise.resolve()
  private requestsWaiting = 0
  private pingedAt: number
  private readonly recheckMs: number
  private recheckAt: number
  private hasSignOfLife = true
  private lastProgress = { buffered: 0, dispatched: 0 }

  constructor({ subscriber, socket, hub, subscriptions, clock }: ClientConnectionOptions) {
    this.subscriber = subscriber
    this.hub = hub
    this.subscriptions = subscriptions
    this.clock = clock
    this.pingedAt = subscriber.owner.connectedAt
    this.recheckMs = subscriber.owner.hasApiKey ? LIVE_RECHECK_API_KEY_MS : LIVE_RECHECK_MS
    this.recheckAt = subscriber.owner.connectedAt + this.recheckMs
    socket.on('message', (data, isBinary) => this.receive(data, isBinary))
    socket.on('ping', () => this.countMessage())
    socket.on('pong', () => {
      this.hasSignOfLife = true
    })
    socket.on('close', () => hub.leave(subscriber))
  }

  /** Runs every LIVE_SWEEP_MS: closes expired and overfull sockets, lifts flood control, pings. */
  sweep(now: number): void {
    const { subscriber } = this
    if (!subscriber.isOpen) return
    if (now >= subscriber.owner.expiresAt) return void subscriber.close('tokenExpired')
    if (subscriber.exceedsBufferLimit) return void subscriber.terminate()
    if (this.messages > LIVE_MESSAGES_PER_SWEEP_MAX) subscriber.resume()
    this.messages = 0
    if (now - this.pingedAt >= LIVE_PING_MS) this.checkLiveness(now)
  }

  /** True once every `recheckMs`, when user, permissions and devices must be verified again. */
  isRecheckDue(now: number): boolean {
    if (now < this.recheckAt) return false
    this.recheckAt = now + this.recheckMs
    return true
  }

  private checkLiveness(now: number): void {
    const { bufferedBytes: buffered, dispatchedBytes: dispatched } = this.subscriber
    // The pong of a slow client waits behind unread data: that the client keeps reading proves liveness as
    // well.
    const isReading = this.lastProgress.buffered > 0 && dispatched > this.lastProgress.dispatched
    if (!this.hasSignOfLife && !isReading) return void this.subscriber.terminate()
    this.pingedAt = now
    this.hasSignOfLife = false
    this.lastProgress = { buffered, dispatched }
    this.subscriber.ping()
  }

  /**
   * False when the client sends too much: the message is ignored, and the socket is paused until the next
   * sweep.
   */
  private countMessage(): boolean {
    this.hasSignOfLife = true
    this.messages += 1
    if (this.messages <= LIVE_MESSAGES_PER_SWEEP_MAX) return true
    if (this.messages === LIVE_MESSAGES_PER_SWEEP_MAX + 1) {
      this.sendError(
        new InvalidMessage('too_many_requests', 'too many messages at once; some were not looked at'),
      )
      this.subscriber.pause()
    }
    return false
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (!this.countMessage()) return
    try {
      if (isBinary) throw new InvalidMessage('not_json', 'a message is text')
      this.handle(parseClientMessage(String(data)))
    } catch (error) {
      this.sendError(error)
    }
  }

  private handle(message: ClientMessage): void {
    switch (message.type) {
      case 'ping':
        return void this.subscriber.send({ type: 'pong', server_time: iso(this.clock.now()) })
      case 'pong':
        return
      case 'subscribe':
        return void this.enqueue(() => this.subscribe(message.devices, message.since))
      case 'unsubscribe':
        return void this.enqueue(async () => this.unsubscribe(message.devices))
    }
  }

  /** Runs requests one after the other, so that responses keep the order of the requests. */
  private enqueue(work: () => Promise<void>): void {
    if (this.requestsWaiting >= LIVE_REQUESTS_WAITING_MAX) {
      throw new InvalidMessage('too_many_requests', 'earlier requests are still being worked on')
    }
    this.requestsWaiting += 1
    this.requests = this.requests.then(work).then(
      () => this.settle(),
      (error: unknown) => this.settle(error),
    )
  }

  private settle(error?: unknown): void {
    this.requestsWaiting -= 1
    if (error !== undefined) this.sendError(error)
  }

  private async subscribe(texts: readonly string[], since: number | undefined): Promise<void> {
    const { subscriber } = this
    const fresh = texts.filter((text) => !subscriber.devices.has(text.trim().toLowerCase()))
    if (exceedsDeviceLimit(fresh, subscriber.devices.size)) {
      throw new InvalidMessage(
        'too_many_devices',
        'one socket cannot watch so many devices; nothing was changed',
      )
    }
    const { keys, refused } = await this.subscriptions.findDevices(subscriber.owner.tenantId, texts)
    const sendSubscribed = () => subscriber.send({ type: 'subscribed', devices: [...keys.keys()], refused })
    await this.subscriptions.subscribe(subscriber, { keys, since, acknowledge: sendSubscribed })
  }

  private unsubscribe(texts: readonly string[]): void {
    const devices = partitionIds(texts).ids.filter((id) => this.subscriber.devices.has(id))
    this.hub.unwatch(this.subscriber, devices)
    this.subscriber.send({ type: 'unsubscribed', devices })
  }

  private sendError(error: unknown): void {
    const { code, message } =
      error instanceof InvalidMessage ? error : new InvalidMessage('failed', 'that did not work; try again')
    this.subscriber.send({ type: 'error', code, message })
  }
}

import type { RawData, WebSocket } from 'ws'
import { iso } from '../../../kernel/time.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_MESSAGES_PER_SWEEP,
  LIVE_PING_MS,
  LIVE_RECHECK_MS,
  LIVE_REQUESTS_WAITING_MAX,
} from './limits.ts'
import { BadMessage, type ClientMessage, readClientMessage, sortIds } from './messages.ts'
import type { Subscriber } from './subscriber.ts'
import { areTooMany, type Watching } from './watching.ts'

export interface SessionOrder {
  readonly subscriber: Subscriber
  readonly socket: WebSocket
  readonly hub: Hub
  readonly watching: Watching
  readonly clock: Clock
}

/** What a client says, and whether it is still there. */
export class Session {
  readonly subscriber: Subscriber
  private readonly hub: Hub
  private readonly watching: Watching
  private readonly clock: Clock
  private messages = 0
  private requests: Promise<void> = Promise.resolve()
  private requestsWaiting = 0
  private pingedAt: number
  private recheckAt: number
  private hasBeenHeard = true
  private before = { buffered: 0, dispatched: 0 }

  constructor({ subscriber, socket, hub, watching, clock }: SessionOrder) {
    this.subscriber = subscriber
    this.hub = hub
    this.watching = watching
    this.clock = clock
    this.pingedAt = subscriber.owner.connectedAt
    this.recheckAt = subscriber.owner.connectedAt + LIVE_RECHECK_MS
    socket.on('message', (data, isBinary) => this.hear(data, isBinary))
    socket.on('ping', () => this.count())
    socket.on('pong', () => {
      this.hasBeenHeard = true
    })
    socket.on('close', () => hub.leave(subscriber))
  }

  /** Once every LIVE_SWEEP_MS: ends what is over, and asks a client that was silent for a sign of life. */
  sweep(now: number): void {
    const { subscriber } = this
    if (!subscriber.isOpen) return
    if (now >= subscriber.owner.expiresAt) return void subscriber.close('tokenExpired')
    if (subscriber.isBeyondAll) return void subscriber.terminate()
    if (this.messages > LIVE_MESSAGES_PER_SWEEP) subscriber.resume()
    this.messages = 0
    if (now - this.pingedAt >= LIVE_PING_MS) this.askForLife(now)
  }

  /** Whether user, rights and devices are to be looked up again; then not for another LIVE_RECHECK_MS. */
  isRecheckDue(now: number): boolean {
    if (now < this.recheckAt) return false
    this.recheckAt = now + LIVE_RECHECK_MS
    return true
  }

  private askForLife(now: number): void {
    const { bufferedBytes: buffered, dispatchedBytes: dispatched } = this.subscriber
    // A slow client's answer waits behind all that it has not read yet: that it goes on reading is sign enough.
    const isReading = this.before.buffered > 0 && dispatched > this.before.dispatched
    if (!this.hasBeenHeard && !isReading) return void this.subscriber.terminate()
    this.pingedAt = now
    this.hasBeenHeard = false
    this.before = { buffered, dispatched }
    this.subscriber.ping()
  }

  /** False when the client says too much: what it says is not looked at, and nothing more is read for the moment. */
  private count(): boolean {
    this.hasBeenHeard = true
    this.messages += 1
    if (this.messages <= LIVE_MESSAGES_PER_SWEEP) return true
    if (this.messages === LIVE_MESSAGES_PER_SWEEP + 1) {
      this.complain(new BadMessage('too_many_requests', 'too many messages at once; some were not looked at'))
      this.subscriber.pause()
    }
    return false
  }

  private hear(data: RawData, isBinary: boolean): void {
    if (!this.count()) return
    try {
      if (isBinary) throw new BadMessage('not_json', 'a message is text')
      this.obey(readClientMessage(String(data)))
    } catch (error) {
      this.complain(error)
    }
  }

  private obey(message: ClientMessage): void {
    switch (message.type) {
      case 'ping':
        return void this.subscriber.say({ type: 'pong', server_time: iso(this.clock.now()) })
      case 'pong':
        return
      case 'subscribe':
        return void this.queue(() => this.subscribe(message.devices, message.since))
      case 'unsubscribe':
        return void this.queue(async () => this.unsubscribe(message.devices))
    }
  }

  /** One after the other, so that the answers come in the order of the requests. */
  private queue(work: () => Promise<void>): void {
    if (this.requestsWaiting >= LIVE_REQUESTS_WAITING_MAX) {
      throw new BadMessage('too_many_requests', 'earlier requests are still being worked on')
    }
    this.requestsWaiting += 1
    this.requests = this.requests.then(work).then(
      () => this.done(),
      (error: unknown) => this.done(error),
    )
  }

  private done(error?: unknown): void {
    this.requestsWaiting -= 1
    if (error !== undefined) this.complain(error)
  }

  private async subscribe(texts: readonly string[], since: number | undefined): Promise<void> {
    const { subscriber } = this
    const fresh = texts.filter((text) => !subscriber.devices.has(text.trim().toLowerCase()))
    if (areTooMany(fresh, subscriber.devices.size)) {
      throw new BadMessage('too_many_devices', 'one socket cannot watch so many devices; nothing was changed')
    }
    const { keys, refused } = await this.watching.findDevices(subscriber.owner.tenantId, texts)
    const tell = () => subscriber.say({ type: 'subscribed', devices: [...keys.keys()], refused })
    await this.watching.begin(subscriber, { keys, since, tell })
  }

  private unsubscribe(texts: readonly string[]): void {
    const devices = sortIds(texts).ids.filter((id) => this.subscriber.devices.has(id))
    this.hub.unwatch(this.subscriber, devices)
    this.subscriber.say({ type: 'unsubscribed', devices })
  }

  private complain(error: unknown): void {
    const { code, message } =
      error instanceof BadMessage ? error : new BadMessage('failed', 'that did not work; try again')
    this.subscriber.say({ type: 'error', code, message })
  }
}

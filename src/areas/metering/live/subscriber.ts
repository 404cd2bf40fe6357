import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { OpenSocket } from '../../../platform/http/ws.ts'
import type { Sample } from '../../../platform/ingest.ts'
import { LatestValues } from './latest.ts'
import { LIVE_BUFFER_BYTES_END, LIVE_BUFFER_BYTES_MAX, LIVE_FILL_PORTION, LIVE_HELD_MAX } from './limits.ts'
import { type CloseReason, closing, type ServerMessage, sampleText } from './messages.ts'

/** A sample with its text, made once for all sockets. */
export interface LiveSample extends Sample {
  readonly text: Buffer
}

export interface Owner {
  readonly userId: string
  readonly tenantId: number
  readonly tenantUid: string
  readonly token: string
  /** Epoch milliseconds, both. */
  readonly connectedAt: number
  readonly expiresAt: number
}

/** Samples of one socket, or of several together. */
export interface Counts {
  sent: number
  /** Waited because the client was slow. */
  coalesced: number
  /** Of these, those that newer ones took the place of. */
  dropped: number
}

/** Samples of a device by instant, each with the metrics that were sent. */
type Filled = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

const OPEN: WebSocket['readyState'] = 1

/** One socket: what it is sent, and what waits while its client is slow or a gap is being filled. */
export class Subscriber {
  readonly id = randomUUID()
  readonly owner: Owner
  readonly devices = new Set<string>()
  readonly counts: Counts = { sent: 0, coalesced: 0, dropped: 0 }
  private readonly socket: WebSocket
  private readonly raw: OpenSocket['raw']
  private readonly latest = new LatestValues()
  /** While a gap is being filled: its devices, and what has come of them meanwhile. */
  private filling: { readonly devices: ReadonlySet<string>; readonly held: LiveSample[] } | undefined
  private filled: Filled | undefined

  constructor({ socket, raw }: OpenSocket, owner: Owner) {
    this.socket = socket
    this.raw = raw
    this.owner = owner
    raw.on('drain', () => this.flush())
  }

  get isOpen(): boolean {
    return this.socket.readyState === OPEN
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount
  }

  /** Bytes that have left for the network. */
  get dispatchedBytes(): number {
    return this.raw.bytesWritten - this.raw.writableLength
  }

  private get isSlow(): boolean {
    return this.socket.bufferedAmount > LIVE_BUFFER_BYTES_MAX
  }

  /** A sample as it comes in: sent at once, or kept until there is room for it. */
  offer(sample: LiveSample): void {
    if (this.filling?.devices.has(sample.deviceId)) this.hold(this.filling.held, sample)
    else if (!this.isKnown(sample)) this.pass(sample)
  }

  /** Several writes that follow become one; end it with `uncork`. */
  cork(): void {
    this.raw.cork()
  }
  uncork(): void {
    this.raw.uncork()
  }

  say(message: ServerMessage): void {
    if (this.isOpen) this.socket.send(JSON.stringify(message))
  }

  ping(): void {
    if (this.isOpen) this.socket.ping()
  }

  close(reason: CloseReason): void {
    this.socket.resume()
    this.socket.close(...closing(reason))
  }

  terminate(): void {
    this.socket.terminate()
  }

  /** Whether more waits than is allowed to anybody. */
  get isBeyondAll(): boolean {
    return this.socket.bufferedAmount > LIVE_BUFFER_BYTES_END
  }

  pause(): void {
    this.socket.pause()
  }
  resume(): void {
    if (this.isOpen) this.socket.resume()
  }

  forgetDevice(deviceId: string): void {
    this.devices.delete(deviceId)
    this.counts.dropped += this.latest.forget(deviceId)
  }

  /** From here on what comes of these devices waits until `endFill`. */
  beginFill(devices: readonly string[]): void {
    this.filling = { devices: new Set(devices), held: [] }
  }

  /**
   * Sends stored samples, in their order, as fast as the client takes them, until the time is over. Answers how many were
   * sent; of the rest only the newest values are.
   */
  async sendStored(samples: readonly Sample[], deadline: number): Promise<number> {
    let sent = 0
    while (sent < samples.length) {
      if (this.isSlow && !(await this.drained(deadline))) break
      const portion = samples.slice(sent, sent + LIVE_FILL_PORTION)
      this.cork()
      for (const sample of portion) this.send(sampleText(sample))
      this.uncork()
      sent += portion.length
    }
    for (const sample of samples.slice(sent)) this.keepNewest(sample)
    return sent
  }

  /** `filled`: what need not be sent again when the news of it comes now or later. */
  endFill(filled: Filled | undefined): void {
    const held = this.filling?.held ?? []
    this.filling = undefined
    if (filled) this.filled = new Map([...(this.filled ?? []), ...filled])
    this.cork()
    for (const sample of held) if (!this.isKnown(sample)) this.pass(sample)
    this.flush()
    this.uncork()
  }

  forgetFilled(): void {
    this.filled = undefined
  }

  private isKnown({ deviceId, at, values }: Sample): boolean {
    const metrics = this.filled?.get(deviceId)?.get(at)
    if (!metrics) return false
    for (const metric in values) if (!metrics.has(metric)) return false
    return true
  }

  private hold(held: LiveSample[], sample: LiveSample): void {
    if (held.length < LIVE_HELD_MAX) held.push(sample)
    else this.keepNewest(sample)
  }

  private pass(sample: LiveSample): void {
    if (!this.latest.isEmpty || this.isSlow) this.keepNewest(sample)
    else this.send(sample.text)
  }

  private keepNewest(sample: Sample): void {
    this.latest.add(sample)
    this.counts.coalesced += 1
  }

  private send(text: Buffer): void {
    if (!this.isOpen) return
    this.socket.send(text, { binary: false })
    this.counts.sent += 1
  }

  /** What was kept for a slow client, as far as there is room. */
  private flush(): void {
    if (this.filling) return
    while (!this.isSlow) {
      const taken = this.latest.take()
      if (!taken) return
      for (const [place, sample] of taken.samples.entries()) {
        this.send(sampleText(sample, place === 0 ? taken.skipped : 0))
      }
      this.counts.dropped += taken.skipped
    }
  }

  /** Resolves when there is room again; false when it took too long or the socket is closed. */
  private drained(deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.raw.off('drain', end)
        this.socket.off('close', end)
        resolve(this.isOpen && !this.isSlow)
      }
      const timer = setTimeout(end, Math.max(0, deadline - performance.now()))
      this.raw.once('drain', end)
      this.socket.once('close', end)
    })
  }
}

import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { encodeTextFrame, type OpenSocket } from '../../../platform/http/ws.ts'
import type { Sample } from '../intake-contract/index.ts'
import { LatestValues } from './latest-values.ts'
import {
  LIVE_BACKFILL_CHUNK_ROWS,
  LIVE_BACKFILL_HELD_MAX,
  LIVE_BUFFER_BYTES_MAX,
  LIVE_BUFFER_BYTES_SLOW,
} from './limits.ts'
import { type CloseReason, closeArguments, encodeSample, type ServerMessage } from './messages.ts'

/** A sample with its frame, which is encoded once for all sockets. */
export interface LiveSample extends Sample {
  readonly frame: Buffer
}

export interface Owner {
  readonly userId: string
  readonly tenantId: number
  readonly tenantUid: string
  /** An access token or an API key. */
  readonly token: string
  readonly hasApiKey: boolean
  /** Epoch milliseconds. */
  readonly connectedAt: number
  /** Expiry of the token or the API key, epoch milliseconds. */
  readonly expiresAt: number
}

/** Numbers of samples, of one socket or of several together. */
export interface SampleCounts {
  sent: number
  /** Samples that waited because the client was slow. */
  coalesced: number
  /** The coalesced samples that were replaced by newer ones and never sent. */
  dropped: number
}

/** The metrics that a backfill has sent, by device and instant. */
type BackfilledSamples = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

const OPEN: WebSocket['readyState'] = 1

/**
 * The sending side of one socket.
 *
 * A sample takes one of three ways:
 * - to the socket at once, while the client reads fast enough;
 * - into `latest`, while more than LIVE_BUFFER_BYTES_SLOW bytes are unsent: only the newest value of each
 *   device and metric is stored, so the memory of a slow client is bounded (coalescing instead of
 *   queueing);
 * - into `backfill.held`, while stored samples of its device are being sent: afterwards it follows them,
 *   unless the backfill has sent it already.
 */
export class Subscriber {
  readonly id = randomUUID()
  readonly owner: Owner
  readonly devices = new Set<string>()
  readonly counts: SampleCounts = { sent: 0, coalesced: 0, dropped: 0 }
  private readonly socket: WebSocket
  private readonly raw: OpenSocket['raw']
  private readonly latest = new LatestValues()
  /** The running backfill: its devices, and the live samples of them that arrived meanwhile. */
  private backfill: { readonly devices: ReadonlySet<string>; readonly held: LiveSample[] } | undefined
  private backfilled: BackfilledSamples | undefined

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

  /** Number of bytes that the kernel has accepted for the network. */
  get dispatchedBytes(): number {
    return this.raw.bytesWritten - this.raw.writableLength
  }

  private get isSlow(): boolean {
    return this.socket.bufferedAmount > LIVE_BUFFER_BYTES_SLOW
  }

  /** Accepts a live sample: sends it, holds it until the backfill is over, or coalesces it. */
  offer(sample: LiveSample): void {
    if (this.backfill?.devices.has(sample.deviceId)) this.hold(this.backfill.held, sample)
    else if (!this.isBackfilled(sample)) this.sendOrCoalesce(sample)
  }

  /** Collects the following writes into one, until `uncork`. */
  cork(): void {
    this.raw.cork()
  }
  uncork(): void {
    this.raw.uncork()
  }

  send(message: ServerMessage): void {
    if (this.isOpen) this.socket.send(JSON.stringify(message))
  }

  ping(): void {
    if (this.isOpen) this.socket.ping()
  }

  close(reason: CloseReason): void {
    this.socket.resume()
    this.socket.close(...closeArguments(reason))
  }

  terminate(): void {
    this.socket.terminate()
  }

  /** True when more bytes are unsent than any client may have. */
  get exceedsBufferLimit(): boolean {
    return this.socket.bufferedAmount > LIVE_BUFFER_BYTES_MAX
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

  /** Holds live samples of these devices until `endBackfill`. */
  beginBackfill(devices: readonly string[]): void {
    this.backfill = { devices: new Set(devices), held: [] }
  }

  /**
   * Sends stored samples in their order, as fast as the client reads them, until the deadline (monotonic
   * clock). Returns the number of samples sent; the rest is coalesced.
   */
  async sendStored(samples: readonly Sample[], deadline: number): Promise<number> {
    let sent = 0
    while (sent < samples.length) {
      if (this.isSlow && !(await this.drained(deadline))) break
      const portion = samples.slice(sent, sent + LIVE_BACKFILL_CHUNK_ROWS)
      this.cork()
      for (const sample of portion) this.sendSample(encodeTextFrame(encodeSample(sample)))
      this.uncork()
      sent += portion.length
    }
    for (const sample of samples.slice(sent)) this.coalesce(sample)
    return sent
  }

  /**
   * Sends the held samples. `backfilled`: samples that are not sent again when their commit is announced
   * now or later.
   */
  endBackfill(backfilled: BackfilledSamples | undefined): void {
    const held = this.backfill?.held ?? []
    this.backfill = undefined
    if (backfilled) this.backfilled = new Map([...(this.backfilled ?? []), ...backfilled])
    this.cork()
    for (const sample of held) if (!this.isBackfilled(sample)) this.sendOrCoalesce(sample)
    this.flush()
    this.uncork()
  }

  forgetBackfilled(): void {
    this.backfilled = undefined
  }

  private isBackfilled({ deviceId, at, values }: Sample): boolean {
    const metrics = this.backfilled?.get(deviceId)?.get(at)
    if (!metrics) return false
    for (const metric in values) if (!metrics.has(metric)) return false
    return true
  }

  private hold(held: LiveSample[], sample: LiveSample): void {
    if (held.length < LIVE_BACKFILL_HELD_MAX) held.push(sample)
    else this.coalesce(sample)
  }

  private sendOrCoalesce(sample: LiveSample): void {
    if (!this.latest.isEmpty || this.isSlow) this.coalesce(sample)
    else this.sendSample(sample.frame)
  }

  private coalesce(sample: Sample): void {
    this.latest.add(sample)
    this.counts.coalesced += 1
  }

  private sendSample(frame: Buffer): void {
    if (!this.isOpen) return
    this.raw.write(frame)
    this.counts.sent += 1
  }

  /** Sends coalesced values until the socket is slow again. */
  private flush(): void {
    if (this.backfill) return
    while (!this.isSlow) {
      const pending = this.latest.shift()
      if (!pending) return
      for (const [index, sample] of pending.samples.entries()) {
        this.sendSample(encodeTextFrame(encodeSample(sample, index === 0 ? pending.skipped : 0)))
      }
      this.counts.dropped += pending.skipped
    }
  }

  /** Resolves true when the socket accepts more; false at the deadline or when the socket is closed. */
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

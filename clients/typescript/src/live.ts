import { ApiError } from './errors.ts'
import { type Gap, GapReader, type ReadSamples } from './live-gaps.ts'
import { DeliveredSamples } from './live-memory.ts'
import { type LiveMessage, LiveSocket, type WebSocketConstructor } from './live-socket.ts'
import { pause } from './transport.ts'

export interface LiveSample {
  readonly deviceId: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly values: Readonly<Record<string, number>>
}

export type LiveState = 'connecting' | 'open' | 'waiting' | 'closed'

export interface LiveOptions {
  /** Ids of at most 1,000 devices. */
  readonly devices: readonly string[]
  /** Called for each sample, in the sequence of arrival: a late sample has its own older timestamp. */
  readonly onSample: (sample: LiveSample) => void
  readonly onState?: (state: LiveState) => void
  /** Ids of devices that do not exist, or were deleted. */
  readonly onRefused?: (devices: readonly string[]) => void
  /** Samples of this range may be missing, because they could not be read. */
  readonly onGap?: (gap: Gap, error: unknown) => void
  /** `position` of an earlier connection: samples that were stored since then come first. */
  readonly since?: string
  /** How old samples are at most that arrive while there is no connection; default 15 minutes. */
  readonly lateMs?: number
  /** Milliseconds between signs of life; default 15,000. */
  readonly pingMs?: number
  /** Where there is no global WebSocket, such as in Node.js 20: that of the package ws. */
  readonly WebSocket?: WebSocketConstructor
}

/** What the connection needs of the client. */
export interface LiveApi {
  readonly baseUrl: string
  createTicket(signal: AbortSignal): Promise<string>
  readonly readSamples: ReadSamples
}

const DEVICES_MAX = 1000
const LATE_DEFAULT_MS = 15 * 60_000
const PING_DEFAULT_MS = 15_000
const DELAY_FIRST_MS = 500
const DELAY_MAX_MS = 30_000
/** Refusals that another attempt does not change: invalid parameters, a forbidden origin or a missing permission. */
const FINAL_CODES = [4002, 4003]

/**
 * Values from the socket. The connection returns by itself until `close`. It repeats no sample, and loses none but
 * those that arrive, while there is no connection, more than `lateMs` after their time.
 */
export class LiveConnection {
  /** Resolves when the connection is closed for good: with the error, or with nothing after `close`. */
  readonly closed: Promise<Error | undefined>
  private readonly api: LiveApi
  private readonly options: LiveOptions
  private readonly lateMs: number
  private readonly delivered = new DeliveredSamples()
  private readonly gaps: GapReader
  private readonly stopping = new AbortController()
  private socket: LiveSocket | undefined
  /** Everything that was stored until this instant of the server, epoch milliseconds, was delivered. */
  private confirmed: number | undefined
  /** Instant of the server at which the socket was subscribed, until what was missed has been delivered. */
  private pending: { readonly instant: number; isFilled: boolean } | undefined
  private attempts = 0

  constructor(api: LiveApi, options: LiveOptions) {
    if (options.devices.length > DEVICES_MAX) throw new RangeError(`at most ${DEVICES_MAX} devices`)
    this.api = api
    this.options = options
    this.lateMs = options.lateMs ?? LATE_DEFAULT_MS
    this.confirmed = options.since === undefined ? undefined : Date.parse(options.since)
    this.gaps = new GapReader({
      readSamples: api.readSamples,
      onSample: (deviceId, { timestamp, values }) => this.deliver({ deviceId, timestamp, values }),
      onFailure: (gap, error) => options.onGap?.(gap, error),
      onIdle: () => this.confirmPending(),
    })
    this.closed = this.run()
  }

  /** Instant until which every sample was delivered, for `since` of a later connection. */
  get position(): string | undefined {
    return this.confirmed === undefined ? undefined : new Date(this.confirmed).toISOString()
  }

  async close(): Promise<void> {
    this.stopping.abort()
    this.gaps.clear()
    this.socket?.close()
    await this.closed
  }

  private async run(): Promise<Error | undefined> {
    const { signal } = this.stopping
    let failure: Error | undefined
    while (!signal.aborted && failure === undefined) {
      try {
        this.options.onState?.('connecting')
        failure = await this.connect()
      } catch (error) {
        if (isFinal(error)) failure = error as Error
      }
      if (signal.aborted || failure) break
      this.options.onState?.('waiting')
      const delay = Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** this.attempts)
      this.attempts += 1
      await pause(delay * (0.5 + Math.random() / 2), signal).catch(() => {})
    }
    this.options.onState?.('closed')
    return signal.aborted ? undefined : failure
  }

  /** Resolves when the socket has closed: with an error when it makes no sense to connect again. */
  private async connect(): Promise<Error | undefined> {
    const WebSocket = this.options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket
    if (!WebSocket) return new TypeError('there is no global WebSocket: pass that of the package ws')
    const ticket = await this.api.createTicket(this.stopping.signal)
    this.stopping.signal.throwIfAborted()
    const url = `${this.api.baseUrl.replace(/^http/, 'ws')}/ws/telemetry?ticket=${ticket}`
    return new Promise((resolve) => {
      this.socket = new LiveSocket(new WebSocket(url), this.options.pingMs ?? PING_DEFAULT_MS, {
        onMessage: (message) => this.receive(message),
        onClose: (code, reason) => {
          this.socket = undefined
          this.pending = undefined
          // A gap that waits is part of what the next connection asks for.
          this.gaps.clear()
          resolve(FINAL_CODES.includes(code) ? new Error(`the socket was refused: ${reason}`) : undefined)
        },
      })
    })
  }

  /** The instant from which stored samples are asked for. */
  private get since(): number | undefined {
    return this.confirmed === undefined ? undefined : this.confirmed - this.lateMs
  }

  private receive(message: LiveMessage): void {
    switch (message.type) {
      case 'hello':
        this.subscribe(Date.parse(message.server_time))
        break
      case 'subscribed':
        this.acceptSubscription(message.refused)
        break
      case 'unsubscribed':
        this.options.onRefused?.(message.devices)
        break
      case 'sample':
        this.acceptSample(message)
        break
      case 'gap_truncated':
        for (const { device_id, from } of message.devices)
          this.gaps.add({ deviceId: device_id, from: Date.parse(message.since), to: Date.parse(from) })
        break
      case 'gap_filled':
        this.finishBackfill()
        break
      case 'pong':
        this.confirm(Date.parse(message.server_time))
        break
      case 'error':
        this.acceptError(message.code)
    }
  }

  private subscribe(serverTime: number): void {
    this.pending = { instant: serverTime, isFilled: this.since === undefined }
    const since = this.since === undefined ? {} : { since: new Date(this.since).toISOString() }
    this.socket?.send({ type: 'subscribe', devices: this.options.devices, ...since })
  }

  private acceptSubscription(refused: readonly string[]): void {
    this.attempts = 0
    this.options.onState?.('open')
    if (refused.length > 0) this.options.onRefused?.(refused)
    // Nothing is asked for when no device is left, so that no gap_filled follows.
    if (refused.length >= this.options.devices.length) this.finishBackfill()
    else this.confirmPending()
  }

  private acceptSample({
    device_id: deviceId,
    timestamp,
    values,
    skipped,
  }: LiveMessage & { type: 'sample' }): void {
    if (skipped !== undefined) {
      const to = Date.parse(timestamp)
      const from = (this.delivered.latestOf(deviceId) ?? to) - this.lateMs
      this.gaps.add({ deviceId, from: Math.max(from, this.since ?? from), to })
    }
    this.deliver({ deviceId, timestamp, values })
  }

  private acceptError(code: string): void {
    if (code === 'gap_not_filled') {
      const { since, pending } = this
      if (since !== undefined && pending)
        for (const deviceId of this.options.devices)
          this.gaps.add({ deviceId, from: since, to: pending.instant + this.lateMs })
      this.finishBackfill()
    } else if (code === 'failed') this.socket?.close()
  }

  private finishBackfill(): void {
    if (this.pending) this.pending.isFilled = true
    this.confirmPending()
  }

  /** What was stored before the subscription is complete as soon as backfill and gaps are. */
  private confirmPending(): void {
    const { pending } = this
    if (!pending?.isFilled || !this.gaps.isIdle) return
    this.pending = undefined
    this.confirm(pending.instant)
  }

  private confirm(instant: number): void {
    if (this.pending || !this.gaps.isIdle) return
    this.confirmed = Math.max(instant, this.confirmed ?? instant)
    this.delivered.forgetBefore(this.confirmed - this.lateMs)
  }

  private deliver(sample: LiveSample): void {
    if (this.stopping.signal.aborted) return
    const { deviceId, timestamp, values } = sample
    if (this.delivered.add(deviceId, Date.parse(timestamp), Object.keys(values)))
      this.options.onSample(sample)
  }
}

/** The server refuses tickets: the credentials are not valid any more, or lack the permission. */
const isFinal = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)

import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConcurrencyLimit, makeConcurrencyLimit } from '../async/concurrency-limit.ts'
import type { ConnectGuard } from '../net/connect-guard.ts'
import { encodeFrame, type Frame, FrameReader } from './frames.ts'
import {
  MODBUS_CONNECT_TIMEOUT_MS,
  MODBUS_RECONNECT_FIRST_MS,
  MODBUS_RECONNECT_MAX_MS,
  MODBUS_SILENT_REQUESTS_MAX,
  MODBUS_UNSOLICITED_MAX,
  MODBUS_WAITING_MAX,
} from './limits.ts'
import { ModbusError } from './modbus-error.ts'
import { openSocket } from './open-socket.ts'
import { decodeResponse, encodeRequest, type ModbusRequest } from './pdu.ts'

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  /** Resolves and checks the host at every attempt to connect. */
  readonly guard: ConnectGuard
  /** An address of the host that has sent a valid response before. */
  readonly provenAddress?: string | undefined
  /** The first valid response of an address: the server behind it is known to speak Modbus from now on. */
  readonly onProven?: () => void
  readonly connectTimeoutMs?: number
  /** Pause after a connection is made, for gateways that are not ready at once. */
  readonly connectDelayMs?: number
  readonly reconnectFirstMs?: number
  /** 0 to 1; jitter of the pauses between attempts. */
  readonly random?: () => number
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number
}

export interface ModbusExchange {
  /** 0 to 255: the slave behind a gateway. */
  readonly unit: number
  readonly request: ModbusRequest
  readonly timeoutMs: number
}

interface Pending {
  readonly transaction: number
  readonly unit: number
  readonly request: ModbusRequest
  readonly resolve: (words: readonly number[]) => void
  readonly reject: (error: ModbusError) => void
}

/**
 * A Modbus TCP client connection that opens on demand and reconnects after a failure.
 *
 * - One request is outstanding at a time: a gateway to a serial line answers sequentially anyway, and some
 *   lose the second.
 * - A response is matched by transaction number and unit, so a late response is discarded.
 * - A timeout keeps the connection, because it says nothing about the other slaves behind it. Half a frame
 *   or MODBUS_SILENT_REQUESTS_MAX silent requests end it: the position of the next frame, or the peer's
 *   life, is unknown then.
 * - A stream that is not Modbus, or a flood of unsolicited frames, ends the connection.
 * - After good responses a lost connection is opened at once, otherwise with exponential back-off and jitter.
 * - The host is resolved and checked at every attempt, and the socket is opened to one checked address. Until
 *   this address has sent a valid response (`provenAddress`), every failed attempt takes the same time, so
 *   that the times of attempts do not reveal whether a port is closed, refused, filtered or not Modbus.
 */
export class ModbusConnection {
  private readonly options: ConnectionOptions
  private readonly limiter: ConcurrencyLimit
  private socket: Socket | undefined
  private reader = new FrameReader()
  private pending: Pending | undefined
  private transaction = 0
  private readonly stopping = new AbortController()
  /** Failed connections and attempts since the last good response. */
  private failedAttempts = 0
  /** Earliest next attempt to connect, monotonic clock, milliseconds. */
  private notBefore = 0
  /** Requests since the last received byte. */
  private silentRequests = 0
  /** Frames since the last request that match no request. */
  private unsolicitedFrames = 0
  private proven: string | undefined
  /** The address of the current attempt or socket. */
  private address: string | undefined
  private readonly now = (): number => this.options.now?.() ?? performance.now()
  /** Start of the last attempt to connect, monotonic clock, milliseconds. */
  private attemptedAt = 0

  constructor(options: ConnectionOptions) {
    this.options = options
    this.proven = options.provenAddress
    this.limiter = makeConcurrencyLimit({
      atOnce: 1,
      waitingMax: MODBUS_WAITING_MAX,
      refuse: () => new ModbusError('connect', 'too many requests wait for this connection'),
    })
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  /** The address of the host, once it has sent a valid response; undefined again when the host moves. */
  get provenAddress(): string | undefined {
    return this.proven
  }

  /** Milliseconds until the next attempt to connect; 0 when a request may be sent now. */
  get waitMs(): number {
    return this.socket ? 0 : Math.max(0, this.notBefore - this.now())
  }

  /** The requested words (bits as 0 and 1); empty for a write. Throws only ModbusError. */
  request(exchange: ModbusExchange): Promise<readonly number[]> {
    const pdu = encodeRequest(exchange.request)
    return this.limiter.run(async () => this.exchange(await this.open(), exchange, pdu))
  }

  /** Closes the connection until the next request: some gateways serve only one client at a time. */
  release(): void {
    this.close(new ModbusError('closed', 'the connection was given back'))
  }

  /** Closes the connection for good; a running request fails with `stopped`. */
  stop(): void {
    this.stopping.abort()
    this.close(new ModbusError('stopped', 'the connection is being closed'))
  }

  private async open(): Promise<Socket> {
    if (this.stopping.signal.aborted) throw new ModbusError('stopped', 'the connection is being closed')
    if (this.socket) return this.socket
    if (this.waitMs > 0) throw new ModbusError('connect', 'it is too early to connect again')
    const socket = await this.connect()
    const { connectDelayMs = 0 } = this.options
    if (connectDelayMs > 0)
      await pause(connectDelayMs, undefined, { signal: this.stopping.signal }).catch(() => {})
    // It may have been stopped meanwhile, or the peer may have closed it.
    if (this.stopping.signal.aborted) throw new ModbusError('stopped', 'the connection is being closed')
    if (this.socket !== socket) throw new ModbusError('closed', 'the connection was closed at once')
    return socket
  }

  private async connect(): Promise<Socket> {
    const { host, port, connectTimeoutMs = MODBUS_CONNECT_TIMEOUT_MS } = this.options
    const { signal } = this.stopping
    this.attemptedAt = this.now()
    try {
      const resolveAddress = () => this.resolveAddress()
      const receive = (from: Socket, bytes: Buffer) => this.receive(from, bytes)
      const socket = await openSocket({ resolveAddress, port, receive, timeoutMs: connectTimeoutMs, signal })
      this.attach(socket)
      return socket
    } catch (error) {
      this.countFailedAttempt()
      const { code, message } = error as NodeJS.ErrnoException
      const kind = signal.aborted ? 'stopped' : 'connect'
      throw new ModbusError(kind, `no connection to ${host}:${port}: ${code ?? message}`)
    }
  }

  /**
   * The address to connect to: the proven one while the host still has it. Only one is tried, because the
   * choice among several would reveal which of them is open.
   */
  private async resolveAddress(): Promise<string> {
    const { guard, host, port } = this.options
    const found = await guard.resolve({ host, port }).catch((error: unknown) => {
      this.proven = undefined
      throw error
    })
    if (!found.some(({ address }) => address === this.proven)) this.proven = undefined
    this.address = this.proven ?? found[0]?.address ?? ''
    return this.address
  }

  /** A response that only a Modbus server can have sent. */
  private recordProof(): void {
    this.failedAttempts = 0
    if (this.proven !== undefined) return
    this.proven = this.address
    this.options.onProven?.()
  }

  private attach(socket: Socket): void {
    this.socket = socket
    this.reader = new FrameReader()
    this.silentRequests = 0
    this.unsolicitedFrames = 0
    socket.removeAllListeners('error')
    const handleLoss = (why: string) => {
      if (this.socket === socket) this.lose(new ModbusError('closed', `the connection broke: ${why}`))
    }
    socket.on('error', (error: NodeJS.ErrnoException) => handleLoss(error.code ?? error.message))
    socket.on('close', () => handleLoss('the other side closed it'))
  }

  private receive(socket: Socket, chunk: Buffer): void {
    if (this.socket !== socket) return
    this.silentRequests = 0
    try {
      for (const frame of this.reader.push(chunk)) this.handleFrame(frame)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      this.lose(error)
    }
  }

  /**
   * Discards a frame with another transaction number, which answers a timed-out request. Many of them are a
   * flood.
   */
  private handleFrame({ transaction, unit, pdu }: Frame): void {
    const { pending } = this
    if (pending?.transaction !== transaction) {
      this.unsolicitedFrames += 1
      if (this.unsolicitedFrames > MODBUS_UNSOLICITED_MAX)
        throw new ModbusError('malformed', 'the other side sends what nobody asked for')
      return
    }
    try {
      if (unit !== pending.unit)
        throw new ModbusError('malformed', `unit ${unit} answered for unit ${pending.unit}`)
      const words = decodeResponse(pending.request, pdu)
      this.recordProof()
      pending.resolve(words)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      if (error.kind === 'exception') this.recordProof()
      pending.reject(error)
    }
  }

  private async exchange(
    socket: Socket,
    { unit, request, timeoutMs }: ModbusExchange,
    pdu: Buffer,
  ): Promise<readonly number[]> {
    this.transaction = (this.transaction + 1) & 0xffff
    const { transaction } = this
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<readonly number[]>((resolve, reject) => {
        this.pending = { transaction, unit, request, resolve, reject }
        timer = setTimeout(() => this.handleTimeout(), timeoutMs)
        this.silentRequests += 1
        this.unsolicitedFrames = 0
        socket.write(encodeFrame({ transaction, unit, pdu }))
      })
    } finally {
      clearTimeout(timer)
      this.pending = undefined
    }
  }

  /**
   * Keeps the connection, because a silent slave says nothing about the others. Closes it after half a
   * frame, whose rest would be read as the beginning of the next one, and when no slave has responded for
   * too long.
   */
  private handleTimeout(): void {
    const error = new ModbusError('timeout', 'no answer in time')
    if (this.reader.hasIncompleteFrame || this.silentRequests >= MODBUS_SILENT_REQUESTS_MAX) this.lose(error)
    else this.pending?.reject(error)
  }

  /**
   * Closes an unusable connection. After good responses it is opened again at once, otherwise after a
   * pause.
   */
  private lose(error: ModbusError): void {
    if (this.failedAttempts > 0 || this.proven === undefined) this.countFailedAttempt()
    else this.failedAttempts = 1
    this.close(error)
  }

  private close(error: ModbusError): void {
    this.socket?.destroy()
    this.socket = undefined
    this.pending?.reject(error)
  }

  private countFailedAttempt(): void {
    const {
      reconnectFirstMs = MODBUS_RECONNECT_FIRST_MS,
      connectTimeoutMs = MODBUS_CONNECT_TIMEOUT_MS,
      random = Math.random,
    } = this.options
    const longest = Math.min(
      MODBUS_RECONNECT_MAX_MS,
      reconnectFirstMs * 2 ** Math.min(this.failedAttempts, 20),
    )
    this.failedAttempts += 1
    const now = this.now()
    // An attempt at an unproven address takes its whole time, however early it failed.
    const endedAt = this.proven === undefined ? Math.max(now, this.attemptedAt + connectTimeoutMs) : now
    this.notBefore = endedAt + longest * (1 - random() / 2)
  }
}

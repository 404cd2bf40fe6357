import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTurns, type Turns } from '../async/concurrency-limit.ts'
import { encodeFrame, type Frame, FrameReader } from './frames.ts'
import {
  MODBUS_CONNECT_TIMEOUT_MS,
  MODBUS_RECONNECT_FIRST_MS,
  MODBUS_RECONNECT_MAX_MS,
  MODBUS_SILENT_MAX,
  MODBUS_UNASKED_MAX,
  MODBUS_WAITING_MAX,
} from './limits.ts'
import { ModbusError } from './modbus-error.ts'
import { decodeAnswer, encodeRequest, type ModbusRequest } from './pdu.ts'

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly connectTimeoutMs?: number
  /** Pause after a connection is made, for gateways that are not ready at once. */
  readonly connectDelayMs?: number
  readonly reconnectFirstMs?: number
  /** 0 to 1; by it the pauses between attempts differ from one service to the next. */
  readonly random?: () => number
}

export interface Exchange {
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
 * A Modbus TCP connection that is made when it is needed and made again when it broke. One request at a time: a gateway
 * to a serial line answers one after the other anyway, and some forget the second. An answer is taken only by its
 * transaction number and unit, so one that comes too late is nobody's; a stream that is not Modbus is cut off.
 */
export class ModbusConnection {
  private readonly options: ConnectionOptions
  private readonly turns: Turns
  private socket: Socket | undefined
  private reader = new FrameReader()
  private pending: Pending | undefined
  private transaction = 0
  private readonly stopping = new AbortController()
  /** Ends the attempt that is under way. */
  private abandon: ((why: string) => void) | undefined
  /** Connections and attempts since the last good answer that led to nothing. */
  private vain = 0
  /** On the monotonic clock, milliseconds: no attempt before. */
  private notBefore = 0
  /** Requests since the last byte that came. */
  private silent = 0
  /** Frames since the last request that answered none. */
  private unasked = 0

  constructor(options: ConnectionOptions) {
    this.options = options
    this.turns = makeTurns({
      atOnce: 1,
      waitingMax: MODBUS_WAITING_MAX,
      refuse: () => new ModbusError('connect', 'too many requests wait for this connection'),
    })
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  /** Milliseconds until it is worth trying to connect again; 0 when a request may be sent now. */
  get waitMs(): number {
    return this.socket ? 0 : Math.max(0, this.notBefore - performance.now())
  }

  /** The words (bits as 0 and 1) that were asked for; nothing for a write. Throws ModbusError, and nothing else. */
  request(exchange: Exchange): Promise<readonly number[]> {
    const pdu = encodeRequest(exchange.request)
    return this.turns.take(async () => this.exchange(await this.open(), exchange, pdu))
  }

  /** Gives the connection back until the next request: some gateways serve only one client at a time. */
  release(): void {
    this.drop(new ModbusError('closed', 'the connection was given back'))
  }

  /** Ends it for good; what is under way fails with `stopped`. */
  stop(): void {
    this.stopping.abort()
    this.abandon?.('the connection is being closed')
    this.drop(new ModbusError('stopped', 'the connection is being closed'))
  }

  private async open(): Promise<Socket> {
    if (this.stopping.signal.aborted) throw new ModbusError('stopped', 'the connection is being closed')
    if (this.socket) return this.socket
    if (this.waitMs > 0) throw new ModbusError('connect', 'it is too early to connect again')
    const socket = await this.dial()
    const { connectDelayMs = 0 } = this.options
    if (connectDelayMs > 0)
      await pause(connectDelayMs, undefined, { signal: this.stopping.signal }).catch(() => {})
    // Meanwhile it may have been stopped, or the other side may have closed it.
    if (this.stopping.signal.aborted) throw new ModbusError('stopped', 'the connection is being closed')
    if (this.socket !== socket) throw new ModbusError('closed', 'the connection was closed at once')
    return socket
  }

  private dial(): Promise<Socket> {
    const { host, port, connectTimeoutMs = MODBUS_CONNECT_TIMEOUT_MS } = this.options
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, keepAlive: true })
      const settle = () => {
        clearTimeout(timer)
        this.abandon = undefined
      }
      const fail = (why: string) => {
        settle()
        socket.destroy()
        this.countVain()
        const kind = this.stopping.signal.aborted ? 'stopped' : 'connect'
        reject(new ModbusError(kind, `no connection to ${host}:${port}: ${why}`))
      }
      const timer = setTimeout(() => fail('no answer in time'), connectTimeoutMs)
      this.abandon = fail
      socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
      socket.once('connect', () => {
        settle()
        this.adopt(socket)
        resolve(socket)
      })
    })
  }

  private adopt(socket: Socket): void {
    this.socket = socket
    this.reader = new FrameReader()
    this.silent = 0
    this.unasked = 0
    socket.removeAllListeners('error')
    const lose = (why: string) => {
      if (this.socket === socket) this.lose(new ModbusError('closed', `the connection broke: ${why}`))
    }
    socket.on('error', (error: NodeJS.ErrnoException) => lose(error.code ?? error.message))
    socket.on('close', () => lose('the other side closed it'))
    socket.on('data', (chunk) => this.receive(socket, chunk))
  }

  private receive(socket: Socket, chunk: Buffer): void {
    if (this.socket !== socket) return
    this.silent = 0
    try {
      for (const frame of this.reader.push(chunk)) this.take(frame)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      this.lose(error)
    }
  }

  /** A frame with another number answers a request that was given up: nobody's. Many of them are a flood. */
  private take({ transaction, unit, pdu }: Frame): void {
    const { pending } = this
    if (pending?.transaction !== transaction) {
      this.unasked += 1
      if (this.unasked > MODBUS_UNASKED_MAX)
        throw new ModbusError('malformed', 'the other side sends what nobody asked for')
      return
    }
    try {
      if (unit !== pending.unit)
        throw new ModbusError('malformed', `unit ${unit} answered for unit ${pending.unit}`)
      const words = decodeAnswer(pending.request, pdu)
      this.vain = 0
      pending.resolve(words)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      if (error.kind === 'exception') this.vain = 0
      pending.reject(error)
    }
  }

  private async exchange(
    socket: Socket,
    { unit, request, timeoutMs }: Exchange,
    pdu: Buffer,
  ): Promise<readonly number[]> {
    this.transaction = (this.transaction + 1) & 0xffff
    const { transaction } = this
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<readonly number[]>((resolve, reject) => {
        this.pending = { transaction, unit, request, resolve, reject }
        timer = setTimeout(() => this.giveUp(), timeoutMs)
        this.silent += 1
        this.unasked = 0
        socket.write(encodeFrame({ transaction, unit, pdu }))
      })
    } finally {
      clearTimeout(timer)
      this.pending = undefined
    }
  }

  /**
   * The slave is silent, which says nothing about its neighbours: the connection stays. Not so when half a frame has
   * come, because the rest of it would be taken for the beginning of the next, or when nothing comes from anybody.
   */
  private giveUp(): void {
    const error = new ModbusError('timeout', 'no answer in time')
    if (this.reader.hasRest || this.silent >= MODBUS_SILENT_MAX) this.lose(error)
    else this.pending?.reject(error)
  }

  /** The connection is of no use any more. After good answers it is made again at once, else after a pause. */
  private lose(error: ModbusError): void {
    if (this.vain > 0) this.countVain()
    else this.vain = 1
    this.drop(error)
  }

  private drop(error: ModbusError): void {
    this.socket?.destroy()
    this.socket = undefined
    this.pending?.reject(error)
  }

  private countVain(): void {
    const { reconnectFirstMs = MODBUS_RECONNECT_FIRST_MS, random = Math.random } = this.options
    const longest = Math.min(MODBUS_RECONNECT_MAX_MS, reconnectFirstMs * 2 ** Math.min(this.vain, 20))
    this.vain += 1
    this.notBefore = performance.now() + longest * (1 - random() / 2)
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { makeConcurrencyLimit } from '../../platform/async/concurrency-limit.ts'
import { OcppCallError, OcppClosed, OcppTimeout } from './errors.ts'
import { type Call, type Frame, type Malformed, readFrame, writeCall } from './frames.ts'
import {
  OCPP_CALL_TIMEOUT_MS,
  OCPP_CALLS_QUEUED_MAX,
  OCPP_MALFORMED_MAX,
  OCPP_MESSAGES_BURST,
  OCPP_MESSAGES_PER_SECOND,
  OCPP_QUEUE_MAX,
  OCPP_QUEUE_PAUSE,
} from './limits.ts'
import { makeMessageRate } from './message-rate.ts'
import { OCPP_TEXTS } from './messages.ts'
import type { Schemas } from './schemas.ts'
import type { Station } from './types.ts'

export interface StationIdentity {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
  readonly version: OcppVersion
  readonly connectionId: string
  /** The client's address. */
  readonly address: string
}

/** A message that is answered, or at least counted. */
export type Incoming = Call | Malformed

/** The reply to a message: a text to send, nothing, or the end of the connection. */
export type Reply = string | undefined | { readonly closes: true }

export interface StationSocketOptions {
  readonly identity: StationIdentity
  readonly socket: WebSocket
  readonly schemas: Schemas
  /** Never rejects. */
  readonly respond: (station: StationSocket, message: Incoming) => Promise<Reply>
  /** Called for every message of any kind, and for a pong. */
  readonly onActivity: (station: StationSocket) => void
  /** Called at the end of a call of ours with its outcome and duration in seconds. */
  readonly onCallEnded: (action: string, outcome: string, seconds: number) => void
  /** Called for every message that is delayed because the station sends too many. */
  readonly onThrottled: (station: StationSocket) => void
  /** Called when the connection is closed because of what the station sends. */
  readonly onExpelled: (station: StationSocket, reason: string) => void
}

interface Pending {
  readonly id: string
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

const TOO_FAST = [1008, 'too many messages at once'] as const
const MALFORMED = [1008, 'too many malformed messages'] as const
const TRY_AGAIN_LATER = [1013, 'try again later'] as const

/**
 * The socket of one station: one message at a time, in either direction.
 *
 * Purpose. Stations hold the only copy of a charging session until it is acknowledged, and OCPP gives their
 * messages no other order than that of the socket. A StartTransaction must be stored before the meter values
 * that follow it.
 *
 * Incoming messages form a FIFO queue with one consumer. The next message is taken when the response to the
 * one before has left the process (the write callback of the socket), so that a handler needs no lock against
 * the messages of its own station, and a station that reads nothing blocks only itself. The socket has these
 * modes:
 *
 *   reading   fewer than OCPP_QUEUE_PAUSE messages wait
 *   paused    more wait: the socket is not read, TCP back-pressure slows the station down; reading resumes as
 *             the queue drains
 *   closing   OCPP_QUEUE_MAX messages came in one burst before the pause took effect, or OCPP_MALFORMED_MAX
 *             malformed ones in a row, or the process stops: nothing new begins, the message under way is
 *             answered
 *   closed    pending calls of ours are rejected with OcppClosed
 *
 * Outgoing calls have a queue of their own with one call under way, as OCPP-J demands. Their responses bypass
 * the queue of incoming messages: a station may send a hundred meter values before it responds, and the
 * timeout of the call runs meanwhile.
 *
 * Trade-offs.
 * - A station that pipelines its calls gains nothing by it. In return the number of messages in memory is
 *   bounded per station, and a flood of one station costs the others nothing.
 * - The rate limit (OCPP_MESSAGES_PER_SECOND after OCPP_MESSAGES_BURST) delays and never refuses: a refused
 *   message would be a lost reading.
 * - `respond` never rejects. A message that cannot be stored closes the socket (1013), because an offline
 *   station keeps its transactions, while a CALLERROR uses up one of its few attempts.
 */
export class StationSocket implements Station {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
  readonly version: OcppVersion
  readonly connectionId: string
  readonly address: string
  /** Milliseconds of the monotonic clock. */
  lastActivityAt = performance.now()
  pingedAt = performance.now()
  /** Pings since the last activity. */
  unansweredPings = 0

  readonly #options: StationSocketOptions
  readonly #socket: WebSocket
  readonly #queue: Incoming[] = []
  readonly #calls = makeConcurrencyLimit({
    atOnce: 1,
    waitingMax: OCPP_CALLS_QUEUED_MAX,
    refuse: () => new OcppClosed(OCPP_TEXTS.OCPP_CALLS_WAITING()),
  })
  #processing: Promise<void> | undefined
  #pending: Pending | undefined
  #isEnding = false
  #malformedInARow = 0
  readonly #rate = makeMessageRate({ perSecond: OCPP_MESSAGES_PER_SECOND, burst: OCPP_MESSAGES_BURST })

  constructor(options: StationSocketOptions) {
    const { identity, socket } = options
    this.tenantId = identity.tenantId
    this.chargerId = identity.chargerId
    this.cpid = identity.cpid
    this.version = identity.version
    this.connectionId = identity.connectionId
    this.address = identity.address
    this.#options = options
    this.#socket = socket
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? undefined : String(data)))
    socket.on('pong', () => this.#recordActivity())
    socket.once('close', () => {
      this.#isEnding = true
      this.#pending?.reject(new OcppClosed(OCPP_TEXTS.OCPP_STATION_GONE()))
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  call(action: string, payload: object, options: { readonly timeoutMs?: number } = {}): Promise<object> {
    return this.#calls.run(() => this.#call(action, payload, options.timeoutMs ?? OCPP_CALL_TIMEOUT_MS))
  }

  ping(): void {
    this.pingedAt = performance.now()
    this.unansweredPings += 1
    if (this.isOpen) this.#socket.ping()
  }

  /** Also calls the listener when the socket is closed already. */
  onClose(listener: () => void): void {
    if (this.#socket.readyState === this.#socket.CLOSED) queueMicrotask(listener)
    else this.#socket.once('close', listener)
  }

  /** Starts the closing handshake; the other side has some time to complete it. */
  close(code: number, reason: string): void {
    this.#isEnding = true
    this.#socket.resume()
    this.#socket.close(code, reason)
  }

  /** Terminates the connection of a station that does not respond any more. */
  cut(): void {
    this.#isEnding = true
    this.#socket.terminate()
  }

  /** Begins nothing new, and resolves when the response under way has left. */
  async finish(): Promise<void> {
    this.#isEnding = true
    await this.#processing
  }

  #recordActivity(): void {
    this.lastActivityAt = performance.now()
    this.unansweredPings = 0
    this.#options.onActivity(this)
  }

  #receive(text: string | undefined): void {
    this.#recordActivity()
    // Some stations keep their connection alive with empty messages.
    if (text === '' || this.#isEnding) return
    const frame: Frame =
      text === undefined ? { kind: 'malformed', id: undefined, fault: 'frame' } : readFrame(text)
    const message = frame.kind === 'result' || frame.kind === 'error' ? this.#settleCall(frame) : frame
    if (!message) return
    this.#malformedInARow = message.kind === 'malformed' ? this.#malformedInARow + 1 : 0
    this.#queue.push(message)
    if (this.#malformedInARow > OCPP_MALFORMED_MAX) this.#expel(...MALFORMED)
    else if (this.#queue.length > OCPP_QUEUE_MAX) this.#expel(...TOO_FAST)
    if (this.#isEnding) return
    if (this.#queue.length > OCPP_QUEUE_PAUSE) this.#socket.pause()
    this.#processing ??= this.#processQueue()
  }

  #expel(code: number, reason: string): void {
    this.close(code, reason)
    this.#options.onExpelled(this, reason)
  }

  async #processQueue(): Promise<void> {
    for (let next = this.#queue.shift(); next && !this.#isEnding; next = this.#queue.shift()) {
      const delayMs = this.#rate.take(performance.now())
      if (delayMs > 0) await this.#throttle(delayMs)
      const reply = await this.#options.respond(this, next)
      if (typeof reply === 'string') await this.#send(reply)
      else if (reply?.closes) this.close(...TRY_AGAIN_LATER)
      if (this.#queue.length <= OCPP_QUEUE_PAUSE && this.#socket.isPaused) this.#socket.resume()
    }
    this.#processing = undefined
  }

  async #throttle(delayMs: number): Promise<void> {
    this.#options.onThrottled(this)
    await sleep(delayMs)
  }

  /** Resolves when the bytes have left. A station that reads nothing is waited for until it is terminated. */
  #send(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.send(text, () => resolve()))
  }

  /**
   * Settles the pending call. A response that matches no pending call, or comes too late, counts as
   * malformed.
   */
  #settleCall(frame: Extract<Frame, { kind: 'result' | 'error' }>): Incoming | undefined {
    if (this.#pending?.id !== frame.id) return { kind: 'malformed', id: frame.id, fault: 'stray' }
    if (frame.kind === 'result') this.#pending.resolve(frame.payload)
    else this.#pending.reject(new OcppCallError(frame.code, frame.description))
    return undefined
  }

  async #call(action: string, payload: object, timeoutMs: number): Promise<object> {
    const { schemas, onCallEnded: onCalled } = this.#options
    const began = performance.now()
    let outcome = 'failed'
    try {
      const answer = schemas.response(
        action,
        await this.#sendCall(action, schemas.ownRequest(action, payload), timeoutMs),
      )
      outcome = 'answered'
      return answer
    } catch (error) {
      if (error instanceof OcppTimeout) outcome = 'timed_out'
      throw error
    } finally {
      onCalled(action, outcome, (performance.now() - began) / 1000)
    }
  }

  async #sendCall(action: string, payload: object, timeoutMs: number): Promise<unknown> {
    if (!this.isOpen) throw new OcppClosed(OCPP_TEXTS.OCPP_STATION_GONE())
    const id = randomUUID()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        this.#pending = { id, resolve, reject }
        const noAnswer = OCPP_TEXTS.OCPP_NO_ANSWER({ timeout_ms: timeoutMs })
        timer = setTimeout(() => reject(new OcppTimeout(noAnswer)), timeoutMs)
        this.#socket.send(writeCall(id, action, payload), (error) => {
          if (error) reject(new OcppClosed(OCPP_TEXTS.OCPP_STATION_GONE()))
        })
      })
    } finally {
      clearTimeout(timer)
      this.#pending = undefined
    }
  }
}

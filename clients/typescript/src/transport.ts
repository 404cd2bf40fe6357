import { ApiError, ConnectionError } from './errors.ts'
import type { Session } from './session.ts'

export interface TransportOptions {
  readonly fetch: typeof fetch
  /** Milliseconds of one attempt; of a file until its first byte. */
  readonly timeoutMs: number
  /** Further attempts after the first one. */
  readonly retries: number
}

export type Body = string | FormData

export interface HttpRequest {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly headers: Headers
  readonly body: Body | undefined
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number | undefined
  /** Whether the request can be sent again after a failure that leaves its outcome unknown. */
  readonly isRepeatable: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

const DELAY_FIRST_MS = 250
const DELAY_MAX_MS = 10_000
/** A longer Retry-After is left to the caller: the error is thrown. */
const RETRY_AFTER_MAX_MS = 60_000
const GATEWAY_FAILURES = [502, 503, 504]

/** Milliseconds before the next attempt, with jitter so that clients that failed together do not return together. */
export const retryDelay = (attempt: number): number =>
  Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Resolves after the time; rejects with the reason of the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Sends requests: timeouts, retries and renewal of the token. */
export class Transport {
  private readonly options: TransportOptions
  private readonly session: Session

  constructor(options: TransportOptions, session: Session) {
    this.options = options
    this.session = session
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    let isRenewed = false
    for (let attempt = 0; ; attempt += 1) {
      const token = await this.session.currentToken()
      try {
        return await this.attempt(request, token)
      } catch (error) {
        request.signal?.throwIfAborted()
        if (!isRenewed && isUnauthorized(error) && (await this.session.renew(token))) {
          isRenewed = true
          attempt -= 1
          continue
        }
        const delay = attempt < this.options.retries ? delayAfter(error, attempt, request) : undefined
        if (delay === undefined) throw error
        await pause(delay, request.signal)
      }
    }
  }

  private async attempt(request: HttpRequest, token: string | undefined): Promise<HttpResponse> {
    const { method, url, body, signal } = request
    const headers = new Headers(request.headers)
    if (token !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
    const timeout = new AbortController()
    const timeoutMs = request.timeoutMs ?? this.options.timeoutMs
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    const signals = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
    try {
      const init: RequestInit = { method, headers, signal: signals, redirect: 'error' }
      const response = await this.options.fetch(url, body === undefined ? init : { ...init, body })
      return await readResponse(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      signal?.throwIfAborted()
      const isTimeout = timeout.signal.aborted
      const text = isTimeout ? `no response within ${timeoutMs} ms` : 'the connection failed'
      throw new ConnectionError(`${method} ${new URL(url).pathname}: ${text}`, { cause: error, isTimeout })
    } finally {
      clearTimeout(timer)
    }
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** Milliseconds before the request is sent again; undefined when the error is final. */
function delayAfter(error: unknown, attempt: number, { isRepeatable }: HttpRequest): number | undefined {
  if (error instanceof ConnectionError) return isRepeatable ? retryDelay(attempt) : undefined
  if (!(error instanceof ApiError)) return undefined
  const { status, code, retryAfterMs } = error
  // 429 and a busy Idempotency-Key: the request was not executed.
  const isRefused = status === 429 || code === 'IDEMPOTENCY_KEY_IN_USE'
  if (!isRefused && !(isRepeatable && GATEWAY_FAILURES.includes(status))) return undefined
  if (retryAfterMs === undefined) return retryDelay(attempt)
  return retryAfterMs <= RETRY_AFTER_MAX_MS ? retryAfterMs + Math.random() * DELAY_FIRST_MS : undefined
}

const isJson = (headers: Headers): boolean => headers.get('content-type')?.includes('json') ?? false

async function readResponse(response: Response): Promise<HttpResponse> {
  const { status, headers } = response
  if (!response.ok) {
    const text = await response.text()
    throw new ApiError(response, isJson(headers) ? parse(text) : text)
  }
  if (isJson(headers)) return { status, headers, data: await response.json() }
  if (status === 204 || response.body === null) return { status, headers, data: undefined }
  return { status, headers, data: response.body }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { KEYED_OPERATIONS } from './api.ts'
import { ApiError } from './errors.ts'
import { LiveConnection, type LiveOptions } from './live.ts'
import type { Gap } from './live-gaps.ts'
import type {
  ApiResponse,
  Arguments,
  BodyOf,
  CallOptions,
  ListItem,
  ListPath,
  Method,
  PathOf,
  ResponseOf,
} from './operations.ts'
import { type Credentials, Session } from './session.ts'
import { type Body, Transport } from './transport.ts'

export interface ClientOptions {
  /** Address of the service, such as https://netsaat.example.com. */
  readonly baseUrl: string
  readonly credentials?: Credentials
  /** Language of texts in responses. */
  readonly language?: 'tr' | 'en'
  /** Milliseconds of one attempt (default 30,000); of a file until its first byte. */
  readonly timeoutMs?: number
  /** Further attempts after the first one, where the request can be repeated (default 4). */
  readonly retries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the global fetch. */
  readonly fetch?: typeof fetch
}

const TIMEOUT_DEFAULT_MS = 30_000
const RETRIES_DEFAULT = 4
/** The largest page of every list. */
const PAGE_DEFAULT = 200
const EDIT_ATTEMPTS = 5

interface AnyRequest extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A client of the API. Operations, parameters, bodies and responses are typed by the API document. */
export class NetsaatClient {
  readonly baseUrl: string
  private readonly transport: Transport
  private readonly options: ClientOptions

  constructor(options: ClientOptions) {
    this.options = options
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    const transport = {
      // The fetch of a browser fails when it is called as a method of another object.
      fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
      timeoutMs: options.timeoutMs ?? TIMEOUT_DEFAULT_MS,
      retries: options.retries ?? RETRIES_DEFAULT,
    }
    const withoutToken = new Transport(transport, new Session(undefined, async () => ''))
    const session = new Session(options.credentials, async (refreshToken) => {
      const request = this.request('POST', '/api/auth/refresh', {
        body: { refresh_token: refreshToken },
        isRepeatable: true,
      })
      const { data } = await withoutToken.send(request)
      return (data as { access_token: string }).access_token
    })
    this.transport = new Transport(transport, session)
  }

  get<P extends PathOf<'GET'>>(path: P, ...options: Arguments<'GET', P>) {
    return this.call<ResponseOf<'GET', P>>('GET', path, first(options))
  }
  post<P extends PathOf<'POST'>>(path: P, ...options: Arguments<'POST', P>) {
    return this.call<ResponseOf<'POST', P>>('POST', path, first(options))
  }
  put<P extends PathOf<'PUT'>>(path: P, ...options: Arguments<'PUT', P>) {
    return this.call<ResponseOf<'PUT', P>>('PUT', path, first(options))
  }
  patch<P extends PathOf<'PATCH'>>(path: P, ...options: Arguments<'PATCH', P>) {
    return this.call<ResponseOf<'PATCH', P>>('PATCH', path, first(options))
  }
  delete<P extends PathOf<'DELETE'>>(path: P, ...options: Arguments<'DELETE', P>) {
    return this.call<ResponseOf<'DELETE', P>>('DELETE', path, first(options))
  }

  /** All records of a list, page by page. Records that are added or deleted meanwhile can shift the pages. */
  async *list<P extends ListPath>(
    path: P,
    ...options: Arguments<'GET', P>
  ): AsyncGenerator<ListItem<P>, void, undefined> {
    const request: AnyRequest = first(options) ?? {}
    let query: Readonly<Record<string, unknown>> = { limit: PAGE_DEFAULT, ...request.query }
    let start = Number(query['skip'] ?? query['offset'] ?? 0)
    for (;;) {
      const { data, headers } = await this.call<unknown>('GET', path, { ...request, query })
      const { items, total } = readPage(data, headers)
      yield* items as ListItem<P>[]
      start += items.length
      const isLast = total === undefined ? items.length < Number(query['limit']) : start >= total
      if (items.length === 0 || isLast) return
      query = { ...query, [Array.isArray(data) ? 'offset' : 'skip']: start }
    }
  }

  /**
   * Reads a record, changes it and stores it with If-Match; repeats all three when somebody else has changed the
   * record in between.
   */
  async edit<P extends PathOf<'GET'> & PathOf<'PUT'>>(
    path: P,
    options: { readonly path: Readonly<Record<string, string>> } & CallOptions,
    change: (current: ResponseOf<'GET', P>) => BodyOf<'PUT', P>,
  ): Promise<ApiResponse<ResponseOf<'PUT', P>>> {
    for (let attempt = 1; ; attempt += 1) {
      const { data, etag } = await this.call<ResponseOf<'GET', P>>('GET', path, options)
      try {
        return await this.call('PUT', path, { ...options, body: change(data), ifMatch: etag })
      } catch (error) {
        const isOutdated = error instanceof ApiError && error.status === 412
        if (!isOutdated || attempt >= EDIT_ATTEMPTS) throw error
      }
    }
  }

  /** Opens the socket for live values: docs/integrate/typescript-client.md describes what it guarantees. */
  live(options: LiveOptions): LiveConnection {
    const api = {
      baseUrl: this.baseUrl,
      createTicket: async (signal: AbortSignal) => {
        const { data } = await this.post('/api/live/tickets', { isRepeatable: true, signal })
        return data.ticket
      },
      readSamples: async ({ deviceId, from, to }: Gap, limit: number) => {
        const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit }
        const path = { device_id: deviceId }
        const { data } = await this.get('/api/measurements/devices/{device_id}/samples', { path, query })
        return data
      },
    }
    return new LiveConnection(api, options)
  }

  private async call<T>(method: Method, path: string, options: AnyRequest = {}): Promise<ApiResponse<T>> {
    const { data, status, headers } = await this.transport.send(this.request(method, path, options))
    return {
      data: data as T,
      status,
      headers,
      etag: headers.get('etag') ?? undefined,
      requestId: headers.get('x-request-id') ?? undefined,
    }
  }

  private request(method: Method, path: string, options: AnyRequest) {
    const { body, ifMatch, signal, timeoutMs } = options
    const headers = new Headers({ ...this.options.headers, ...options.headers })
    if (this.options.language) headers.set('accept-language', this.options.language)
    if (ifMatch !== undefined) headers.set('if-match', ifMatch)
    const isKeyed = KEYED_OPERATIONS.has(`${method} ${path}`)
    if (isKeyed) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID())
    const content = encodeBody(body)
    if (content.type && !headers.has('content-type')) headers.set('content-type', content.type)
    return {
      method,
      url: this.baseUrl + fillPath(path, options.path ?? {}) + encodeQuery(options.query ?? {}),
      headers,
      body: content.body,
      signal,
      timeoutMs,
      isRepeatable: options.isRepeatable ?? (isKeyed || (method !== 'POST' && method !== 'PATCH')),
    }
  }
}

/** The options of a call. Their types depend on the operation, and were checked at the call. */
const first = (options: readonly unknown[]): AnyRequest | undefined => options[0] as AnyRequest | undefined

const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') throw new TypeError(`${path} needs the path parameter ${name}`)
    return encodeURIComponent(String(value))
  })

function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** A form and a text are sent as they are, everything else as JSON. */
function encodeBody(body: unknown): { readonly body: Body | undefined; readonly type?: string } {
  if (body === undefined) return { body: undefined }
  if (body instanceof FormData) return { body }
  if (typeof body === 'string') return { body, type: 'text/csv' }
  return { body: JSON.stringify(body), type: 'application/json' }
}

interface Page {
  readonly items: readonly unknown[]
  readonly total: number | undefined
}

/** A page is an envelope, or an array with the total in a header. */
function readPage(data: unknown, headers: Headers): Page {
  if (!Array.isArray(data)) return data as Page
  const total = headers.get('x-total-count')
  return { items: data as readonly unknown[], total: total === null ? undefined : Number(total) }
}

/** One failure of a request that violates the schema of its operation. */
export interface Issue {
  /** Path of the field, such as ['body', 'name']. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type?: string
  readonly message_code?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A response with a status of 400 or above. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Fixed code, such as RESOURCE_NOT_FOUND; docs/api/errors.md lists the codes. */
  readonly code: string | undefined
  /** Code of the text of `message`. */
  readonly messageCode: string | undefined
  /** The values in the text of `message`. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The failures of a request that violates its schema. */
  readonly issues: readonly Issue[]
  readonly requestId: string | undefined
  /** Milliseconds after which the server accepts the request again. */
  readonly retryAfterMs: number | undefined
  /** The parsed body: an error can have further fields. */
  readonly body: unknown

  constructor(response: Response, body: unknown) {
    const { message, code, messageCode, parameters, issues } = readBody(body)
    super(message ?? `HTTP ${response.status}`)
    this.status = response.status
    this.code = code
    this.messageCode = messageCode
    this.parameters = parameters ?? {}
    this.issues = issues ?? []
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.retryAfterMs = readRetryAfter(response.headers)
    this.body = body
  }
}

/** No response arrived: the connection failed, or the timeout passed. `cause` is the error of fetch. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly isTimeout: boolean
  constructor(message: string, options: { readonly cause: unknown; readonly isTimeout: boolean }) {
    super(message, { cause: options.cause })
    this.isTimeout = options.isTimeout
  }
}

interface ErrorFields {
  readonly message?: string | undefined
  readonly code?: string | undefined
  readonly messageCode?: string | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly issues?: readonly Issue[]
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads the five forms of error bodies, which differ by area for historical reasons. */
function readBody(body: unknown): ErrorFields {
  if (!isObject(body)) return {}
  const { detail } = body
  if (Array.isArray(detail)) {
    const issues = detail as readonly Issue[]
    const message = issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return { message, code: 'VALIDATION_ERROR', issues }
  }
  const fields = isObject(detail) ? detail : body
  return {
    message: textOf(detail) ?? textOf(fields['message']),
    code: textOf(fields['error_code']) ?? textOf(fields['code']),
    messageCode: textOf(fields['message_code']),
    parameters: isObject(fields['parameters']) ? fields['parameters'] : undefined,
  }
}

/** Retry-After in seconds or as a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

import type { NoResponse, RawResponse } from './client.ts'
import { type Schema, schemaFault } from './document.ts'
import type { FuzzRequest } from './requests.ts'

/** Whose token a request carries. */
export type Caller = 'superuser' | 'user' | 'nobody'

const isSuccess = (status: number): boolean => status >= 200 && status < 300
/** Responses of the HTTP server to a request that no route receives. */
const OFF_PATH_STATUSES = new Set([
  200, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 414, 415, 416, 417, 422, 429, 431,
])

const mediaType = (type: string | undefined): string => (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

function parsed({ body }: RawResponse): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}

/** Every error has a `detail`, or in the flat form an `error_code`. */
function errorShapeFault(body: unknown): string | undefined {
  const { detail, error_code: code, message } = (body ?? {}) as Record<string, unknown>
  if (typeof detail === 'string')
    return code === undefined || typeof code === 'string' ? undefined : 'error_code is no text'
  if (Array.isArray(detail)) return detail.length > 0 ? undefined : 'the list of failures is empty'
  if (typeof detail === 'object' && detail !== null) {
    const inner = detail as Record<string, unknown>
    const innerCode = inner['error_code'] ?? inner['code']
    return typeof innerCode === 'string' && typeof inner['message'] === 'string'
      ? undefined
      : 'no code and message in detail'
  }
  return typeof code === 'string' && typeof message === 'string' ? undefined : 'the error has no known shape'
}

function bodyFaults(
  response: RawResponse,
  contents: Readonly<Record<string, { readonly schema?: Schema }>>,
): string[] {
  const { status, headers, body } = response
  if (Object.keys(contents).length === 0)
    return body.length === 0 ? [] : [`${status} is declared without a body`]
  const type = mediaType(headers['content-type'])
  const content = Object.entries(contents).find(([declared]) => mediaType(declared) === type)?.[1]
  if (!content) return [`the content type ${headers['content-type']} is not declared for ${status}`]
  if (type !== 'application/json' || !content.schema) return []
  const value = parsed(response)
  if (value === undefined) return ['the body is not JSON']
  const fault = schemaFault(content.schema, value)
  const shapeFault = status >= 400 && status !== 503 ? errorShapeFault(value) : undefined
  return [fault, shapeFault].filter((each) => each !== undefined)
}

function accessFaults({ operation }: FuzzRequest, { status }: RawResponse, caller: Caller): string[] {
  if (!isSuccess(status) || operation.isPublic) return []
  if (caller === 'nobody') return [`${status} without a valid token`]
  const isForSuperusers = /^Access: superusers/m.test(operation.description)
  return isForSuperusers && caller !== 'superuser' ? [`${status} for a user who is no superuser`] : []
}

/** Checks of a response to a path or method that may belong to no operation. */
function offPathFaults(request: FuzzRequest, response: RawResponse): string[] {
  const { status, body } = response
  if (status >= 500 && status !== 503) return [`status ${status}`]
  if (request.method === 'HEAD') return body.length > 0 ? ['HEAD is answered with a body'] : []
  if (status < 400) return []
  if (!OFF_PATH_STATUSES.has(status)) return [`unexpected status ${status} for a changed path or method`]
  return shapeFaults(response)
}

/** Bytes that are no request: the server answers without a request id, and closes the connection. */
const isOfHttpLayer = ({ status, headers }: RawResponse): boolean =>
  [400, 408, 431].includes(status) && headers['x-request-id'] === undefined && headers.connection === 'close'

function shapeFaults(response: RawResponse): string[] {
  const fault = errorShapeFault(parsed(response))
  return fault === undefined ? [] : [`${response.status}: ${fault}`]
}

/** Returns what is wrong with the response to a request. */
export function responseFaults(
  request: FuzzRequest,
  response: RawResponse | NoResponse,
  caller: Caller,
): string[] {
  if (response.kind === 'none') return [`no response: ${response.reason}`]
  const { status, headers } = response
  if (isOfHttpLayer(response)) return shapeFaults(response)
  const general = headers['x-request-id'] === undefined ? ['X-Request-Id is missing'] : []
  if (request.isOffPath) return [...general, ...offPathFaults(request, response)]
  const declared = request.operation.responses[status]
  if (status >= 500 && (status !== 503 || !declared)) return [`status ${status}`]
  if (!declared) return [`status ${status} is not declared`]
  const missing = Object.keys(declared.headers ?? {}).filter(
    (name) => headers[name.toLowerCase()] === undefined,
  )
  return [
    ...general,
    ...missing.map((name) => `the header ${name} is declared for ${status} but missing`),
    ...bodyFaults(response, declared.content ?? {}),
    ...accessFaults(request, response, caller),
  ]
}

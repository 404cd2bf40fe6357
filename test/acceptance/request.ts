import { setTimeout as sleep } from 'node:timers/promises'

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON body, undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: untyped JSON; each test asserts the fields that it reads
  readonly body: any
}

export interface RequestOptions {
  readonly token?: string
  /** Sent as JSON; a form is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const RATE_LIMIT_RETRIES = 20

/** Sends a request; repeats it when the rate limit rejected it, as a client should. */
export async function request(
  baseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const { token, body, headers = {} } = options
  const isForm = body instanceof FormData
  const init: RequestInit = {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(baseUrl + path, init)
    const text = await response.text()
    if (response.status === 429 && attempt < RATE_LIMIT_RETRIES) {
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
      continue
    }
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }
}

import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ConnectGuard } from './connect-guard.ts'
import { lookupOf, resolveTarget, unlessAborted } from './guarded-target.ts'

export interface GuardedFetchOptions {
  /** Resolves and checks the host of a URL. */
  readonly guardOf: (target: URL) => ConnectGuard
  /** Timeout for one call with its response, milliseconds. */
  readonly timeoutMs: number
  /** Bytes of the body of a response; a longer one fails. */
  readonly bodyMaxBytes: number
}

/** The part of the options of `fetch` that is supported. */
export interface GuardedInit {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export type GuardedFetch = (url: string, init: GuardedInit) => Promise<Response>

/** Statuses whose `Response` cannot have a body. */
const WITHOUT_BODY = [204, 205, 304]

function textOfBody(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('the body of a guarded call is a text or a form')
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop destroys the response and its connection.
    if (length > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function toResponse(message: IncomingMessage, maxBytes: number): Promise<Response> {
  const body = await readBody(message, maxBytes)
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  return new Response(WITHOUT_BODY.includes(status) ? null : new Uint8Array(body), { status, headers })
}

interface SendOptions {
  readonly target: URL
  readonly addresses: readonly LookupAddress[]
  readonly signal: AbortSignal
}

function send(init: GuardedInit, { target, addresses, signal }: SendOptions): Promise<IncomingMessage> {
  const body = textOfBody(init.body)
  return new Promise((done, fail) => {
    const open = target.protocol === 'https:' ? requestHttps : requestHttp
    const request = open(target, {
      method: init.method,
      headers: {
        ...init.headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      // Each call uses a new connection: a reused one could lead to an address that the name no longer has.
      agent: false,
      lookup: lookupOf(addresses),
      signal,
    })
    request.on('response', done)
    request.on('error', fail)
    request.end(body)
  })
}

/**
 * Makes a `fetch` for addresses that tenants configure (ADR 0054): the resolved address is checked and connected to,
 * redirects are not followed, and time and length are limited. Throws AddressRefusedError for an address that is not
 * permitted, and the error of the connection.
 */
export const makeGuardedFetch =
  ({ guardOf, timeoutMs, bodyMaxBytes }: GuardedFetchOptions): GuardedFetch =>
  async (url, init) => {
    const target = new URL(url)
    const late = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late
    const addresses = await unlessAborted(signal, resolveTarget(guardOf(target), target))
    return unlessAborted(
      signal,
      send(init, { target, addresses, signal }).then((message) => toResponse(message, bodyMaxBytes)),
    )
  }

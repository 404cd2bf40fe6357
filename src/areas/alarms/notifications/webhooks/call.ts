import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress, type Networks } from '../../../../platform/http/networks.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'

/**
 * A call that the receiver did not accept. The message is for users of the tenant. `isGone`: the receiver
 * responded 410 and will never accept calls.
 */
export class WebhookError extends Error {
  readonly isGone: boolean
  constructor(message: string, isGone = false) {
    super(message)
    this.isGone = isGone
  }
}

export interface WebhookCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Private networks that may be called. */
  readonly allowed: Networks
  /** Timeout for the whole call, milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Aborts the call when the service stops. */
  readonly signal?: AbortSignal | undefined
}

const NOT_PUBLIC = 'the address is not a public one; the operator can allow it (WEBHOOK_ALLOWED_NETWORKS)'

/**
 * Returns the host of a URL when it is an IP address, without the brackets of IPv6; undefined when it is a
 * name.
 */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}

export const mayCall = (address: string, allowed: Networks): boolean =>
  isPublicAddress(address) || allowed.contains(address)

/**
 * Resolves a name and returns only allowed addresses. The check is part of the lookup of the connection, so a
 * name that resolves differently a second time (DNS rebinding) cannot bypass it.
 */
const guardedLookup =
  (allowed: Networks): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const usable = addresses.filter(({ address }) => mayCall(address, allowed))
      const [first] = usable
      if (!first) return done(new WebhookError(NOT_PUBLIC), '', 0)
      if (options.all) return done(null, usable)
      done(null, first.address, first.family)
    })
  }

/**
 * Sends one POST; throws WebhookError on a timeout or a response other than 2xx. Redirects are not followed.
 */
export async function callWebhook(call: WebhookCall): Promise<number> {
  const { url, headers, body, allowed, timeoutMs = WEBHOOK_TIMEOUT_MS, signal } = call
  const target = new URL(url)
  const literal = literalAddress(target.hostname)
  if (literal !== undefined && !mayCall(literal, allowed)) throw new WebhookError(NOT_PUBLIC)
  const late = AbortSignal.timeout(timeoutMs)
  const status = await new Promise<number>((done, fail) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Netsaat-Webhook/1',
        ...headers,
      },
      // Each call uses a new connection: a reused one could lead to an address that the name no longer has.
      agent: false,
      lookup: guardedLookup(allowed),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    request.on('response', (response) => {
      done(response.statusCode ?? 0)
      // The response body is not read.
      response.destroy()
    })
    request.on('error', (error) => fail(late.aborted ? timeoutError(timeoutMs) : toWebhookError(error)))
    request.end(body)
  })
  if (status >= 200 && status < 300) return status
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  throw new WebhookError(`it answered ${status}${redirect}`, status === 410)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'the host is out of reach',
  ENETUNREACH: 'the network is out of reach',
  ETIMEDOUT: 'the host does not answer',
}

const timeoutError = (timeoutMs: number) => new WebhookError(`no answer within ${timeoutMs / 1000} seconds`)

function toWebhookError(error: Error): WebhookError {
  if (error instanceof WebhookError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  return new WebhookError(REASONS[code] ?? `the call failed (${code || error.message.slice(0, 100)})`)
}

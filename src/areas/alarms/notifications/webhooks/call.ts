import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress, type Networks } from '../../../../platform/http/networks.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'

/** It was not taken; the message is for the people of the tenant. `isGone`: it never will be. */
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
  /** Private networks that may be called all the same. */
  readonly allowed: Networks
  /** Milliseconds, for the whole call. */
  readonly timeoutMs?: number | undefined
  /** The service stops. */
  readonly signal?: AbortSignal | undefined
}

const NOT_PUBLIC = 'the address is not a public one; the operator can allow it (WEBHOOK_ALLOWED_NETWORKS)'

/** The host of a URL as an address, without the brackets of IPv6; undefined when it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}

export const mayCall = (address: string, allowed: Networks): boolean =>
  isPublicAddress(address) || allowed.contains(address)

/**
 * The addresses that are connected to are those that were checked: a name that changes its mind in between is
 * of no use.
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

/** One POST, within its time; throws WebhookError unless a 2xx answers. Redirects are not followed. */
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
      // A connection of its own: a kept one would be reused after the name had moved.
      agent: false,
      lookup: guardedLookup(allowed),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    request.on('response', (response) => {
      done(response.statusCode ?? 0)
      // What else it says is not read.
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

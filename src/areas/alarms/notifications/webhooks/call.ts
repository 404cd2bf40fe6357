import type { LookupAddress } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '../../../../platform/http/networks.ts'
import { makeAddressPolicy } from '../../../../platform/net/address-policy.ts'
import {
  AddressRefusedError,
  type ConnectGuard,
  makeConnectGuard,
} from '../../../../platform/net/connect-guard.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { Config } from '../../../../platform/settings/config.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import { readRetryAfter } from './retry-after.ts'

/**
 * A call that the receiver did not accept. The message is for users of the tenant. `isGone`: the receiver
 * responded 410 and will never accept calls.
 */
export class WebhookError extends Error {
  readonly isGone: boolean
  /** The status of the response; undefined when there was none. */
  readonly status: number | undefined
  /** The pause that the receiver requested with 429. */
  readonly retryAfterMs: number | undefined
  constructor(
    message: string,
    response: { readonly status?: number; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.status = response.status
    this.isGone = response.status === 410
    this.retryAfterMs = response.retryAfterMs
  }
}

export interface WebhookCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Resolves and checks the host of the URL. */
  readonly guard: ConnectGuard
  /** Timeout for the whole call, milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Aborts the call when the service stops. */
  readonly signal?: AbortSignal | undefined
}

const NOT_PUBLIC = 'the address is not a public one; the operator can allow it (WEBHOOK_ALLOWED_NETWORKS)'
/** The same for every failure at an address that is not public, so that it does not reveal which ports are open. */
const NO_ANSWER = 'the address does not answer as a webhook'

const webhookPolicy = ({ webhookAllowedNetworks }: Config) =>
  makeAddressPolicy({ allowedNetworks: webhookAllowedNetworks, isPublicPermitted: true })

/** Whether a webhook may have this literal address. */
export const isWebhookAddress = (config: Config, address: string): boolean =>
  webhookPolicy(config).permits(address)

/** Checks every call of a webhook. */
export const webhookGuard = ({ config, ownEndpoints }: Pick<Deps, 'config' | 'ownEndpoints'>): ConnectGuard =>
  makeConnectGuard({ policy: webhookPolicy(config), ownEndpoints })

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Public addresses, or else one address: a choice among several would reveal which of them is open. */
async function resolveTarget({ guard }: WebhookCall, target: URL): Promise<readonly LookupAddress[]> {
  const port = Number(target.port) || (DEFAULT_PORTS[target.protocol] ?? 0)
  try {
    const found = await guard.resolve({ host: target.hostname, port })
    return isPublic(found) ? found : found.slice(0, 1)
  } catch (error) {
    if (!(error instanceof AddressRefusedError)) throw error
    throw new WebhookError(error.reason === 'network' ? NOT_PUBLIC : NO_ANSWER)
  }
}

const isPublic = (addresses: readonly LookupAddress[]): boolean =>
  addresses.every(({ address }) => isPublicAddress(address))

/** Connects to the addresses that were checked; a name is not resolved a second time. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, done) => {
    const [first = { address: '', family: 0 }] = addresses
    if (options.all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }

interface CallResponse {
  readonly status: number
  readonly retryAfterMs: number | undefined
}

interface PostOptions {
  readonly target: URL
  readonly addresses: readonly LookupAddress[]
  readonly signal: AbortSignal
}

function post(
  { headers, body }: WebhookCall,
  { target, addresses, signal }: PostOptions,
): Promise<CallResponse> {
  return new Promise<CallResponse>((done, fail) => {
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
      lookup: lookupOf(addresses),
      signal,
    })
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status === 429)
        return void readRetryAfter(response).then((retryAfterMs) => done({ status, retryAfterMs }))
      done({ status, retryAfterMs: undefined })
      // No other response body is read.
      response.destroy()
    })
    request.on('error', fail)
    request.end(body)
  })
}

/**
 * Sends one POST; throws WebhookError on a timeout or a response other than 2xx. Redirects are not followed.
 */
export async function callWebhook(call: WebhookCall): Promise<number> {
  const { timeoutMs = WEBHOOK_TIMEOUT_MS, signal } = call
  const target = new URL(call.url)
  const late = AbortSignal.timeout(timeoutMs)
  const end = signal ? AbortSignal.any([signal, late]) : late
  let addresses: readonly LookupAddress[] = []
  let response: CallResponse
  try {
    addresses = await unlessAborted(end, resolveTarget(call, target))
    response = await post(call, { target, addresses, signal: end })
  } catch (error) {
    if (error instanceof WebhookError || (signal?.aborted && !late.aborted)) throw toWebhookError(error)
    if (!isPublic(addresses)) throw new WebhookError(NO_ANSWER)
    throw late.aborted ? timeoutError(timeoutMs) : toWebhookError(error)
  }
  const { status } = response
  if (status >= 200 && status < 300) return status
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  throw new WebhookError(`it answered ${status}${redirect}`, response)
}

/** The resolver of the system cannot be interrupted, so its result is ignored after an abort. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
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

function toWebhookError(error: unknown): WebhookError {
  if (error instanceof WebhookError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return new WebhookError(REASONS[code] ?? `the call failed (${code || message.slice(0, 100)})`)
}

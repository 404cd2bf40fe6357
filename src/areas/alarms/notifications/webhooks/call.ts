import type { LookupAddress } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Message } from '../../../../kernel/messages.ts'
import { makeAddressPolicy } from '../../../../platform/net/address-policy.ts'
import {
  AddressRefusedError,
  type ConnectGuard,
  makeConnectGuard,
} from '../../../../platform/net/connect-guard.ts'
import { arePublic, lookupOf, resolveTarget, unlessAborted } from '../../../../platform/net/guarded-target.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { Config } from '../../../../platform/settings/config.ts'
import { DeliveryError } from '../delivery/delivery-error.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import { readRetryAfter } from './retry-after.ts'

/**
 * A call that the receiver did not accept. `isGone`: the receiver responded 410 and will never accept calls.
 */
export class WebhookError extends DeliveryError {
  readonly isGone: boolean
  /** The status of the response; undefined when there was none. */
  readonly status: number | undefined
  /** The pause that the receiver requested with 429. */
  readonly retryAfterMs: number | undefined
  constructor(
    content: Message,
    response: { readonly status?: number; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(content)
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

/** The same for every failure at an address that is not public, so that it does not reveal which ports are open. */
const NO_ANSWER = DELIVERY_TEXTS.DELIVERY_NO_ANSWER()

const webhookPolicy = ({ webhookAllowedNetworks }: Config) =>
  makeAddressPolicy({ allowedNetworks: webhookAllowedNetworks, isPublicPermitted: true })

/** Whether a webhook may have this literal address. */
export const isWebhookAddress = (config: Config, address: string): boolean =>
  webhookPolicy(config).permits(address)

/** Checks every call of a webhook. */
export const webhookGuard = ({ config, ownEndpoints }: Pick<Deps, 'config' | 'ownEndpoints'>): ConnectGuard =>
  makeConnectGuard({ policy: webhookPolicy(config), ownEndpoints })

async function checkTarget({ guard }: WebhookCall, target: URL): Promise<readonly LookupAddress[]> {
  try {
    return await resolveTarget(guard, target)
  } catch (error) {
    if (!(error instanceof AddressRefusedError)) throw error
    throw new WebhookError(error.reason === 'network' ? DELIVERY_TEXTS.DELIVERY_NOT_PUBLIC() : NO_ANSWER)
  }
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
    addresses = await unlessAborted(end, checkTarget(call, target))
    response = await post(call, { target, addresses, signal: end })
  } catch (error) {
    if (error instanceof WebhookError || (signal?.aborted && !late.aborted)) throw toWebhookError(error)
    if (!arePublic(addresses)) throw new WebhookError(NO_ANSWER)
    throw late.aborted ? timeoutError(timeoutMs) : toWebhookError(error)
  }
  const { status } = response
  if (status >= 200 && status < 300) return status
  const isRedirect = status >= 300 && status < 400
  const content = isRedirect ? DELIVERY_TEXTS.DELIVERY_REDIRECTED : DELIVERY_TEXTS.DELIVERY_ANSWERED
  throw new WebhookError(content({ status }), response)
}

const REASONS: Readonly<Record<string, Message>> = {
  ECONNREFUSED: DELIVERY_TEXTS.DELIVERY_CONNECTION_REFUSED(),
  ENOTFOUND: DELIVERY_TEXTS.DELIVERY_HOST_UNKNOWN(),
  EAI_AGAIN: DELIVERY_TEXTS.DELIVERY_HOST_LOOKUP_FAILED(),
  ECONNRESET: DELIVERY_TEXTS.DELIVERY_CONNECTION_CUT(),
  EHOSTUNREACH: DELIVERY_TEXTS.DELIVERY_HOST_UNREACHABLE(),
  ENETUNREACH: DELIVERY_TEXTS.DELIVERY_NETWORK_UNREACHABLE(),
  ETIMEDOUT: DELIVERY_TEXTS.DELIVERY_HOST_SILENT(),
}

const timeoutError = (timeoutMs: number) =>
  new WebhookError(DELIVERY_TEXTS.DELIVERY_TIMEOUT({ seconds: timeoutMs / 1000 }))

function toWebhookError(error: unknown): WebhookError {
  if (error instanceof WebhookError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = code || message.slice(0, 100)
  return new WebhookError(REASONS[code] ?? DELIVERY_TEXTS.DELIVERY_CALL_FAILED({ reason }))
}

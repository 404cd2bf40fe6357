import type { Message } from '../../../kernel/messages.ts'
import type { LocalDate, Range } from '../../../kernel/time.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { isNotPublishedText, PlatformFailure, refusalOf, type Step } from './failure.ts'
import { type CallFailure, callOnce, NoResponseError, type PlatformResponse } from './http-call.ts'
import { MARKET_BACKOFF_MS, MARKET_RETRY_AFTER_MAX_MS } from './limits.ts'
import { PLATFORM_TEXTS } from './messages.ts'
import { type PublishedPrice, readPrices, UnreadableResponse } from './price-response.ts'
import type { Series } from './series.ts'
import type { TicketCache } from './ticket-cache.ts'

/** The decrypted credentials of an account. They are kept in memory only for the duration of a pull. */
export interface Credentials {
  /** Identifies the account together with these credentials. */
  readonly key: string
  readonly username: string
  readonly password: string
  readonly subscriptionKey: string | undefined
}

export interface ClientOptions {
  readonly config: Pick<Config, 'marketopAuthUrl' | 'marketopApiUrl' | 'marketopTimeoutMs'>
  readonly clock: Clock
  readonly tickets: TicketCache
  readonly credentials: Credentials
  /** Attempts of a call that fails with a transient failure. */
  readonly tries: number
  readonly signal: AbortSignal
}

/** Days of one call, Turkey-local, both included; at most a month. `hours` is the requested part of them. */
export interface DayRange {
  readonly first: LocalDate
  readonly last: LocalDate
  readonly hours: Range
}

export interface PlatformClient {
  /** Throws PlatformFailure. Returns `not_published` when the platform has not published the days yet. */
  prices(series: Series, days: DayRange): Promise<PublishedPrice[] | 'not_published'>
}

/** The header in which the gateway before the platform expects the subscription key. [inferred] */
const SUBSCRIPTION_HEADER = 'Ocp-Apim-Subscription-Key'
const TICKET = /TGT-[A-Za-z0-9_.-]{1,500}/

/** Makes calls to the platform for one account. */
export function makePlatformClient(options: ClientOptions): PlatformClient {
  const { config, clock, tickets, credentials, signal } = options
  const { marketopTimeoutMs: timeoutMs } = config
  const subscription =
    credentials.subscriptionKey === undefined ? {} : { [SUBSCRIPTION_HEADER]: credentials.subscriptionKey }

  async function login(): Promise<string> {
    const form = new URLSearchParams({ username: credentials.username, password: credentials.password })
    const response = await withRetries(options, 'login', () =>
      callOnce({
        url: config.marketopAuthUrl,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'text/plain',
          ...subscription,
        },
        body: form.toString(),
        timeoutMs,
        signal,
      }),
    )
    if ([400, 401, 403, 423].includes(response.status)) throw refusalOf('login', response)
    const ticket = TICKET.exec(response.text)?.[0] ?? TICKET.exec(response.location ?? '')?.[0]
    if (response.status >= 300 || ticket === undefined)
      throw unexpectedResponse('login', PLATFORM_TEXTS.PLATFORM_NO_TICKET({ status: response.status }))
    tickets.store(credentials.key, ticket, clock.now())
    return ticket
  }

  const requestPrices = (
    series: Series,
    { first, last }: DayRange,
    ticket: string,
  ): Promise<PlatformResponse> =>
    callOnce({
      url: `${config.marketopApiUrl.replace(/\/+$/, '')}${series.path}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-language': 'tr',
        TGT: ticket,
        ...subscription,
      },
      body: JSON.stringify({ startDate: localMidnight(first), endDate: localMidnight(last) }),
      timeoutMs,
      signal,
    })

  return {
    async prices(series, days) {
      const tryWith = (ticket: string) =>
        withRetries(options, 'call', async () => {
          const response = await requestPrices(series, days, ticket)
          const isGood = response.status >= 200 && response.status < 300
          const wanted = { fields: series.fields, range: days.hours }
          return isGood ? { ...response, prices: readPrices(response.text, wanted) } : response
        })
      const cachedTicket = tickets.find(credentials.key, clock.now())
      let response = await tryWith(cachedTicket ?? (await login()))
      if (isRefusal(response)) {
        // A ticket may expire earlier on the platform. A second refusal, of a fresh ticket, is final.
        tickets.drop(credentials.key)
        if (refusalOf('call', response).kind !== 'auth_failed') throw refusalOf('call', response)
        response = await tryWith(await login())
      }
      if ('prices' in response) return response.prices
      if (isRefusal(response)) {
        tickets.drop(credentials.key)
        throw refusalOf('call', response)
      }
      if (response.status === 400 && isNotPublishedText(response.text)) return 'not_published'
      throw unexpectedResponse('call', PLATFORM_TEXTS.PLATFORM_NO_PRICES({ status: response.status }))
    },
  }
}

const isRefusal = ({ status }: PlatformResponse): boolean => status === 401 || status === 403

const unexpectedResponse = (step: Step, content: Message, notBefore?: number) =>
  new PlatformFailure({ kind: 'fetch_failed', step, content, notBefore })

/** The platform requires an explicit offset. */
const localMidnight = (date: LocalDate): string => `${date}T00:00:00+03:00`

const CALL_FAILURE_TEXT = {
  refused: PLATFORM_TEXTS.PLATFORM_CONNECTION_REFUSED,
  timeout: PLATFORM_TEXTS.PLATFORM_TIMEOUT,
  cut: PLATFORM_TEXTS.PLATFORM_ANSWER_CUT,
  too_large: PLATFORM_TEXTS.PLATFORM_ANSWER_TOO_LARGE,
  unreachable: PLATFORM_TEXTS.PLATFORM_UNREACHABLE,
} as const satisfies Readonly<Record<CallFailure, unknown>>

/** [inferred] A platform with an address list refuses connections from other addresses. */
function failureOf(step: 'login' | 'call', error: unknown): PlatformFailure | undefined {
  if (error instanceof UnreadableResponse)
    return new PlatformFailure({ kind: 'fetch_failed', step, content: error.content })
  if (!(error instanceof NoResponseError)) return undefined
  const content = CALL_FAILURE_TEXT[error.kind]({ step })
  return error.kind === 'refused'
    ? new PlatformFailure({ kind: 'not_whitelisted', step: 'whitelist', content })
    : new PlatformFailure({ kind: 'fetch_failed', step, content })
}

/**
 * Retries transient failures: no response, a broken one, 5xx, and 429 with its Retry-After. The last failure
 * is thrown as a PlatformFailure; every other response is returned.
 */
async function withRetries<T extends PlatformResponse>(
  { clock, tries, signal }: Pick<ClientOptions, 'clock' | 'tries' | 'signal'>,
  step: 'login' | 'call',
  attempt: () => Promise<T>,
): Promise<T> {
  for (let attemptNo = 1; ; attemptNo += 1) {
    let failure: PlatformFailure | undefined
    let waitMs = MARKET_BACKOFF_MS * 3 ** (attemptNo - 1)
    try {
      const response = await attempt()
      if (response.status !== 429 && response.status < 500) return response
      const retryMs = retryAfterMs(response.retryAfter, clock.now())
      const content = PLATFORM_TEXTS.PLATFORM_NO_CONTENT({ status: response.status })
      failure = unexpectedResponse(step, content, retryMs && clock.now() + retryMs)
      waitMs = retryMs ?? waitMs
    } catch (error) {
      failure = failureOf(step, error)
      if (!failure) throw error
    }
    if (attemptNo >= tries || waitMs > MARKET_RETRY_AFTER_MAX_MS) throw failure
    await pause(clock, waitMs, signal)
  }
}

/** Retry-After: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  // A date starts with a weekday name. Without this check Date.parse would also accept a number such as -5.
  const at = /^[A-Za-z]{3}/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([clock.sleep(ms), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}

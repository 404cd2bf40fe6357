import type { LocalDate, Range } from '../../../kernel/time.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { PlatformFailure, refusalOf, type Step, saysNotPublished } from './failure.ts'
import { callOnce, NoAnswer, type PlatformAnswer, type Trouble } from './http-call.ts'
import { MARKET_BACKOFF_MS, MARKET_RETRY_AFTER_MAX_MS } from './limits.ts'
import { type PublishedPrice, readPrices, UnreadableAnswer } from './price-answer.ts'
import type { Series } from './series.ts'
import type { Tickets } from './tickets.ts'

/** What an account logs in with, opened. Lives no longer than a pull. */
export interface Credentials {
  /** Stands for the account and these very credentials. */
  readonly key: string
  readonly username: string
  readonly password: string
  readonly subscriptionKey: string | undefined
}

export interface ClientOrder {
  readonly config: Pick<Config, 'marketopAuthUrl' | 'marketopApiUrl' | 'marketopTimeoutMs'>
  readonly clock: Clock
  readonly tickets: Tickets
  readonly credentials: Credentials
  /** How often a call is tried that fails in a way which passes. */
  readonly tries: number
  readonly signal: AbortSignal
}

/** Days of one call, Turkey-local, both included; at most a month. `hours` is what is wanted of them. */
export interface Days {
  readonly first: LocalDate
  readonly last: LocalDate
  readonly hours: Range
}

export interface PlatformClient {
  /** Throws PlatformFailure; `not_published` when the platform says that the days are still to come. */
  prices(series: Series, days: Days): Promise<PublishedPrice[] | 'not_published'>
}

/** What stands before the platform is told of the subscription in this header. [inferred] */
const SUBSCRIPTION_HEADER = 'Ocp-Apim-Subscription-Key'
const TICKET = /TGT-[A-Za-z0-9_.-]{1,500}/

/** Speaks with the platform for one account. */
export function makePlatformClient(order: ClientOrder): PlatformClient {
  const { config, clock, tickets, credentials, signal } = order
  const { marketopTimeoutMs: timeoutMs } = config
  const subscription =
    credentials.subscriptionKey === undefined ? {} : { [SUBSCRIPTION_HEADER]: credentials.subscriptionKey }

  async function login(): Promise<string> {
    const form = new URLSearchParams({ username: credentials.username, password: credentials.password })
    const answer = await patiently(order, 'login', () =>
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
    if ([400, 401, 403, 423].includes(answer.status)) throw refusalOf('login', answer)
    const ticket = TICKET.exec(answer.text)?.[0] ?? TICKET.exec(answer.location ?? '')?.[0]
    if (answer.status >= 300 || ticket === undefined) throw odd('login', answer.status, 'no ticket')
    tickets.keep(credentials.key, ticket, clock.now())
    return ticket
  }

  const ask = (series: Series, { first, last }: Days, ticket: string): Promise<PlatformAnswer> =>
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
        patiently(order, 'call', async () => {
          const answer = await ask(series, days, ticket)
          const isGood = answer.status >= 200 && answer.status < 300
          const wanted = { fields: series.fields, range: days.hours }
          return isGood ? { ...answer, prices: readPrices(answer.text, wanted) } : answer
        })
      const kept = tickets.find(credentials.key, clock.now())
      let answer = await tryWith(kept ?? (await login()))
      if (isRefusal(answer)) {
        // A ticket ends when the platform says so; another refusal of a fresh one means what it says.
        tickets.drop(credentials.key)
        if (refusalOf('call', answer).kind !== 'auth_failed') throw refusalOf('call', answer)
        answer = await tryWith(await login())
      }
      if ('prices' in answer) return answer.prices
      if (isRefusal(answer)) {
        tickets.drop(credentials.key)
        throw refusalOf('call', answer)
      }
      if (answer.status === 400 && saysNotPublished(answer.text)) return 'not_published'
      throw odd('call', answer.status, 'no prices')
    },
  }
}

const isRefusal = ({ status }: PlatformAnswer): boolean => status === 401 || status === 403

const odd = (step: Step, status: number, lacking: string, notBefore?: number) =>
  new PlatformFailure({
    kind: 'fetch_failed',
    step,
    message: `the platform answers ${status} and gives ${lacking}`,
    notBefore,
  })

/** The offset is always written out: the platform asks for it. */
const localMidnight = (date: LocalDate): string => `${date}T00:00:00+03:00`

const TROUBLE: Readonly<Record<Trouble, string>> = {
  refused: 'the connection is refused',
  timeout: 'no answer came in time',
  cut: 'the answer was cut off',
  too_large: 'the answer is larger than any answer should be',
  unreachable: 'the address cannot be reached',
}

/** [inferred] A platform that keeps a list of addresses refuses connections from others. */
function failureOf(step: 'login' | 'call', error: unknown): PlatformFailure | undefined {
  if (error instanceof UnreadableAnswer)
    return new PlatformFailure({ kind: 'fetch_failed', step, message: error.message })
  if (!(error instanceof NoAnswer)) return undefined
  const message = `${TROUBLE[error.trouble]} (${step})`
  return error.trouble === 'refused'
    ? new PlatformFailure({ kind: 'not_whitelisted', step: 'whitelist', message })
    : new PlatformFailure({ kind: 'fetch_failed', step, message })
}

/**
 * Tries again what may pass: no answer, a broken one, 5xx, and 429, which says how long to wait. What is left at the end
 * is thrown as a PlatformFailure; every other answer is the caller's.
 */
async function patiently<T extends PlatformAnswer>(
  { clock, tries, signal }: Pick<ClientOrder, 'clock' | 'tries' | 'signal'>,
  step: 'login' | 'call',
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    let failure: PlatformFailure | undefined
    let waitMs = MARKET_BACKOFF_MS * 3 ** (tried - 1)
    try {
      const answer = await attempt()
      if (answer.status !== 429 && answer.status < 500) return answer
      const asked = retryAfterMs(answer.retryAfter, clock.now())
      failure = odd(step, answer.status, 'nothing', asked && clock.now() + asked)
      waitMs = asked ?? waitMs
    } catch (error) {
      failure = failureOf(step, error)
      if (!failure) throw error
    }
    if (tried >= tries || waitMs > MARKET_RETRY_AFTER_MAX_MS) throw failure
    await pause(clock, waitMs, signal)
  }
}

/** Retry-After: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  // A date begins with the day of the week; Date.parse would make one of -5 as well.
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

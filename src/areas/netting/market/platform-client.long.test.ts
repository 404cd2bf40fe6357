import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testClock } from '../../../../test/support/clock.ts'
import { type MarketPlatform, startMarketPlatform } from '../../../../test/support/netting/market-platform.ts'
import { dayStart, HOUR_MS } from '../../../kernel/time.ts'
import { PlatformFailure } from './failure.ts'
import { type Credentials, makePlatformClient, retryAfterMs } from './platform-client.ts'
import { PTF_FINAL, PTF_TENTATIVE, type Series, SMF_FINAL } from './series.ts'
import { makeTicketCache } from './ticket-cache.ts'

const DAY = '2026-11-20'
const from = dayStart(DAY)
const days = { first: DAY, last: DAY, hours: { from, to: from + 24 * HOUR_MS } }

let platform: MarketPlatform
beforeAll(async () => {
  platform = await startMarketPlatform()
  for (let hour = 0; hour < 24; hour += 1) {
    platform.prices.mcp.set(from + hour * HOUR_MS, `${hour}.5`)
    platform.prices['interim-mcp'].set(from + hour * HOUR_MS, `${hour}.25`)
    platform.prices['system-marginal-price'].set(from + hour * HOUR_MS, `${hour}`)
  }
})
afterAll(() => platform.close())
beforeEach(() => {
  platform.calls.length = 0
  platform.subscriptionKey = undefined
  platform.layout = 'plain'
  platform.publishedUntil = '9999-12-31'
  for (const kind of ['login', 'call'] as const) platform.failAlways(kind, undefined)
})

interface Over {
  readonly credentials?: Partial<Credentials>
  readonly tries?: number
  readonly config?: { marketopAuthUrl?: string; marketopApiUrl?: string; marketopTimeoutMs?: number }
  readonly signal?: AbortSignal
  /** Replaces waiting. */
  readonly sleep?: (ms: number) => Promise<void>
}

function makeClient({ credentials, config, sleep, ...rest }: Over = {}) {
  const clock = testClock()
  const slept: number[] = []
  const watched = {
    ...clock,
    async sleep(ms: number) {
      slept.push(ms)
      await (sleep ?? clock.sleep)(ms)
    },
  }
  const client = makePlatformClient({
    config: {
      marketopAuthUrl: platform.authUrl,
      marketopApiUrl: platform.apiUrl,
      marketopTimeoutMs: 5_000,
      ...config,
    },
    clock: watched,
    tickets: makeTicketCache(),
    credentials: {
      key: 'account',
      username: platform.username,
      password: platform.password,
      subscriptionKey: undefined,
      ...credentials,
    },
    tries: 3,
    signal: new AbortController().signal,
    ...rest,
  })
  return { clock, slept, prices: (series: Series = PTF_FINAL) => client.prices(series, days) }
}

const kinds = () => platform.calls.map(({ kind, status }) => `${kind} ${status}`)
async function failureOf(work: Promise<unknown>): Promise<PlatformFailure> {
  const error = await work.then(
    () => new Error('it went well'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PlatformFailure)) throw error
  return error
}
const describeFailure = async (work: Promise<unknown>): Promise<string> => {
  const { kind, step } = await failureOf(work)
  return `${kind} at ${step}`
}

describe('client of the market platform', () => {
  it('logs in by a form post, and requests whole local days with the ticket in a header', async () => {
    const prices = await makeClient({ credentials: { subscriptionKey: 'key-1' } }).prices()
    expect(prices).toHaveLength(24)
    const [login, call] = platform.calls
    expect(login?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(login?.headers.accept).toBe('text/plain')
    expect(login?.path).not.toContain('?')
    expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual({
      username: platform.username,
      password: platform.password,
    })
    expect(call?.path).toBe('/electricity-service/v1/markets/dam/data/mcp')
    expect(call?.headers['tgt']).toBe(platform.tickets.at(-1))
    expect(call?.headers['ocp-apim-subscription-key']).toBe('key-1')
    expect(JSON.parse(call?.body ?? '')).toEqual({
      startDate: '2026-11-20T00:00:00+03:00',
      endDate: '2026-11-20T00:00:00+03:00',
    })
  })

  it('reads each of the three series, in each layout', async () => {
    const { prices } = makeClient()
    for (const layout of ['plain', 'under body', 'hour apart'] as const) {
      platform.layout = layout
      for (const [series, last] of [
        [PTF_FINAL, '23.500000'],
        [PTF_TENTATIVE, '23.250000'],
        [SMF_FINAL, '23.000000'],
      ] as const) {
        const response = await prices(series)
        expect(response).toHaveLength(24)
        expect(response.at(-1)).toEqual({ ts: from + 23 * HOUR_MS, price: last })
      }
    }
  })

  it('reuses a ticket, renews an old one, and logs in again when the platform ended it', async () => {
    const { clock, prices } = makeClient()
    await prices()
    await prices()
    expect(kinds()).toEqual(['login 201', 'call 200', 'call 200'])
    clock.advance(95 * 60_000)
    await prices()
    expect(kinds().slice(3)).toEqual(['login 201', 'call 200'])
    platform.endTickets()
    expect(await prices()).toHaveLength(24)
    expect(kinds().slice(5)).toEqual(['call 401', 'login 201', 'call 200'])
  })

  it('gives up after one new login', async () => {
    platform.failAlways('call', { status: 403 })
    expect(await describeFailure(makeClient().prices())).toBe('auth_failed at login')
    expect(kinds()).toEqual(['login 201', 'call 403', 'login 201', 'call 403'])
  })

  it('recognizes a wrong password and does not retry it', async () => {
    expect(await describeFailure(makeClient({ credentials: { password: 'wrong' } }).prices())).toBe(
      'auth_failed at login',
    )
    expect(kinds()).toEqual(['login 401'])
  })

  it('recognizes an address that is not allowed: 403 at login, a refused connection, or its message', async () => {
    platform.fail('login', { status: 403 })
    expect(await describeFailure(makeClient().prices())).toBe('not_whitelisted at whitelist')
    const closed = await startMarketPlatform()
    await closed.close()
    const config = { marketopAuthUrl: closed.authUrl }
    expect(await describeFailure(makeClient({ config }).prices())).toBe('not_whitelisted at whitelist')
    platform.fail('call', { status: 403, body: '{"message":"IP address is not in the whitelist"}' })
    expect(await describeFailure(makeClient().prices())).toBe('not_whitelisted at whitelist')
  })

  it('recognizes a missing subscription and does not log in again', async () => {
    platform.subscriptionKey = 'needed'
    expect(await describeFailure(makeClient().prices())).toBe('subscription_missing at subscription')
    expect(kinds()).toEqual(['login 201', 'call 401'])
    expect(await makeClient({ credentials: { subscriptionKey: 'needed' } }).prices()).toHaveLength(24)
  })

  it('treats "not published yet" as a valid response', async () => {
    platform.publishedUntil = '2026-11-19'
    expect(await makeClient().prices()).toBe('not_published')
    platform.publishedUntil = '9999-12-31'
    platform.fail('call', { status: 400, body: '{"message":"startDate zorunludur"}' })
    expect(await describeFailure(makeClient().prices())).toBe('fetch_failed at call')
    expect(kinds().at(-1)).toBe('call 400')
  })

  it.each([
    ['a cut connection', 'cut'],
    ['no answer', 'hang'],
    ['an answer that is no JSON', 'garbage'],
    ['half an answer', 'half'],
    ['an answer without end', 'flood'],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
  ] as const)('tries three times on %s', async (_name, fault) => {
    platform.fail('call', fault, fault)
    const config = fault === 'hang' ? { marketopTimeoutMs: 400 } : {}
    const { slept, prices } = makeClient({ config })
    expect(await prices()).toHaveLength(24)
    expect(slept).toEqual([2_000, 6_000])
    platform.fail('call', fault, fault, fault)
    expect(await describeFailure(prices())).toBe('fetch_failed at call')
  })

  it('retries the login too', async () => {
    platform.fail('login', { status: 502 }, 'cut')
    expect(await makeClient().prices()).toHaveLength(24)
    platform.failAlways('login', { status: 502 })
    expect(await describeFailure(makeClient().prices())).toBe('fetch_failed at login')
    platform.failAlways('login', { status: 200, body: 'welcome' })
    expect(await describeFailure(makeClient().prices())).toBe('fetch_failed at login')
  })

  it('waits as long as Retry-After of a 429 states, up to a limit', async () => {
    platform.fail('call', { status: 429, headers: { 'retry-after': '17' } }, { status: 429 })
    const { slept, prices } = makeClient()
    expect(await prices()).toHaveLength(24)
    expect(slept).toEqual([17_000, 6_000])
    platform.fail('call', { status: 429, headers: { 'retry-after': '3600' } })
    const impatient = makeClient()
    expect(await describeFailure(impatient.prices())).toBe('fetch_failed at call')
    expect(impatient.slept).toEqual([])
    const now = Date.parse('2026-11-20T10:00:00Z')
    expect(retryAfterMs('Fri, 20 Nov 2026 10:00:30 GMT', now)).toBe(30_000)
    expect(retryAfterMs('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
    expect(retryAfterMs('soon', now)).toBeUndefined()
  })

  it('follows no redirect, so that no credential is sent elsewhere', async () => {
    platform.fail('login', { status: 302, headers: { location: `${platform.apiUrl}/elsewhere` } })
    expect(await describeFailure(makeClient().prices())).toBe('fetch_failed at login')
    expect(platform.calls).toHaveLength(1)
  })

  it('stops at once on a stop of the service, during a request or between two attempts', async () => {
    for (const fault of ['hang', { status: 500 }] as const) {
      const stop = new AbortController()
      platform.fail('login', fault)
      const forever = async (): Promise<void> => {
        setImmediate(() => stop.abort(new Error('the service is stopping')))
        await new Promise(() => {})
      }
      const waiting = makeClient({ signal: stop.signal, sleep: forever }).prices()
      if (fault === 'hang') stop.abort(new Error('the service is stopping'))
      await expect(waiting).rejects.toThrow('the service is stopping')
    }
  })
})

import { type MarketPulls, makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import { HOUR_MS, iso, type Range } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../api.ts'
import { perform } from '../jobs/timetable.ts'
import type { Json } from '../json.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { type AccountCalls, accountCalls, emptyPrices, marketConfig } from './market-accounts.ts'
import { type MarketPlatform, type SeriesName, startMarketPlatform } from './market-platform.ts'

/** A Turkey-local time, such as 2026-11-20T14:05:00. */
export const at = (text: string): number => Date.parse(`${text}+03:00`)

export interface PullSetup {
  readonly platform: MarketPlatform
  readonly api: TestApi
  /** A tenant with a superuser. */
  readonly tenant: TestTenant
  readonly accounts: AccountCalls
  /** The pulls of one process; replace it for a process without tickets. */
  pulls: MarketPulls
  query(text: string, values?: unknown[]): Promise<Json[]>
  /** Runs a slot of a job of the timetable, at its time. */
  pull(name: string, slot: number): Promise<void>
  statusOf(name: string): Promise<string | undefined>
  /** Stored rows by market and maturity. */
  counts(): Promise<Record<string, number>>
  /** Publishes these prices from now on; `price` is called with the index of the hour. */
  publish(series: SeriesName, range: Range, price: (hour: number) => string): void
  /** The requests for prices: the series and its days. */
  requests(): string[]
  /** Deletes the prices on both sides and the faults. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A service, a platform, and the pulls between them, without an account. */
export async function startPullSetup(now: number): Promise<PullSetup> {
  const platform = await startMarketPlatform()
  const api = await startApi({ config: marketConfig(platform), now: iso(now) })
  const tenant = await createTenant(api)
  const query: PullSetup['query'] = async (text, values = []) =>
    (await api.deps.database.pool.query(text, values)).rows
  const setup: PullSetup = {
    platform,
    api,
    tenant,
    accounts: accountCalls(api, tenant, platform),
    pulls: makeMarketPulls(api.deps),
    query,
    async pull(name, slot) {
      api.clock.set(slot)
      const job = schedule(api.deps, setup.pulls).find((known) => known.name === name)
      if (!job) throw new Error(`there is no job ${name}`)
      await perform(api, { job, slot })
    },
    async statusOf(name) {
      const rows = await query('select outcome from job_run where name = $1 order by slot desc limit 1', [
        name,
      ])
      return rows[0]?.outcome
    },
    async counts() {
      const rows = await query(
        `select market || ' ' || price_status as key, count(*)::int as count from market_price group by 1 order by 1`,
      )
      return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
    },
    publish(series, { from, to }, price) {
      for (let ts = from; ts < to; ts += HOUR_MS)
        platform.prices[series].set(ts, price((ts - from) / HOUR_MS))
    },
    requests: () =>
      platform.calls
        .filter(({ kind }) => kind === 'call')
        .map(({ path, body }) => {
          const { startDate, endDate } = JSON.parse(body)
          return `${path.split('/').at(-1)} ${startDate.slice(0, 10)}..${endDate.slice(0, 10)}`
        }),
    async reset() {
      for (const kind of ['login', 'call'] as const) platform.failAlways(kind, undefined)
      for (const prices of Object.values(platform.prices)) prices.clear()
      Object.assign(platform, { publishedUntil: '9999-12-31', layout: 'plain' })
      platform.calls.length = 0
      await emptyPrices(api)
    },
    async close() {
      await api.close()
      await platform.close()
    },
  }
  return setup
}

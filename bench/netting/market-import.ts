import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeMarketPulls } from '../../src/areas/netting/market/index.ts'
import { readPrices } from '../../src/areas/netting/market/price-response.ts'
import { storePrices } from '../../src/areas/netting/market/price-store.ts'
import { PTF_FINAL, type Series, SMF_FINAL } from '../../src/areas/netting/market/series.ts'
import { dayRangeOf, monthsToKeep } from '../../src/areas/netting/market/windows.ts'
import { HOUR_MS, iso, type Range } from '../../src/kernel/time.ts'
import { inSystemTx } from '../../src/platform/db/tenant.ts'
import { accountCalls, emptyPrices, marketConfig } from '../../test/support/netting/market-accounts.ts'
import { type MarketPlatform, startMarketPlatform } from '../../test/support/netting/market-platform.ts'
import { sized } from '../support/effort.ts'
import { megabytes } from '../support/memory.ts'
import { importMemoryFigure } from '../support/peak.ts'
import { peaksOfProgram } from '../support/program.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const ROUNDS = sized(9, 1)
/** How often the program whose memory is measured pulls all prices. */
const MEMORY_ROUNDS = 3
const PULL_MAX_MS = 60_000
const HOURS = 5_000
const ROWS = 2 * HOURS
const SLOT = Date.parse('2026-11-20T02:15:00+03:00')
/** The newest hour of either market that the slot requests. */
const LAST = Date.parse('2026-11-19T21:00:00+03:00')
const hourOf = (index: number): number => LAST - index * HOUR_MS

function publish(platform: MarketPlatform): void {
  for (let index = 0; index < HOURS; index += 1) {
    platform.prices.mcp.set(hourOf(index), (2000 + index / 100).toFixed(2))
    platform.prices['system-marginal-price'].set(hourOf(index), (1900 + index / 100).toFixed(2))
  }
}

/** The same rows into the same table, a statement for each market. */
async function insertBare({ deps }: BenchService): Promise<void> {
  for (const [market, base] of [
    ['ptf', 2000],
    ['smf', 1900],
  ] as const) {
    const indexes = Array.from({ length: HOURS }, (_, index) => index)
    const instants = `{${indexes.map((index) => iso(hourOf(index))).join(',')}}`
    const prices = `{${indexes.map((index) => (base + index / 100).toFixed(2)).join(',')}}`
    await sql`
      insert into market_price (ts, market, price_status, price_try_per_mwh, fetched_at)
      select ts, ${market}, 'final', price, ${new Date(SLOT)}::timestamptz
      from unnest(${instants}::timestamptz[], ${prices}::numeric[]) as row (ts, price)`.execute(
      deps.database.kysely,
    )
  }
}

/** Responses of the platform as they arrive: a month of a market each. */
async function responsesOf(platform: MarketPlatform): Promise<Answer[]> {
  const { username, password, authUrl, apiUrl } = platform
  const post = async (url: string, body: string, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'POST', body, headers })).text()
  const ticket = await post(authUrl, new URLSearchParams({ username, password }).toString())
  const responses: Answer[] = []
  for (const { market, range } of monthsToKeep(SLOT)) {
    const series = market === 'ptf' ? PTF_FINAL : SMF_FINAL
    const { first, last } = dayRangeOf(range)
    const body = { startDate: `${first}T00:00:00+03:00`, endDate: `${last}T00:00:00+03:00` }
    const text = await post(apiUrl + series.path, JSON.stringify(body), { TGT: ticket })
    if (text.length > 100) responses.push({ series, range, text })
  }
  return responses
}

interface Answer {
  readonly series: Series
  readonly range: Range
  readonly text: string
}

/** From the text of the responses to the commit of each. */
async function importAnswers({ deps }: BenchService, responses: readonly Answer[]): Promise<void> {
  for (const { series, range, text } of responses) {
    const prices = readPrices(text, { fields: series.fields, range })
    await inSystemTx(deps.database.kysely, (tx) => storePrices(tx, { series, prices, at: SLOT }))
  }
}

async function countStored({ deps }: BenchService): Promise<number> {
  const { rows } = await deps.database.pool.query<{ count: string }>('select count(*) from market_price')
  return Number(rows[0]?.count)
}

async function checkStored(service: BenchService): Promise<void> {
  const count = await countStored(service)
  if (count !== ROWS) throw new Error(`${count} of ${ROWS} prices are stored`)
}

/** Has a running program pull the prices by its job, and waits until they are stored. */
async function pullByJob(service: BenchService): Promise<void> {
  await emptyPrices(service)
  await service.deps.database.owner.pool.query(
    `select from graphile_worker.add_job('backfill-prices', $1::json)`,
    [JSON.stringify({ _cron: { ts: iso(SLOT) } })],
  )
  const endAt = performance.now() + PULL_MAX_MS
  while ((await countStored(service)) < ROWS && performance.now() < endAt) await sleep(20)
  await checkStored(service)
}

/** The peak memory of the built program, which pulls all prices several times. */
async function measureMemory(service: BenchService): Promise<Figure[]> {
  const { marketopAuthUrl, marketopApiUrl, credentialEncryptionKey = '' } = service.deps.config
  const works = Array.from({ length: MEMORY_ROUNDS }, () => () => pullByJob(service))
  const [before = Number.NaN, ...after] = await peaksOfProgram(service, works, {
    MARKETOP_ENABLED: 'true',
    MARKETOP_AUTH_URL: marketopAuthUrl,
    MARKETOP_API_URL: marketopApiUrl,
    CREDENTIAL_ENCRYPTION_KEY: credentialEncryptionKey,
  })
  const name = `of ${ROWS.toLocaleString('en')} market prices, ${megabytes(before)} before`
  return after.map((bytes, pull) => importMemoryFigure(`pull ${pull + 1} ${name}`, bytes))
}

async function measure(service: BenchService, platform: MarketPlatform): Promise<Figure[]> {
  const pulls = makeMarketPulls(service.deps)
  const pull = () =>
    pulls.backfill(SLOT, {
      signal: new AbortController().signal,
      partFailed: () => {
        throw new Error(pulls.statusLines().join())
      },
    })
  publish(platform)
  const memory = await measureMemory(service)
  const responses = await responsesOf(platform)
  const times = { bare: [] as number[], stored: [] as number[], first: [] as number[], again: [] as number[] }
  for (let round = 0; round < ROUNDS + 1; round += 1) {
    await emptyPrices(service)
    const bare = await timed(() => insertBare(service))
    await emptyPrices(service)
    const stored = await timed(() => importAnswers(service, responses))
    await checkStored(service)
    await emptyPrices(service)
    const first = await timed(pull)
    await checkStored(service)
    const again = await timed(pull)
    // The first round warms up.
    if (round === 0) continue
    times.bare.push(bare)
    times.stored.push(stored)
    times.first.push(first)
    times.again.push(again)
  }
  const rate = (ms: number) => `${Math.round(ROWS / (ms / 1000)).toLocaleString('en')} rows/s`
  const figure = (name: string, ours: readonly number[], aim: string): Figure => ({
    name,
    measured: rate(median(ours)),
    against: rate(median(times.bare)),
    ratio: median(ours.map((ms, round) => (times.bare[round] ?? Number.NaN) / ms)),
    aim,
  })
  return [
    figure('import of 10,000 market prices by month (bulk insert of the same rows)', times.stored, '>= 0.3'),
    figure(
      'import of 10,000 market prices by a pull with 26 calls of a platform in the same process (bulk insert)',
      times.first,
      '',
    ),
    figure('repeated pull without missing prices (first pull)', times.again, ''),
    ...memory,
  ]
}

/**
 * Market prices from the platform's response to the commit, month by month, and by a pull from its first call
 * on.
 */
export const marketImportBench: Bench = {
  name: 'market-import',
  async run() {
    const platform = await startMarketPlatform()
    const service = await openService(SLOT)
    try {
      Object.assign(service.deps.config, marketConfig(platform), { marketopTimeoutMs: 5_000 })
      await accountCalls(callsOf(service), service.tenant, platform).makeUsable()
      return await measure(service, platform)
    } finally {
      await service.stop()
      await platform.close()
    }
  },
}

/** Calls the service as tests do. */
const callsOf = ({ url, deps }: BenchService): Parameters<typeof accountCalls>[0] => ({
  deps,
  async call(method, path, { token, body } = {}) {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  },
})

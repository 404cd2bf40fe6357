import pg from 'pg'
import { startService } from '../../test/support/process/service.ts'
import type { BareTask, Statement } from '../support/bare-list.ts'
import { sized } from '../support/effort.ts'
import type { HttpLoad, HttpLoadResult } from '../support/http-load.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const DEVICES = 200
const PATH = '/api/devices?limit=50'
const CONNECTIONS = 10
const SECONDS = sized(3, 1)
const ROUNDS = sized(5, 2)
/** The same number of connections as the service. */
const POOL = 20

/** The SQL statements that the endpoint runs for a known user, recorded from the endpoint itself. */
async function recordStatements({ url, tenant }: BenchService): Promise<readonly Statement[]> {
  const send = () => fetch(url + PATH, { headers: { authorization: `Bearer ${tenant.viewer.token}` } })
  await send()
  const recorded: Statement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    recorded.push(
      typeof first === 'string'
        ? { text: first, values: Array.isArray(values) ? values : [] }
        : { text: first.text, values: first.values ?? [] },
    )
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await send()
  } finally {
    pg.Client.prototype.query = query
  }
  return recorded.filter(({ text }) => text.includes('device') || text.includes('access_version'))
}

async function measure(service: BenchService): Promise<Figure[]> {
  const { deps, tenant, databaseUrl } = service
  await createDevices(service, DEVICES)
  await deps.database.owner.pool.query('analyze')
  const statements = await recordStatements(service)
  const principal = statements.filter(({ text }) => text.includes('access_version'))
  const list = statements.filter(({ text }) => !text.includes('access_version'))
  const fullService = await startService({
    env: {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      SECRET_KEY: deps.config.secretKey,
      RATE_LIMIT_API_PER_SECOND: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    },
  })
  const bare = startWorker('./bare-list.ts')
  const load = startWorker('./http-load.ts')
  try {
    const options: BareTask = {
      databaseUrl,
      maxConnections: POOL,
      routes: { '/list': [list], '/with-principal': [principal, list] },
    }
    const bareUrl = await bare.ask<string>(options)
    const targets = [`${fullService.url}${PATH}`, `${bareUrl}/list`, `${bareUrl}/with-principal`]
    const results: HttpLoadResult[][] = targets.map(() => [])
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const [index, url] of targets.entries()) {
        const request: HttpLoad = {
          url,
          token: tenant.viewer.token,
          connections: CONNECTIONS,
          seconds: SECONDS,
        }
        const result = await load.ask<HttpLoadResult>(request)
        if (result.failed > 0) throw new Error(`${result.failed} requests to ${url} failed`)
        // The first round is the warm-up.
        if (round > 0) results[index]?.push(result)
      }
    }
    return figuresOf(results)
  } finally {
    await Promise.all([load.end(), bare.end(), fullService.stop()])
  }
}

function figuresOf([fullService = [], list = [], withPrincipal = []]: readonly HttpLoadResult[][]): Figure[] {
  const rates = (results: readonly HttpLoadResult[]) =>
    results.map(({ requestsPerSecond }) => requestsPerSecond)
  const summary = (results: readonly HttpLoadResult[]) =>
    `${Math.round(median(rates(results)))} requests/s, p99 ${median(results.map(({ p99Ms }) => p99Ms))} ms`
  const ratio = (bare: readonly HttpLoadResult[]) => {
    const bareRates = rates(bare)
    return median(rates(fullService).map((rate, round) => rate / (bareRates[round] ?? Number.NaN)))
  }
  return [
    {
      name: 'GET /api/devices?limit=50 (bare route, same list SQL)',
      measured: summary(fullService),
      against: summary(list),
      ratio: ratio(list),
      aim: '>= 0.85',
    },
    {
      name: 'GET /api/devices?limit=50 (bare route, same list SQL and a read of the principal)',
      measured: summary(fullService),
      against: summary(withPrincipal),
      ratio: ratio(withPrincipal),
      aim: '',
    },
  ]
}

/**
 * The service as started in production, with a log line per request, against a bare route in its own process.
 */
export const devicesListBench: Bench = {
  name: 'devices-list',
  async run() {
    const service = await openService(Date.now())
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}

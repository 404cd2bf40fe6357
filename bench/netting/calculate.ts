import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { calculateRange } from '../../src/areas/netting/index.ts'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { makeGroup } from '../../test/support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import { copyRun, writeBare } from '../support/copy-run.ts'
import { sized } from '../support/effort.ts'
import { createGroup } from '../support/netting-group.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

/** Of 30 and 31 days. The first warms up, because a service that nets every hour is warm. */
const ALL_PERIODS = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01']
const PERIODS = sized(ALL_PERIODS, ALL_PERIODS.slice(0, 4))
const LAST = periodEnd(PERIODS.at(-1) ?? '')
const NOW = LAST + HOUR_MS

interface Location {
  readonly period: string
  readonly groupId: string
  readonly mirrorId: string
  readonly client: pg.Client
}
interface Round {
  readonly calculatedMs: number
  readonly againMs: number
  readonly bareMs: number
  readonly rowCount: number
}

async function measurePeriod(
  { deps, tenant }: BenchService,
  { period, groupId, mirrorId, client }: Location,
): Promise<Round> {
  const request = { groupId, range: periodRange(period), triggeredBy: 'beat', startedBy: null } as const
  let runId: string | undefined
  const calculatedMs = await timed(async () => {
    runId = (await calculateRange(deps, tenant.id, request))[0]?.run?.id
  })
  const againMs = await timed(() => calculateRange(deps, tenant.id, request))
  if (!runId) throw new Error(`${period} was not calculated`)
  const like = runId
  const as = { runId: randomUUID(), groupId: mirrorId }
  const { copies, rowCount } = await copyRun(client, like, as)
  const bareMs = await timed(() => writeBare(client, as, like, copies))
  return { calculatedMs, againMs, bareMs, rowCount }
}

async function measure(service: BenchService): Promise<Figure[]> {
  const { deps, tenant, databaseUrl } = service
  await makePriceSet(deps, addMonths(PERIODS[0] ?? '', -1), INDUSTRIAL_PRICES)
  const groupId = await createGroup(service, { from: periodRange(PERIODS[0] ?? '').from, to: LAST })
  const mirror = await makeGroup(deps, tenant, { members: [] })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('vacuum analyze')
  const rounds: Round[] = []
  for (const period of PERIODS)
    rounds.push(await measurePeriod(service, { period, groupId, mirrorId: mirror.id, client }))
  const [, ...warm] = rounds
  const calculated = warm.map((round) => round.calculatedMs)
  const again = warm.map((round) => round.againMs)
  const bare = warm.map((round) => round.bareMs)
  const rowCount = median(warm.map((round) => round.rowCount))
  await client.end()
  const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`
  return [
    {
      name: `calculation of a month of 10 facilities, ${rowCount} rows (COPY of the rows)`,
      measured: ms(calculated),
      against: `${ms(bare)} COPY`,
      ratio: median(calculated) / median(bare),
      aim: '<= 2',
    },
    {
      name: 'repeated calculation without a change (first calculation)',
      measured: ms(again),
      against: `${ms(calculated)} first calculation`,
      ratio: median(again) / median(calculated),
      aim: '',
    },
  ]
}

export const calculateBench: Bench = {
  name: 'calculate',
  async run() {
    const service = await openService(NOW)
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { calculateRange } from '../../src/areas/netting/index.ts'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { makeGroup } from '../../test/support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import type { MonthsDone, MonthsTask } from '../support/calculate-months.ts'
import { copyRun, writeBare } from '../support/copy-run.ts'
import { sized } from '../support/effort.ts'
import { copyGroup, createGroup, FACILITIES } from '../support/netting-group.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type BenchOptions, type Figure, median, timed } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

/** The small and the large number of groups. */
const SIZES = sized([20, 100] as const, [3, 15] as const)
const LARGE_SIZES = [100, 1000] as const
const PERIOD = '2026-04-01'
const WARM_UPS = sized(10, 3)
/**
 * In each a part of the groups is calculated and one of them written by COPY, so that both find tables of the
 * same size.
 */
const ROUNDS = sized(20, 3)

interface Fixture {
  readonly service: BenchService
  readonly client: pg.Client
  readonly groupIds: readonly string[]
}

/** Copies of one group, each with facts over all periods, in a separate database. */
async function withGroups<T>(
  { first, last, count }: { readonly first: string; readonly last: string; readonly count: number },
  work: (fixture: Fixture) => Promise<T>,
): Promise<T> {
  const to = periodEnd(last)
  const service = await openService(to + HOUR_MS)
  const client = new pg.Client({ connectionString: service.databaseUrl })
  try {
    await client.connect()
    await makePriceSet(service.deps, addMonths(first, -1), INDUSTRIAL_PRICES)
    await createGroup(service, { from: periodRange(first).from, to })
    const groupIds = await copyGroup(client, service.tenant.id, count)
    return await work({ service, client, groupIds })
  } finally {
    await client.end()
    await service.stop()
  }
}

interface Cost {
  readonly count: number
  readonly perSecond: number
  readonly peakBytes: number
  /** For one group. */
  readonly calculatedMs: number
  readonly bareMs: number
}

/** The rows that a run wrote, again as a bare write under a group that has no rows yet. */
async function timeBare({ service, client }: Fixture, runId: string): Promise<number> {
  const mirror = await makeGroup(service.deps, service.tenant, { members: [] })
  const as = { runId: randomUUID(), groupId: mirror.id }
  const { copies } = await copyRun(client, runId, as)
  return timed(() => writeBare(client, as, runId, copies))
}

/** One measured size: a service's process, and a function that gives it the next groups. */
interface Lane {
  /** Calculates the next part of the groups, and writes one of them by COPY. */
  next(): Promise<void>
  cost(): Cost
  end(): Promise<void>
}

async function openLane(fixture: Fixture, count: number): Promise<Lane> {
  const { service, groupIds } = fixture
  const worker = startWorker('calculate-months.ts')
  const range = periodRange(PERIOD)
  const same = { databaseUrl: service.databaseUrl, tenantId: service.tenant.id, now: range.to + HOUR_MS }
  const request = (ids: readonly string[]) =>
    worker.ask<MonthsDone>({ ...same, range, groupIds: ids } satisfies MonthsTask)
  await timeBare(fixture, (await request(groupIds.slice(0, WARM_UPS))).runId)
  const size = count / ROUNDS
  const rounds: (MonthsDone & { readonly bareMs: number })[] = []
  return {
    async next() {
      const start = WARM_UPS + rounds.length * size
      const done = await request(groupIds.slice(start, start + size))
      rounds.push({ ...done, bareMs: await timeBare(fixture, done.runId) })
    },
    cost() {
      const tookMs = rounds.reduce((sum, round) => sum + round.tookMs, 0)
      return {
        count,
        perSecond: (count * FACILITIES * ((range.to - range.from) / HOUR_MS)) / (tookMs / 1000),
        peakBytes: Math.max(...rounds.map((round) => round.peakBytes)),
        calculatedMs: median(rounds.map((round) => round.tookMs / size)),
        bareMs: median(rounds.map((round) => round.bareMs)),
      }
    },
    end: () => worker.end(),
  }
}

/** Both sizes alternate, each in its own database, so that other load on the machine affects both alike. */
async function measureInTurns(lanes: readonly Lane[]): Promise<Cost[]> {
  try {
    for (let round = 0; round < ROUNDS; round += 1) for (const lane of lanes) await lane.next()
    return lanes.map((lane) => lane.cost())
  } finally {
    for (const lane of lanes) await lane.end()
  }
}

const withMonths = <T>(count: number, work: (fixture: Fixture) => Promise<T>): Promise<T> =>
  withGroups({ first: PERIOD, last: PERIOD, count: count + WARM_UPS }, work)

const measureMonths = (small: number, large: number): Promise<Cost[]> =>
  withMonths(large, (many) =>
    withMonths(small, async (few) =>
      measureInTurns([await openLane(few, small), await openLane(many, large)]),
    ),
  )

const FIRST = '2025-01-01'
const PERIODS = Array.from({ length: sized(12, 3) }, (_, month) => addMonths(FIRST, month))

interface Year {
  readonly onceMs: number
  readonly correctedMs: number
}

/** A group's year, calculated once and then corrected from its first month on, over HTTP as a user does. */
async function measureYear({ url, deps, tenant }: BenchService, groupId: string): Promise<Year> {
  const range = { from: periodRange(FIRST).from, to: periodEnd(PERIODS.at(-1) ?? FIRST) }
  const onceMs = await timed(() =>
    calculateRange(deps, tenant.id, { groupId, range, triggeredBy: 'beat', startedBy: null }),
  )
  const correctedMs = await timed(async () => {
    const response = await fetch(`${url}/api/mahsuplasma/groups/${groupId}/corrections`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ billing_period: FIRST, reason: 'to measure the cost' }),
    })
    const body = (await response.json()) as { periods_corrected?: string[] }
    if (body.periods_corrected?.length !== PERIODS.length)
      throw new Error(`the correction answered ${response.status} ${JSON.stringify(body).slice(0, 500)}`)
  })
  return { onceMs, correctedMs }
}

const measureCascade = (): Promise<Year[]> =>
  withGroups(
    { first: FIRST, last: PERIODS.at(-1) ?? FIRST, count: sized(4, 2) },
    async ({ service, groupIds }) => {
      const years: Year[] = []
      for (const groupId of groupIds) years.push(await measureYear(service, groupId))
      return years.slice(1)
    },
  )

const rate = ({ perSecond }: Cost) => `${Math.round(perSecond)} facility-hours/s`
const megabytes = ({ peakBytes }: Cost) => `${Math.round(peakBytes / 2 ** 20)} MB`
const ms = (value: number) => `${value.toFixed(0)} ms`

const bareFigure = ({ count, calculatedMs, bareMs }: Cost): Figure => ({
  name: `calculation of one month for each of ${count} groups of 10, per group (COPY of the rows)`,
  measured: ms(calculatedMs),
  against: `${ms(bareMs)} COPY`,
  ratio: calculatedMs / bareMs,
  aim: '<= 2',
})

function cascadeFigure(years: readonly Year[]): Figure {
  const once = median(years.map((year) => year.onceMs / PERIODS.length))
  const corrected = median(years.map((year) => year.correctedMs / PERIODS.length))
  return {
    name: `correction over ${PERIODS.length} periods of a group of 10, per period (first calculation)`,
    measured: ms(corrected),
    against: `${ms(once)} first calculation`,
    ratio: corrected / once,
    aim: '',
  }
}

async function run({ isLarge }: BenchOptions): Promise<Figure[]> {
  const [few, many] = isLarge ? LARGE_SIZES : SIZES
  const costs = await measureMonths(few, many)
  const [small, large] = costs
  if (!small || !large) throw new Error('two sizes must be measured')
  return [
    ...costs.map(bareFigure),
    {
      name: `calculation rate with ${large.count} groups (with ${small.count} groups)`,
      measured: rate(large),
      against: rate(small),
      ratio: small.perSecond / large.perSecond,
      aim: '<= 1.2',
    },
    {
      name: `peak memory of the calculating process with ${large.count} groups (with ${small.count} groups)`,
      measured: megabytes(large),
      against: megabytes(small),
      ratio: large.peakBytes / small.peakBytes,
      aim: '<= 1.2',
    },
    cascadeFigure(await measureCascade()),
  ]
}

export const nettingCostBench: Bench = { name: 'netting-cost', run }

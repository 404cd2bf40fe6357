import pg from 'pg'
import { addMonths, HOUR_MS, localYear, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { type MemberSpec, makeGroup } from '../../test/support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import type { MonthsDone, MonthsTask } from '../support/calculate-months.ts'
import { sized } from '../support/effort.ts'
import { type HealthTimes, healthMeanwhile } from '../support/health-meanwhile.ts'
import { withProgram } from '../support/program.ts'
import { type BenchService, openService } from '../support/service.ts'
import type { Bench, BenchOptions, Figure } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'

/** Numbers of facilities of the groups that are measured; the first warms up. */
const SIZES = [10, 10, 100] as const
const LARGE_SIZES = [...SIZES, 1_000, 10_000] as const
/** Facilities of the group that the built program calculates while it answers `/health`. */
const HEALTH_FACILITIES = sized(1_000, 100)
const PERIOD = '2026-05-01'
const LIMIT_KWH = '6000000.000'
/** Of ten facilities, how many have a plant only. */
const PLANTS_OF_TEN = 4

const ADD_FACTS = `
  insert into hourly_energy (tenant_id, facility_id, hour, source, measurement_role, production_kwh, consumption_kwh,
    data_quality, completeness_pct, computed_at)
  select m.tenant_id, m.facility_id, hour, 'zeus_meter',
    case m.member_role when 'production' then 'main_production' else 'main_consumption' end,
    case m.member_role when 'production' then
      round((greatest(0, 400 * sin((extract(hour from hour) - 3) * pi() / 12)) * (0.5 + random()))::numeric, 3) end,
    case m.member_role when 'consumption' then round((60 + 90 * random())::numeric, 3) end,
    'complete', 100, now()
  from group_member m, generate_series($3::timestamptz, $4::timestamptz, '1 hour') as hour
  where m.tenant_id = $1 and m.group_id = $2`

/** A group of plants and consumers with one fact for each hour of the period. */
async function makeLargeGroup(
  { deps, tenant, databaseUrl }: BenchService,
  facilities: number,
): Promise<string> {
  const range = periodRange(PERIOD)
  const members = Array.from({ length: facilities }, (_, index): MemberSpec => {
    if (index % 10 < PLANTS_OF_TEN) return { role: 'production' }
    return { role: 'consumption', limits: { [localYear(range.from)]: LIMIT_KWH } }
  })
  const group = await makeGroup(deps, tenant, { members })
  await ensurePartitions(deps.database, 'hourly_energy', [PERIOD])
  // A client of its own: the statement takes longer than those of the service may.
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('alter table hourly_energy drop constraint if exists hourly_energy_facility_fkey')
  await client.query(ADD_FACTS, [tenant.id, group.id, new Date(range.from), new Date(range.to - HOUR_MS)])
  await client.query('vacuum analyze hourly_energy')
  await client.end()
  return group.id
}

/** Requests `/health` of the built program while it calculates a month on request. */
async function measureHealth(): Promise<HealthTimes> {
  // The program runs at the present time, as does the token.
  const service = await openService(Date.now())
  try {
    await makePriceSet(service.deps, addMonths(PERIOD, -1), INDUSTRIAL_PRICES)
    return await healthOfProgram(service, await makeLargeGroup(service, HEALTH_FACILITIES))
  } finally {
    await service.stop()
  }
}

function healthOfProgram(service: BenchService, groupId: string): Promise<HealthTimes> {
  const { token } = service.tenant.admin
  return withProgram(service, { LOG_LEVEL: 'warn' }, async (program) => {
    const calculate = async () => {
      const response = await fetch(`${program.url}/api/mahsuplasma/groups/${groupId}/calculate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ billing_period: PERIOD }),
      })
      if (response.status !== 201) throw new Error(`the calculation answered ${response.status}`)
      await response.arrayBuffer()
    }
    return healthMeanwhile(program, calculate())
  })
}

interface Round extends MonthsDone {
  readonly facilities: number
}

async function measureGroup(service: BenchService, worker: Worker, facilities: number): Promise<Round> {
  const groupId = await makeLargeGroup(service, facilities)
  const range = periodRange(PERIOD)
  const { databaseUrl, tenant } = service
  const task = { databaseUrl, tenantId: tenant.id, now: range.to + HOUR_MS, range, groupIds: [groupId] }
  return { facilities, ...(await worker.ask<MonthsDone>(task satisfies MonthsTask)) }
}

const megabytes = ({ peakBytes }: Round) => `${(peakBytes / 1e6).toFixed(0)} MB`

const figuresOf = (rounds: readonly Round[]): Figure[] => {
  const [first] = rounds
  return rounds.flatMap((round) => {
    const perFacility = round.tookMs / round.facilities
    const smallest = first ? first.tookMs / first.facilities : Number.NaN
    return [
      {
        name: `month of a group of ${round.facilities} facilities, per facility (${first?.facilities} facilities)`,
        measured: `${perFacility.toFixed(1)} ms (${(round.cpuMs / round.facilities).toFixed(1)} ms of processor time)`,
        against: `${smallest.toFixed(1)} ms`,
        ratio: perFacility / smallest,
        aim: round === first ? '' : '<= 1.2',
      },
      {
        name: `peak memory of the process, ${round.facilities} facilities (${first?.facilities} facilities)`,
        measured: megabytes(round),
        against: first ? megabytes(first) : '',
        ratio: first ? round.peakBytes / first.peakBytes : undefined,
        aim: '',
      },
      {
        name: `longest wait of the event loop meanwhile, ${round.facilities} facilities (50 ms)`,
        measured: `${round.blockedMs.toFixed(0)} ms`,
        against: '50 ms',
        ratio: round.blockedMs / 50,
        aim: '<= 1',
      },
    ]
  })
}

const healthFigure = ({ slowestMs, p99Ms, requests }: HealthTimes): Figure => ({
  name: `/health during a month of ${HEALTH_FACILITIES} facilities, the slowest of ${requests} requests (50 ms)`,
  measured: `${slowestMs.toFixed(0)} ms (p99 ${p99Ms.toFixed(0)} ms)`,
  against: '50 ms',
  ratio: slowestMs / 50,
  aim: '<= 1',
})

async function measureMonths(isLarge: boolean): Promise<Figure[]> {
  const service = await openService(periodEnd(PERIOD) + HOUR_MS)
  try {
    await makePriceSet(service.deps, addMonths(PERIOD, -1), INDUSTRIAL_PRICES)
    const rounds: Round[] = []
    const worker = startWorker('calculate-months.ts')
    for (const size of isLarge ? LARGE_SIZES : SIZES) rounds.push(await measureGroup(service, worker, size))
    await worker.end()
    return figuresOf(rounds.slice(1))
  } finally {
    await service.stop()
  }
}

export const largeGroupBench: Bench = {
  name: 'large-group',
  run: async ({ isLarge }: BenchOptions) => [
    ...(await measureMonths(isLarge)),
    healthFigure(await measureHealth()),
  ],
}

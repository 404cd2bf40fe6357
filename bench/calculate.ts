import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../src/kernel/time.ts'
import { calculateRange } from '../src/modules/netting/index.ts'
import { addFacts, hourlyFacts } from '../test/support/energy.ts'
import { makeGroup } from '../test/support/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../test/support/prices.ts'
import { type BenchService, openService } from './support/service.ts'
import { type Bench, type Figure, median, timed } from './support/types.ts'

/** Four plants and six consumers, one of them with a plant of its own, over months of 30 and 31 days. */
const PRODUCERS = 4
const CONSUMERS = 5
/** The first is for warming up: a service that nets every hour is warm. */
const PERIODS = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01']
const NOW = periodEnd('2026-08-01') + HOUR_MS
const LIMIT_KWH = '6000000.000'

/** Tables of a run, without the ids that the copy gives anew. */
const TABLES = ['calculation_hour', 'virtual_meter_hour', 'amount', 'limit_usage_hour'] as const
type Table = (typeof TABLES)[number]

/** A day's sun and a working day's load, in kWh, different for every facility and day. */
const sun = (hour: number, place: number): string =>
  Math.max(
    0,
    400 * Math.sin(((hour % 24) - 6) * (Math.PI / 12)) * (1 + ((hour * 7 + place) % 11) / 20),
  ).toFixed(3)
const load = (hour: number, place: number): string =>
  (60 + (((hour % 24) * 13 + place * 29 + Math.floor(hour / 24) * 5) % 90)).toFixed(3)

async function createGroup({ deps, tenant }: BenchService): Promise<string> {
  const group = await makeGroup(deps, tenant, {
    members: [
      ...Array.from({ length: PRODUCERS }, () => ({ role: 'production' }) as const),
      ...Array.from(
        { length: CONSUMERS },
        () => ({ role: 'consumption', limits: { 2026: LIMIT_KWH } }) as const,
      ),
      { role: 'mixed', meters: ['main_production', 'main_consumption'], limits: { 2026: LIMIT_KWH } },
    ],
  })
  const range = { from: periodRange(PERIODS[0] ?? '').from, to: NOW }
  for (const [place, facility] of group.facilities.entries()) {
    if (facility.meters.main_production) {
      const fact = { facilityId: facility.id, role: 'main_production' } as const
      await addFacts(
        deps,
        tenant,
        hourlyFacts(range, fact, (hour) => ({ production: sun(hour, place) })),
      )
    }
    if (facility.meters.main_consumption) {
      const fact = { facilityId: facility.id, role: 'main_consumption' } as const
      await addFacts(
        deps,
        tenant,
        hourlyFacts(range, fact, (hour) => ({ consumption: load(hour, place) })),
      )
    }
  }
  return group.id
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const columnsOf = async (client: pg.Client, table: Table): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows.map((row) => row.name)
}

interface Copied {
  readonly statement: string
  readonly data: Buffer
}

/** What a run wrote, as ready-made COPY data under another run and group, so that the bare way costs no thought. */
async function copyRun(client: pg.Client, runId: string, as: { runId: string; groupId: string }) {
  const copies: Copied[] = []
  let rowCount = 0
  for (const table of TABLES) {
    const names = await columnsOf(client, table)
    const anew: Readonly<Record<string, string>> = {
      id: 'gen_random_uuid()',
      calculation_run_id: `'${as.runId}'::uuid`,
      group_id: `'${as.groupId}'::uuid`,
    }
    const select = `select ${names.map((name) => anew[name] ?? name).join(', ')} from ${table}
      where calculation_run_id = '${runId}'`
    const counted = await client.query<{ count: string }>(`select count(*) from (${select}) as rows`)
    rowCount += Number(counted.rows[0]?.count)
    const data = await collect(client.query(copyTo(`copy (${select}) to stdout (format binary)`)))
    copies.push({ statement: `copy ${table} (${names.join(', ')}) from stdin (format binary)`, data })
  }
  return { copies, rowCount }
}

/** The same rows into the same tables and indexes, in one transaction, by COPY. */
async function writeBare(
  client: pg.Client,
  { runId, groupId }: { runId: string; groupId: string },
  like: string,
  copies: readonly Copied[],
) {
  await client.query('begin')
  await client.query(
    `insert into calculation_run (tenant_id, id, group_id, billing_period, from_hour, to_hour, scenario, triggered_by,
       started_at, finished_at, input_hash, engine_version, is_current, status)
     select tenant_id, $2, $3, billing_period, from_hour, to_hour, scenario, triggered_by, started_at, finished_at,
       input_hash, engine_version, false, 'superseded' from calculation_run where id = $1`,
    [like, runId, groupId],
  )
  for (const { statement, data } of copies) {
    const sink: Writable = client.query(copyFrom(statement))
    await pipeline([data], sink)
  }
  await client.query('commit')
}

interface Place {
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
  { period, groupId, mirrorId, client }: Place,
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
  const groupId = await createGroup(service)
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
      name: `calculate a month of 10 facilities (${rowCount} rows)`,
      measured: ms(calculated),
      against: `${ms(bare)} COPY of its rows`,
      ratio: median(calculated) / median(bare),
      aim: '<= 3',
    },
    {
      name: 'calculate it again (nothing changed)',
      measured: ms(again),
      against: `${ms(calculated)} the first time`,
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

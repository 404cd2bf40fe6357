import { INGEST_CONNECTIONS } from '../../src/areas/metering/intake/limits.ts'
import { HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { bareBatches, copyAll } from '../support/bare-copy.ts'
import { sized } from '../support/effort.ts'
import { runSender } from '../support/run-sender.ts'
import type { SendTask } from '../support/sender.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'

const DEVICES = 1000
const REQUESTS = sized(240, 60)
const STEP_MS = 15_000
const ROUNDS = sized(3, 1)
const CONNECTIONS = 16
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const SAMPLES = DEVICES * REQUESTS

async function emptyTables({ deps }: BenchService): Promise<void> {
  await deps.database.owner.pool.query('truncate measurement, rollup_dirty_range')
  await deps.database.owner.pool.query('checkpoint').catch(() => {})
}

async function checkStored({ deps }: BenchService): Promise<void> {
  const { rows } = await deps.database.pool.query<{ count: string }>('select count(*) from measurement')
  if (Number(rows[0]?.count) !== SAMPLES)
    throw new Error(`${rows[0]?.count} of ${SAMPLES} samples are stored`)
}

async function bytesPerSample({ deps }: BenchService): Promise<number> {
  const { rows } = await deps.database.pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('measurement') where isleaf`,
  )
  return Number(rows[0]?.bytes) / SAMPLES
}

async function measure(service: BenchService): Promise<Figure[]> {
  const { deps, tenant, url, databaseUrl } = service
  const devices = await createDevices(service, DEVICES)
  await ensurePartitions(deps.database, 'measurement', [periodOf(HOUR)])
  const keys = devices.map(({ key }) => key)
  const batches = bareBatches({ tenantId: tenant.id, keys, startAt: HOUR, stepMs: STEP_MS, steps: REQUESTS })
  const task: SendTask = {
    url,
    token: tenant.operator.token,
    deviceIds: devices.map(({ id }) => id),
    startAt: HOUR,
    stepMs: STEP_MS,
    requests: REQUESTS,
    connections: CONNECTIONS,
  }
  const http: number[] = []
  const bare: number[][] = [[], []]
  let bytes = 0
  for (let round = 0; round < ROUNDS + 1; round++) {
    for (const connections of [1, INGEST_CONNECTIONS]) {
      await emptyTables(service)
      const tookMs = await copyAll(databaseUrl, batches, connections)
      if (round > 0) bare[connections - 1]?.push(tookMs)
    }
    await emptyTables(service)
    const tookMs = await runSender('sender.ts', task)
    if (round > 0) http.push(tookMs)
    await checkStored(service)
    bytes = await bytesPerSample(service)
  }
  const rate = (tookMs: readonly number[]) => (SAMPLES / median(tookMs)) * 1000
  const perSecond = (value: number) => `${Math.round(value / 1000)} k samples/s`
  const against = (connections: number): Figure => ({
    name: `ingest over HTTP to commit (bare COPY over ${connections})`,
    measured: perSecond(rate(http)),
    against: perSecond(rate(bare[connections - 1] ?? [])),
    ratio: rate(http) / rate(bare[connections - 1] ?? []),
    aim: connections === 1 ? '>= 0.5' : '>= 0.6',
  })
  return [
    against(1),
    against(INGEST_CONNECTIONS),
    {
      name: 'disk space per stored sample',
      measured: `${bytes.toFixed(0)} bytes`,
      against: '',
      ratio: undefined,
      aim: '',
    },
  ]
}

/** Twelve values a sample, a thousand samples a request, all within the running hour. */
export const ingestBench: Bench = {
  name: 'ingest',
  async run() {
    const service = await openService(HOUR + HOUR_MS - 1)
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}

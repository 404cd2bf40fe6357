import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { INGEST_BATCH_ROWS_MAX, INGEST_CONNECTIONS } from '../../src/areas/metering/intake/limits.ts'
import { HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { BinaryCopy } from '../../src/platform/db/binary-copy.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { sized } from '../support/effort.ts'
import { runSender } from '../support/run-sender.ts'
import { makeSample } from '../support/samples.ts'
import type { SendTask } from '../support/sender.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const DEVICES = 1000
const REQUESTS = sized(240, 120)
const STEP_MS = 15_000
const ROUNDS = sized(3, 2)
const CONNECTIONS = 16
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const SAMPLES = DEVICES * REQUESTS

const REGISTERS = new Set([
  'import_active_energy',
  'export_active_energy',
  'inductive_reactive_energy',
  'capacitive_reactive_energy',
])
const first = makeSample({ startAt: HOUR, stepMs: STEP_MS }, 0, 0)
const COLUMNS = ['tenant_id', 'device_key', 'ts', ...Object.keys(first.values)]

/** The same rows as prepared COPY data, so that the reference costs the client nothing. */
function bareBatches(tenantId: number, keys: readonly number[]): Buffer[] {
  const batches: Buffer[] = []
  const steps = INGEST_BATCH_ROWS_MAX / DEVICES
  for (let from = 0; from < REQUESTS; from += steps) {
    const copy = new BinaryCopy()
    for (let step = from; step < Math.min(REQUESTS, from + steps); step++) {
      for (const [device, key] of keys.entries()) {
        const { at, values } = makeSample({ startAt: HOUR, stepMs: STEP_MS }, device, step)
        copy.row(COLUMNS.length)
        copy.int4(tenantId)
        copy.int4(key)
        copy.timestamptz(at)
        for (const [name, value] of Object.entries(values)) {
          if (REGISTERS.has(name)) copy.int8(Math.round(value * 1e6))
          else copy.float8(value)
        }
      }
    }
    batches.push(copy.finish())
  }
  return batches
}

async function copyAll(url: string, batches: readonly Buffer[], connections: number): Promise<number> {
  const columns = COLUMNS.join(', ')
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(
        `create temp table staged on commit delete rows as select ${columns} from measurement with no data`,
      )
      return client
    }),
  )
  let next = 0
  const worker = async (client: pg.Client): Promise<void> => {
    for (let batch = batches[next++]; batch; batch = batches[next++]) {
      const bytes = batch
      await client.query('begin')
      const stream = client.query(copyFrom(`copy staged (${columns}) from stdin (format binary)`))
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve).on('error', reject)
        stream.end(bytes)
      })
      await client.query(
        `insert into measurement (${columns}) select ${columns} from staged on conflict do nothing`,
      )
      await client.query('commit')
    }
  }
  const tookMs = await timed(() => Promise.all(clients.map(worker)))
  await Promise.all(clients.map((client) => client.end()))
  return tookMs
}

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
  const batches = bareBatches(
    tenant.id,
    devices.map(({ key }) => key),
  )
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

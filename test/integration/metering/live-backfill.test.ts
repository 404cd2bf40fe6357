import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  emitSamples,
  joinLive,
  type LiveClient,
  type LiveClientOptions,
  sampleNames,
} from '../../support/metering/live.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const SINCE = NOW - 3_600_000

let api: TestApi
let tenant: TestTenant
let left: SecondProcess
let right: SecondProcess
let meter: TestDevice
const clients: LiveClient[] = []

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  left = await startSecondProcess(api, { mqttUrl: 'mqtt://broker.invalid' })
  right = await startSecondProcess(api, { mqttUrl: 'mqtt://broker.invalid' })
})
beforeEach(async () => {
  meter = await createDevice(api, tenant)
})
afterEach(async () => {
  api.clock.set(NOW)
  await Promise.all(clients.splice(0).map((client) => client.end()))
})
afterAll(async () => {
  await left.close()
  await right.close()
  await api.close()
})

async function join(order: LiveClientOptions, base = api.url): Promise<LiveClient> {
  const client = await joinLive(base, { token: tenant.viewer.token, ...order })
  clients.push(client)
  return client
}
const store = (device: TestDevice, at: number, values: Record<string, number>, ingest = api.deps.ingest) =>
  ingest.submit(tenant.id, [{ deviceId: device.id, at, values }])
const filled = ({ find }: LiveClient) => find(({ type }) => type === 'gap_filled')
const voltages = (client: LiveClient) => client.samples().map(({ values }) => values.voltage)

it('live backfill sends the gap since the given instant, oldest first, before live samples', async () => {
  for (const step of [3, 1, 2, -1, 0]) await store(meter, SINCE + step * 1_000, { voltage: step })
  const client = await join({ devices: [meter], since: SINCE })
  expect(await filled(client)).toEqual({
    type: 'gap_filled',
    since: new Date(SINCE).toISOString(),
    samples: 4,
  })
  // Late samples arrive live, whatever their timestamp.
  await store(meter, SINCE - 5_000, { voltage: 9 })
  await client.find(({ values }) => values?.voltage === 9)
  expect(voltages(client)).toEqual([0, 1, 2, 3, 9])
})

it('live backfill is sent only with since, also for a later subscription', async () => {
  await store(meter, SINCE, { voltage: 1 })
  const client = await join({ devices: [meter] })
  const other = await createDevice(api, tenant)
  await store(other, SINCE, { voltage: 2 })
  client.send({ type: 'subscribe', devices: [other.id, meter.id], since: new Date(SINCE).toISOString() })
  await filled(client)
  expect(voltages(client)).toEqual([2])
})

it('live backfill suppresses a late event of a sample already sent, but sends additional metrics', async () => {
  await store(meter, SINCE, { voltage: 1, current: 2 })
  const client = await join({ devices: [meter], since: SINCE })
  await filled(client)
  const late = (values: Record<string, number>) =>
    emitSamples(api, tenant.id, [{ deviceId: meter.id, at: SINCE, values }])
  late({ voltage: 1 })
  late({ voltage: 1, current: 2 })
  late({ voltage: 1, frequency: 50 })
  await client.find(({ values }) => values?.frequency === 50)
  expect(client.samples()).toHaveLength(2)
})

it('live backfill sends samples stored before, during and after its read exactly once', async () => {
  const { pool } = api.deps.database
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const around = async (...args: unknown[]) => {
    if ((args[0] as { name?: string }).name !== 'measurement_newest') return query(...args)
    await store(meter, SINCE + 1, { voltage: 1 })
    const rows = await query(...args)
    await store(meter, SINCE + 2, { voltage: 2 })
    return rows
  }
  await store(meter, SINCE, { voltage: 0 })
  Object.assign(pool, { query: around })
  try {
    const client = await join({ devices: [meter], since: SINCE })
    await filled(client)
    await store(meter, SINCE + 3, { voltage: 3 })
    await client.find(({ values }) => values?.voltage === 3)
    expect(voltages(client)).toEqual([0, 1, 2, 3])
  } finally {
    Object.assign(pool, { query })
  }
})

it('live backfill has no gaps or duplicates with concurrent writers in several processes', async () => {
  const seed = chooseSeed()
  const random = makeRandom(seed)
  const devices = await Promise.all([1, 2, 3].map(() => createDevice(api, tenant)))
  const expected = new Set<string>()
  let step = 0
  const write = async (): Promise<void> => {
    const samples = Array.from({ length: random.between(1, 4) }, () => {
      step += 1
      // Some are late: older than samples written before.
      const at = SINCE + (random.between(0, 4) === 0 ? 10_000 - step : 10_000 + step)
      return { deviceId: devices[step % 3]?.id ?? '', at, values: { voltage: step } }
    })
    await (random.between(0, 1) === 0 ? left : right).deps.ingest.submit(tenant.id, samples)
    for (const { deviceId, at } of samples) expected.add(`${deviceId} ${new Date(at).toISOString()}`)
  }
  const joining: Promise<LiveClient>[] = []
  const writers = [1, 2, 3].map(async () => {
    for (let round = 0; round < 50; round++) await write()
  })
  for (let count = 0; count < 12; count++) {
    await write()
    joining.push(join({ devices, since: SINCE }, random.between(0, 1) === 0 ? left.url : right.url))
  }
  await Promise.all(writers)
  for (const client of await Promise.all(joining)) {
    await expect.poll(() => client.samples().length, { interval: 5 }).toBeGreaterThanOrEqual(expected.size)
    await filled(client)
    expect(sampleNames(client.samples()).toSorted(), `SEED=${seed}`).toEqual([...expected].toSorted())
  }
})

it('live backfill covers at most a day and reports the truncation', async () => {
  await store(meter, NOW - 25 * 3_600_000, { voltage: 1 })
  await store(meter, NOW - 23 * 3_600_000, { voltage: 2 })
  const client = await join({ devices: [meter], since: NOW - 48 * 3_600_000 })
  await filled(client)
  expect(voltages(client)).toEqual([2])
  expect(client.messages[1]).toEqual({
    type: 'gap_truncated',
    since: '2026-11-18T09:30:00.000Z',
    devices: [{ device_id: meter.id, from: '2026-11-19T09:30:00.000Z' }],
  })
})

it('live backfill sends at most the newest 5,000 samples and reports the truncation', async () => {
  const samples = Array.from({ length: 5_010 }, (_, step) => ({
    deviceId: meter.id,
    at: SINCE + step,
    values: { voltage: step },
  }))
  await api.deps.ingest.submit(tenant.id, samples)
  const client = await join({ devices: [meter], since: SINCE })
  expect(await filled(client)).toMatchObject({ samples: 5_000 })
  expect(voltages(client)).toEqual(samples.slice(10).map(({ values }) => values.voltage))
  expect(client.messages[1]).toMatchObject({
    type: 'gap_truncated',
    devices: [{ device_id: meter.id, from: new Date(SINCE + 10).toISOString() }],
  })
})

it('live samples continue when the backfill read fails, and the failure is reported', async () => {
  const { pool } = api.deps.database
  await pool.query('alter table measurement rename to away')
  try {
    const client = await join({ devices: [meter], since: SINCE })
    await client.find(({ code }) => code === 'gap_not_filled')
    emitSamples(api, tenant.id, [{ deviceId: meter.id, at: SINCE, values: { voltage: 1 } }])
    await client.find(({ values }) => values?.voltage === 1)
  } finally {
    await pool.query('alter table away rename to measurement')
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressionMetrics, makeCompressor } from '../../../src/areas/metering/history/index.ts'
import { COMPRESS_TURN_DAYS } from '../../../src/areas/metering/history/limits.ts'
import { sealOldMonths } from '../../../src/areas/metering/storage/index.ts'
import { firstData } from '../../../src/areas/netting/hourly-energy/rebuild-store.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored, publishHistory, settleChunks } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
/** Midnight of Turkey, fifty days ago. */
const DAY = Date.parse('2026-10-01T00:00:00+03:00')
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const post = async (device: TestDevice, at: number, values: Record<string, number>) =>
  (await postSamples(api, tenant, [sample(device, at, values)])).body

/** A device with a sample at each full hour of the day. */
async function deviceWithDay(day = DAY): Promise<TestDevice> {
  const device = await createDevice(api, tenant)
  const samples = Array.from({ length: 24 }, (_, hour) =>
    sample(device, day + hour * HOUR_MS, { import_active_energy: 100 + hour / 8, voltage: 230.5 + hour }),
  )
  expect((await postSamples(api, tenant, samples)).status).toBe(201)
  return device
}

const stored = (device: TestDevice) => countStored(api, tenant.id, device.key)

async function readDay(device: TestDevice, day = DAY) {
  const query = new URLSearchParams({ from: iso(day), to: iso(day + DAY_MS), limit: '100' })
  const path = `/api/measurements/devices/${device.id}/samples?${query}`
  const { status, body, text } = await api.call('GET', path, { token: tenant.viewer.token })
  expect(status, text).toBe(200)
  return body
}

it('counts the samples of a compressed day without those of the next one', async () => {
  const device = await deviceWithDay()
  await post(device, DAY + DAY_MS, { voltage: 1 })
  await compressAll(api)
  expect(await stored(device)).toEqual({ rows: 0, chunks: 2, samples: 25 })
  const query = new URLSearchParams({ from: iso(DAY), to: iso(DAY + DAY_MS), limit: '1' })
  const path = `/api/measurements/devices/${device.id}/samples?${query}`
  const { headers } = await api.call('GET', path, { token: tenant.viewer.token })
  expect(headers.get('x-total-count')).toBe('24')
})

describe('the job', () => {
  it('deletes rows only after their chunk has been published for a while, and leaves younger days alone', async () => {
    const device = await deviceWithDay()
    await post(device, NOW - 35 * DAY_MS, { voltage: 1 })
    await post(device, NOW - 34 * DAY_MS, { voltage: 2 })
    await publishHistory(api)
    expect(await stored(device)).toEqual({ rows: 26, chunks: 1, samples: 24 })
    await publishHistory(api)
    expect(await stored(device)).toEqual({ rows: 26, chunks: 1, samples: 24 })
    await settleChunks(api)
    await publishHistory(api)
    expect(await stored(device)).toEqual({ rows: 2, chunks: 1, samples: 24 })
    await compressAll(api)
    expect(await stored(device)).toEqual({ rows: 2, chunks: 1, samples: 24 })
  })

  it('does nothing when the setting is 0', async () => {
    const device = await deviceWithDay()
    const config = { ...api.deps.config, compressAfterDays: 0 }
    await makeCompressor({ ...api.deps, config })(NOW)
    expect(await stored(device)).toEqual({ rows: 24, chunks: 0, samples: 0 })
  })

  it('publishes again instead of deleting a row that its chunk does not have', async () => {
    const device = await deviceWithDay()
    await publishHistory(api)
    await api.deps.database.pool.query(
      'update measurement set voltage = 1 where tenant_id = $1 and device_key = $2 and ts = $3',
      [tenant.id, device.key, iso(DAY)],
    )
    await settleChunks(api)
    await publishHistory(api)
    expect(await stored(device)).toEqual({ rows: 24, chunks: 1, samples: 24 })
    await compressAll(api)
    expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 24 })
    expect((await readDay(device))[0].values.voltage).toBe(1)
  })

  it('keeps every bit of rows in any order, also when they become rows again', async () => {
    const device = await createDevice(api, tenant)
    const key = [tenant.id, device.key]
    await api.deps.database.pool.query(
      `insert into measurement (tenant_id, device_key, ts, import_active_energy, voltage, current, extra) values
        ($1, $2, '2026-10-01T03:00:00.000001Z', 9007199254740993, 'NaN', 1 / 3.0, '{"ç": 1.50}'),
        ($1, $2, '2026-10-01T02:00:00Z', null, '-0', 5e-324, null),
        ($1, $2, '2026-10-01T01:00:00Z', -1, null, 1.7976931348623157e308, '{"a": null}')`,
      key,
    )
    const read = async () => {
      const text = 'select m::text from measurement m where tenant_id = $1 and device_key = $2 order by ts'
      return (await api.deps.database.pool.query<{ m: string }>(text, key)).rows.map(({ m }) => m)
    }
    const before = await read()
    expect(before).toHaveLength(3)
    await compressAll(api)
    expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 3 })
    await post(device, Date.parse('2026-10-01T04:00:00Z'), { voltage: 7 })
    expect((await read()).slice(0, 3)).toEqual(before)
    await compressAll(api)
    expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 4 })
  })

  it('lets tenants take turns, and continues where a run has ended', async () => {
    const [first, second] = [await createTenant(api), await createTenant(api)]
    const [large, small] = [await createDevice(api, first), await createDevice(api, second)]
    const samples = Array.from({ length: COMPRESS_TURN_DAYS + 5 }, (_, day) =>
      sample(large, DAY - day * DAY_MS, { voltage: 230 }),
    )
    await postSamples(api, first, samples)
    await postSamples(api, second, [sample(small, DAY, { voltage: 230 })])
    await makeCompressor(api.deps)(NOW)
    const publishedAt = async (tenantId: number, deviceKey: number) => {
      const { rows } = await api.deps.database.pool.query<{ at: number }>(
        `select extract(epoch from published_at)::float8 as at from measurement_chunk
         where tenant_id = $1 and device_key = $2 order by published_at`,
        [tenantId, deviceKey],
      )
      return rows.map(({ at }) => at)
    }
    const days = await publishedAt(first.id, large.key)
    const [turn = 0, ...others] = await publishedAt(second.id, small.key)
    expect([days.length, others]).toEqual([COMPRESS_TURN_DAYS + 5, []])
    expect(days.some((at) => at < turn) && days.some((at) => at > turn)).toBe(true)

    await settleChunks(api)
    const run = makeCompressor(api.deps, { runMaxMs: 0 })
    const rowsLeft = async () => (await countStored(api, first.id, large.key))?.rows ?? 0
    // A run without time does one device-day, and the next one does another.
    for (let runs = 0; (await rowsLeft()) > 0; runs++) {
      expect(runs).toBeLessThan(500)
      await run(NOW)
    }
  })

  it('reports a day that fails, keeps its rows, and continues with the next one', async () => {
    const device = await deviceWithDay()
    await post(device, DAY + DAY_MS, { voltage: 1 })
    await publishHistory(api)
    await settleChunks(api)
    await api.deps.database.pool.query(
      'update measurement_chunk set content = $3 where tenant_id = $1 and device_key = $2 and day = $4',
      [tenant.id, device.key, Buffer.from('damaged'), '2026-10-01'],
    )
    const { failures, rowsDeleted } = compressionMetrics(api.deps.metrics)
    const countOf = async (metric: typeof failures) => (await metric.get()).values[0]?.value ?? 0
    const [failed, deleted] = [await countOf(failures), await countOf(rowsDeleted)]
    await publishHistory(api)
    expect(await stored(device)).toMatchObject({ rows: 24, chunks: 2 })
    expect(await countOf(failures)).toBe(failed + 1)
    expect(await countOf(rowsDeleted)).toBeGreaterThan(deleted)
    await api.call('DELETE', `/api/devices/${device.id}`, { token: tenant.admin.token })
  })
})

describe('late samples of a compressed day', () => {
  it('are stored beside its samples, extend them, and are compressed with them later', async () => {
    const device = await deviceWithDay()
    await compressAll(api)
    expect(await post(device, DAY + 30 * 60_000, { voltage: 7 })).toMatchObject({ accepted: 1 })
    expect(await post(device, DAY, { current: 5 })).toMatchObject({ accepted: 1 })
    expect(await stored(device)).toEqual({ rows: 25, chunks: 1, samples: 24 })
    const read = await readDay(device)
    expect(read).toHaveLength(25)
    expect(read.slice(0, 2).map(({ values }: { values: object }) => values)).toEqual([
      { import_active_energy: 100, voltage: 230.5, current: 5 },
      { voltage: 7 },
    ])
    await compressAll(api)
    expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 25 })
    expect(await readDay(device)).toEqual(read)
  })

  it('that are stored already are duplicates, and conflicts are set aside', async () => {
    const device = await deviceWithDay()
    await compressAll(api)
    const repeated = { import_active_energy: 100, voltage: 230.5 }
    expect(await post(device, DAY, repeated)).toMatchObject({ accepted: 0, duplicates: 1 })
    expect(await post(device, DAY, { voltage: 999 })).toMatchObject({
      accepted: 0,
      set_aside: [{ index: 0 }],
    })
    expect((await readDay(device))[0].values).toEqual(repeated)
  })
})

it('a sealed month keeps its compressed samples readable, and refuses others', async () => {
  const day = Date.parse('2025-05-10T00:00:00+03:00')
  const device = await deviceWithDay(day)
  await compressAll(api)
  expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 24 })
  await sealOldMonths(api.deps, NOW)
  const read = await readDay(device, day)
  expect(read).toHaveLength(24)
  const repeated = { import_active_energy: 100, voltage: 230.5 }
  expect(await post(device, day, repeated)).toMatchObject({ accepted: 0, duplicates: 1 })
  expect(await post(device, day, { current: 3 })).toMatchObject({
    accepted: 0,
    set_aside: [{ reason: 'sealed_month' }],
  })
  expect(await post(device, day + 60_000, { voltage: 3 })).toMatchObject({
    accepted: 0,
    set_aside: [{ index: 0 }],
  })
  expect(await readDay(device, day)).toEqual(read)
  expect(await stored(device)).toEqual({ rows: 0, chunks: 1, samples: 24 })
})

it('the first data of a facility may be compressed', async () => {
  const device = await deviceWithDay()
  const { pool, kysely } = api.deps.database
  const { rows } = await pool.query<{ id: string }>(
    `with place as (insert into region (tenant_id, name) values ($1, 'r') returning id),
      sub as (insert into subregion (tenant_id, region_id, name) select $1, id, 's' from place returning id),
      plant as (insert into facility (tenant_id, subregion_id, name, valid_from)
        select $1, id, 'f', '2025-01-01' from sub returning id, subregion_id)
    insert into meter_assignment (tenant_id, subregion_id, device_id, facility_id, measurement_role, valid_from)
    select $1, subregion_id, $2, id, 'main_consumption', $3 from plant returning facility_id as id`,
    [tenant.id, device.id, iso(DAY)],
  )
  const facilityId = rows[0]?.id ?? ''
  const db = tenantDb(kysely, tenant.id)
  expect(await firstData(db, facilityId)).toBe(DAY)
  await compressAll(api)
  expect(await stored(device)).toMatchObject({ rows: 0 })
  expect(await firstData(db, facilityId)).toBe(DAY)
})

it('deleting a device deletes its chunks', async () => {
  const device = await deviceWithDay()
  await compressAll(api)
  const { status } = await api.call('DELETE', `/api/devices/${device.id}`, { token: tenant.admin.token })
  expect(status).toBe(204)
  expect(await stored(device)).toEqual({ rows: 0, chunks: 0, samples: 0 })
})

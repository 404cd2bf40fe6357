import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compressionMetrics, makeCompressor } from '../../../src/areas/metering/history/index.ts'
import { COMPRESS_TURN_DAYS } from '../../../src/areas/metering/history/limits.ts'
import { makeBatchWriter } from '../../../src/areas/metering/intake/batch-connection.ts'
import { SampleQueue } from '../../../src/areas/metering/intake/queue.ts'
import { Requests } from '../../../src/areas/metering/intake/requests.ts'
import { takeUpSealed } from '../../../src/areas/metering/intake/resubmit-sealed.ts'
import { storeBatch } from '../../../src/areas/metering/intake/write-store.ts'
import { clearOrphanedSamples, unsealMonth } from '../../../src/areas/metering/storage/index.ts'
import { firstData } from '../../../src/areas/netting/hourly-energy/rebuild-store.ts'
import { ERROR_TEXTS } from '../../../src/kernel/error-texts.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { untilLocked } from '../../support/lock-waits.ts'
import { compressAll, countStored, publishHistory, settleChunks } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { runOn } from '../../support/metering/storage.ts'
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

  it('waits for intake before a day, and passes over tenants that are not active', async () => {
    const [own, other] = [await deviceWithDay(), await createTenant(api)]
    const paused = await createDevice(api, other)
    await postSamples(api, other, [sample(paused, DAY, { voltage: 1 })])
    const { pool } = api.deps.database
    const setActive = (isActive: boolean) =>
      pool.query('update tenant set is_active = $2 where id = $1', [other.id, isActive])
    await setActive(false)
    const events: string[] = []
    const shares = [1, 0]
    const busyShare = () => {
      const share = shares.shift() ?? 0
      events.push(share > 0 ? 'busy' : 'quiet')
      return share
    }
    const connect = pool.connect.bind(pool)
    const watched = Object.assign(Object.create(pool), {
      connect: () => {
        events.push('a step')
        return connect()
      },
    })
    const database = Object.assign(Object.create(api.deps.database), { pool: watched })
    const ingest = { ...api.deps.ingest, busyShare }
    await makeCompressor({ ...api.deps, database, ingest })(NOW)
    expect(events.slice(0, 3)).toEqual(['busy', 'quiet', 'a step'])
    expect(await stored(own)).toMatchObject({ chunks: 1 })
    expect(await countStored(api, other.id, paused.key)).toMatchObject({ rows: 1, chunks: 0 })
    await setActive(true)
    // It is slow while intake stays busy, but continues.
    await makeCompressor({ ...api.deps, ingest: { ...ingest, busyShare: () => 1 } }, { runMaxMs: 0 })(NOW)
    await publishHistory(api)
    expect(await countStored(api, other.id, paused.key)).toMatchObject({ rows: 1, chunks: 1 })
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

it('a batch with samples of more compressed days than one transaction returns to the rows is stored once', async () => {
  const device = await createDevice(api, tenant)
  const days = Array.from({ length: 4 }, (_, day) => DAY - day * DAY_MS)
  await postSamples(
    api,
    tenant,
    days.map((day) => sample(device, day, { voltage: 230 })),
  )
  await compressAll(api)
  const { database, log } = api.deps
  const now = () => api.clock.now()
  let attempts = 0
  const store: Parameters<typeof makeBatchWriter>[0]['store'] = (connection, parts) => {
    attempts += 1
    return storeBatch({ database, connection, parts, now: now(), reopenMaxMs: -1 })
  }
  const queue = new SampleQueue({ writers: [makeBatchWriter({ database, log, store })], now })
  onTestFinished(() => queue.drain())
  const directory = { find: () => new Map([[device.id, device.key]]) }
  const requests = new Requests({ queue, directory, now }, { waitMs: 200_000 })
  const instants = [...days.map((day) => day + HOUR_MS), NOW - HOUR_MS]
  const samples = instants.map((at) => ({ deviceId: device.id, at, values: { voltage: 1 } }))
  const once = { accepted: instants.length, duplicates: 0, setAside: [] }
  expect(await requests.submit(tenant.id, samples)).toEqual(once)
  // Each attempt returns one day, and the last one stores the batch as well.
  expect(attempts).toBe(days.length)
  expect(await stored(device)).toEqual({
    rows: 2 * days.length + 1,
    chunks: days.length,
    samples: days.length,
  })
  await compressAll(api)
  expect(await stored(device)).toEqual({ rows: 1, chunks: days.length, samples: 2 * days.length })
})

it('a sealed month keeps the samples of days in every state, takes no others, and goes on when opened', async () => {
  const day = Date.parse('2025-05-10T00:00:00+03:00')
  const month = '2025-05'
  // An earlier attempt may have sealed it.
  expect((await runOn(api, 'storage', 'unseal', month)).code).toBe(0)
  const [compressed, reopened] = [await deviceWithDay(day), await deviceWithDay(day)]
  await compressAll(api)
  const published = await deviceWithDay(day)
  await publishHistory(api)
  const late = day + 30 * 60_000
  expect(await post(reopened, late, { voltage: 7 })).toMatchObject({ accepted: 1 })
  const devices = [compressed, reopened, published, await deviceWithDay(day)]
  const states = () => Promise.all(devices.map(stored))
  const before = await states()
  expect(before).toEqual([
    { rows: 0, chunks: 1, samples: 24 },
    { rows: 25, chunks: 1, samples: 24 },
    { rows: 24, chunks: 1, samples: 24 },
    { rows: 24, chunks: 0, samples: 0 },
  ])
  const readAll = () => Promise.all(devices.map((device) => readDay(device, day)))
  const read = await readAll()
  expect((await runOn(api, 'storage', 'seal', month)).code).toBe(0)

  const added = day + 60_000
  const repeated = { import_active_energy: 100, voltage: 230.5 }
  const samplesOf = (device: TestDevice) => [
    sample(device, day, repeated),
    sample(device, day, { current: 3 }),
    sample(device, day, { voltage: 999 }),
    sample(device, added, { voltage: 3 }),
  ]
  const sent = [...devices.flatMap(samplesOf), sample(compressed, NOW - HOUR_MS, { voltage: 1 })]
  const reasons = [undefined, 'sealed_month', 'conflicts_with_stored', 'sealed_month']
  const outcome = {
    accepted: 1,
    duplicates: devices.length,
    set_aside: devices.flatMap((_, device) =>
      reasons.flatMap((reason, index) =>
        reason ? [{ index: device * reasons.length + index, reason }] : [],
      ),
    ),
  }
  expect((await postSamples(api, tenant, sent)).body).toEqual(outcome)
  // A process with a clock behind learns from the database that the month is sealed, after it has reopened a day.
  api.clock.set(Date.parse('2026-10-13T00:00:00+03:00'))
  try {
    expect((await postSamples(api, tenant, sent.slice(0, -1))).body).toEqual({ ...outcome, accepted: 0 })
  } finally {
    api.clock.set(NOW)
  }
  await compressAll(api)
  expect(await states()).toEqual([{ ...before[0], rows: 1 }, ...before.slice(1)])
  expect(await readAll()).toEqual(read)

  expect((await runOn(api, 'storage', 'unseal', month)).out).toContain(`${2 * devices.length} samples`)
  const opened = await readAll()
  for (const [index, samples] of opened.entries()) {
    expect(samples).toHaveLength((read[index]?.length ?? 0) + 1)
    expect(samples[0].values).toEqual({ ...repeated, current: 3 })
  }
  await compressAll(api)
  await compressAll(api)
  expect((await runOn(api, 'storage', 'seal', month)).code).toBe(0)
  expect(await states()).toEqual([
    { rows: 1, chunks: 1, samples: 25 },
    { rows: 0, chunks: 1, samples: 26 },
    { rows: 0, chunks: 1, samples: 25 },
    { rows: 0, chunks: 1, samples: 25 },
  ])
  expect(await readAll()).toEqual(opened)

  // Quarantined samples of many compressed days take longer than a request may, and are submitted again.
  expect(await post(compressed, added + 1, { voltage: 3 })).toMatchObject({ accepted: 0 })
  await unsealMonth(api.deps, `${month}-01`)
  const submissions = [
    () => Promise.reject(new AppError(503, 'SERVICE_OVERLOADED', ERROR_TEXTS.DATABASE_UNREACHABLE())),
  ]
  const submit: typeof api.deps.ingest.submit = (...sent) =>
    submissions.pop()?.() ?? api.deps.ingest.submit(...sent)
  const deps = { ...api.deps, ingest: { ...api.deps.ingest, submit } }
  expect(await takeUpSealed(deps, { from: day, to: day + DAY_MS })).toBe(1)
  expect(submissions).toEqual([])
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

describe('deleting a device', () => {
  const remove = ({ id }: TestDevice) =>
    api.call('DELETE', `/api/devices/${id}`, { token: tenant.admin.token })

  it('deletes its chunks and rows while they are compressed, and those of no other device', async () => {
    const [device, other] = [await deviceWithDay(), await deviceWithDay()]
    await compressAll(api)
    for (const each of [device, other]) await post(each, DAY + HOUR_MS / 2, { voltage: 1 })
    // A step of the job: it has locked the chunk, and deletes the rows.
    const { pool } = api.deps.database
    const step = await pool.connect()
    onTestFinished(() => step.release(true))
    const key = [tenant.id, device.key]
    const ofDevice = 'where tenant_id = $1 and device_key = $2'
    await step.query('begin')
    await step.query(`select 1 from measurement_chunk ${ofDevice} for update`, key)
    const removed = remove(device)
    await untilLocked(api.deps.database)
    expect((await step.query(`delete from measurement ${ofDevice}`, key)).rowCount).toBe(25)
    await step.query('commit')
    expect((await removed).status).toBe(204)
    const nothing = { rows: 0, chunks: 0, samples: 0 }
    expect(await stored(device)).toEqual(nothing)
    // Another one, which had read the rows before, publishes them after the deletion.
    await pool.query(
      `insert into measurement_chunk select tenant_id, $2, day, samples, metrics, content, has_rows, published_at
        from measurement_chunk where tenant_id = $1 and device_key = $3`,
      [...key, other.key],
    )
    await clearOrphanedSamples(api.deps, new AbortController().signal)
    expect(await stored(device)).toEqual(nothing)
    expect(await stored(other)).toEqual({ rows: 25, chunks: 1, samples: 24 })
  })
})

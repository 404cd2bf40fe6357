import { randomUUID } from 'node:crypto'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { citusNodes } from '../../support/citus.ts'
import { connectGateway, createDevice, createGateway, telemetry } from '../../support/field/mqtt.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { type DashboardFixture, setUpDashboard } from '../../support/insight/widgets.ts'
import { untilLocked } from '../../support/lock-waits.ts'
import { countStored, publishHistory, settleChunks } from '../../support/metering/history.ts'
import { postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { makeGroup, type TestGroup } from '../../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/**
 * What the service returns for samples of past days, over HTTP, is the same when they are rows, when some of the days
 * are chunks, and when all are. Late samples of MQTT and OCPP are stored once, although the transaction that has
 * reopened their day is killed before its commit.
 */
const NOW = Date.parse('2026-11-20T09:30:00Z')
const RANGE = { from: Date.parse('2026-10-01T00:00:00+03:00'), to: Date.parse('2026-10-05T00:00:00+03:00') }
const STEP_MS = HOUR_MS / 2

let api: TestApi
let tenant: TestTenant
let dashboard: DashboardFixture
let meter: TestDevice

beforeAll(async () => {
  api = await startOcppApi({ now: iso(NOW), mqtt: true })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  dashboard = await setUpDashboard(api, tenant)
  meter = await dashboard.device({ reporting_interval_s: 1800 })
  await fill(meter, 'import_active_energy')
})
afterAll(() => api.close())

const get = async (path: string) => {
  const { status, text, headers } = await api.call('GET', path, { token: tenant.viewer.token })
  expect(status, text).toBe(200)
  return `${headers.get('x-total-count')} ${text}`
}
const post = async (path: string, body: object) => {
  const response = await api.call('POST', path, { token: tenant.admin.token, body })
  expect(response.status, response.text).toBeLessThan(300)
  return response
}

/** A register that grows unevenly, with a gap of hours and a value that falls. */
async function fill(device: TestDevice, register: string): Promise<void> {
  const samples = []
  let value = 1_000
  for (let step = 0; RANGE.from + step * STEP_MS <= RANGE.to; step++) {
    value = step === 120 ? 5 : value + ((step * 7) % 11) / 8
    if (step % 100 >= 7)
      samples.push(
        sample(device, RANGE.from + step * STEP_MS, { [register]: value, active_power: (step % 90) / 7 }),
      )
  }
  const { status, body, text } = await postSamples(api, tenant, samples)
  expect([status, body.accepted], text).toEqual([201, samples.length])
}

async function makeSite(): Promise<TestGroup> {
  const group = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production', reportingIntervalS: 1800 },
      { role: 'consumption', reportingIntervalS: 1800, limits: { 2026: '9000.000' } },
    ],
  })
  const [producer, consumer] = group.facilities
  const deviceOf = (one: { deviceId: string; deviceKey: number } | undefined): TestDevice => ({
    id: one?.deviceId ?? '',
    key: one?.deviceKey ?? 0,
  })
  await fill(deviceOf(producer?.meters.main_production), 'production_active_energy')
  await fill(deviceOf(consumer?.meters.main_consumption), 'import_active_energy')
  return group
}

const hours = { from_hour: iso(RANGE.from), to_hour: iso(RANGE.to) }

/** Derives the facts of the range from the samples; returns how many changed. */
async function rebuild({ facilities }: TestGroup): Promise<number> {
  let changed = 0
  for (const { id } of facilities) {
    const built = await post(`/api/mahsuplasma/facilities/${id}/hourly-energy/rebuild`, hours)
    changed += built.body.rows_upserted
  }
  return changed
}

const calculate = async ({ id }: TestGroup) =>
  (await post(`/api/mahsuplasma/groups/${id}/calculate`, hours)).body

const withoutKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !/(^|_)(id|ids|at|name)$/.test(name)))
    : value

/** The results of a group, without what names it. */
async function resultsOf({ id }: TestGroup): Promise<unknown[]> {
  const read = async (path: string) => {
    const { status, text, body } = await api.call('GET', `/api/mahsuplasma/groups/${id}/${path}`, {
      token: tenant.viewer.token,
    })
    expect(status, text).toBe(200)
    return JSON.parse(JSON.stringify(body, withoutKeys))
  }
  return Promise.all(['hourly', 'amounts', 'monthly-summary'].map(read))
}

/** What the API returns for the meter. */
async function readViews(charging: ChargingFixture): Promise<Record<string, string>> {
  const id = meter.id
  const range = `from=${iso(RANGE.from)}&to=${iso(RANGE.to)}`
  const device = `/api/measurements/devices/${id}`
  const exported = (format: string, interval: string) =>
    fetch(`${api.url}/api/measurements/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        device_ids: [id],
        start: iso(RANGE.from),
        end: iso(RANGE.to),
        format,
        interval,
      }),
    })
  const textOf = async (interval: string) => (await exported('csv', interval)).text()
  const sheetOf = async (interval: string) =>
    JSON.stringify(await readSheet(Buffer.from(await (await exported('xlsx', interval)).arrayBuffer())))
  const [session] = await charging.sessions()
  const views: Record<string, string> = {
    samples: await get(`${device}/samples?${range}&limit=50`),
    raw: await textOf('raw'),
    daily: await textOf('daily'),
    'raw workbook': await sheetOf('raw'),
    'daily workbook': await sheetOf('daily'),
    session: await get(`/api/ocpp/sessions/${session?.['id']}`),
    curve: await get(`/api/ocpp/sessions/${session?.['id']}/curve`),
  }
  for (const interval of ['hourly', 'daily', 'monthly'])
    views[interval] = await get(
      `${device}/aggregated?start=${iso(RANGE.from)}&end=${iso(RANGE.to)}&interval=${interval}`,
    )
  for (const [type, config] of [
    ['consumption_chart', { device_id: id, period: 'last_month' }],
    ['consumption_numeric', { device_id: id, period: 'last_month' }],
    ['cost_numeric', { device_id: id, period: 'last_month', abone_grubu: 'sanayi' }],
    ['device_read_rate', { device_id: id, period: 'last_month' }],
  ] as const)
    views[type] = JSON.stringify(await dashboard.dataOf(type, config), withoutKeys)
  return views
}

const countRows = async (keys: readonly number[]): Promise<number> => {
  const { rows } = await api.deps.database.pool.query<{ count: number }>(
    'select count(*)::int as count from measurement where tenant_id = $1 and device_key = any($2)',
    [tenant.id, keys],
  )
  return rows[0]?.count ?? 0
}

it('results and reads are the same from rows, from some chunks, and from chunks alone', async () => {
  const { pool } = api.deps.database
  const charging = await openCharging(api, tenant)
  const { transactionId } = await charging.start({ at: '2026-10-03T08:00:00Z', meterStart: 1_000 })
  for (const [minute, wh] of [
    ['20', '1500'],
    ['40', '2750'],
  ] as const)
    await charging.meter(`2026-10-03T08:${minute}:00Z`, [{ value: wh }], { transactionId })
  await charging.stop({ transactionId, at: '2026-10-03T10:00:00Z', meterStop: 4_000 })
  const [first, second] = [await makeSite(), await makeSite()]
  await rollUpSettledHours(api.deps, NOW)
  expect(await rebuild(first)).toBeGreaterThan(150)
  await calculate(first)
  const results = await resultsOf(first)
  expect(results[0]).toHaveLength(4 * 24)
  const views = await readViews(charging)
  expect(views['raw']?.split('\n').length).toBeGreaterThan(150)
  expect(JSON.parse(views['raw workbook'] ?? '').length).toBeGreaterThan(150)
  const expectSame = async (state: string): Promise<void> => {
    expect(await rebuild(first), state).toBe(0)
    const read = await readViews(charging)
    for (const [name, text] of Object.entries(views)) expect(read[name], `${state}: ${name}`).toBe(text)
  }

  const keys = [first, second].flatMap(({ facilities }) =>
    facilities.flatMap(({ meters }) => Object.values(meters).map(({ deviceKey }) => deviceKey)),
  )
  const all = await countRows([...keys, meter.key])
  await publishHistory(api)
  await pool.query(
    `update measurement_chunk set published_at = '2000-01-01'
        where tenant_id = $1 and extract(day from day)::int % 2 = 0`,
    [tenant.id],
  )
  await publishHistory(api)
  const half = await countRows([...keys, meter.key])
  expect([half > all / 3, half < all / 1.5]).toEqual([true, true])
  await expectSame('half of the days are chunks')

  await settleChunks(api)
  await publishHistory(api)
  expect(await countRows([...keys, meter.key])).toBe(0)
  await pool.query(
    `insert into rollup_dirty_range (tenant_id, device_key, from_hour, to_hour) values ($1, $2, $3, $4)`,
    [tenant.id, meter.key, iso(RANGE.from), iso(RANGE.to)],
  )
  await expectSame('all days are chunks, and the hours are computed from them')
  expect((await calculate(first)).noop_periods).toEqual(['2026-10-01'])
  expect(await rebuild(second)).toBeGreaterThan(150)
  await calculate(second)
  expect(await resultsOf(second)).toEqual(results)
  await charging.station.end()
})

it.skipIf(citusNodes.length > 0)(
  'late samples of MQTT and OCPP are stored once when the transaction that reopened their day is killed',
  { retry: 0 },
  async () => {
    const { database } = api.deps
    const day = Date.parse('2026-10-05T00:00:00+03:00')
    const gateway = await createGateway(api, tenant, randomUUID())
    const client = await connectGateway(api.mqttPort, gateway)
    const name = randomUUID()
    const remote = await createDevice(api, tenant, { name, gatewayId: gateway.id })
    const send = (...instants: number[]) =>
      client.publishAsync(
        'telemetry',
        telemetry(
          name,
          instants.map((ts) => ({ ts, v: { voltage: 230 } })),
        ),
        {
          qos: 1,
        },
      )
    await send(day, day + HOUR_MS, day + 2 * HOUR_MS)
    const charging = await openCharging(api, tenant)
    const { transactionId } = await charging.start({ at: iso(day), meterStart: 1_000 })
    const measure = (at: number, wh: number) =>
      charging.meter(iso(at), [{ value: String(wh) }], { transactionId })
    await measure(day + HOUR_MS, 2_000)
    const { rows } = await database.pool.query<{ id: string; key: number }>(
      `select id, key from device where tenant_id = $1 and (id = $2 or id in (
        select device_id from charger_connector where tenant_id = $1 and charger_id = $3 and connector_id = 1))
        order by id = $2 desc`,
      [tenant.id, remote, charging.charger.id],
    )
    const late = day + HOUR_MS / 2
    const senders = [() => send(late), () => measure(late, 1_500)]
    for (const [index, device] of rows.entries()) {
      await publishHistory(api)
      await settleChunks(api)
      await publishHistory(api)
      const before = await countStored(api, tenant.id, device.key)
      expect(before).toMatchObject({ rows: 0, chunks: 1 })
      // The row of the late sample is written last, and waits for one with the same key.
      const holder = await database.pool.connect()
      onTestFinished(() => holder.release(true))
      await holder.query('begin')
      await holder.query('insert into measurement (tenant_id, device_key, ts) values ($1, $2, $3)', [
        ...[tenant.id, device.key, iso(late)],
      ])
      const sent = senders[index]?.()
      await untilLocked(database)
      expect(await countStored(api, tenant.id, device.key)).toEqual(before)
      await database.pool.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(await countStored(api, tenant.id, device.key)).toEqual(before)
      await holder.query('rollback')
      await sent
      const samples = (before?.samples ?? 0) + 1
      expect(await countStored(api, tenant.id, device.key)).toEqual({ ...before, rows: samples })
      await publishHistory(api)
      await settleChunks(api)
      await publishHistory(api)
      expect(await countStored(api, tenant.id, device.key)).toEqual({ rows: 0, chunks: 1, samples })
      const text = await get(
        `/api/measurements/devices/${device.id}/samples?from=${iso(day)}&to=${iso(day + DAY_MS)}`,
      )
      expect(text.split(iso(late))).toHaveLength(2)
    }
    expect(rows).toHaveLength(2)
    await Promise.all([client.endAsync(), charging.station.end()])
  },
)

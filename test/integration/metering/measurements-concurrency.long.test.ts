import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  createDevice,
  postSamples,
  readAggregated,
  sample,
  type TestDevice,
  type TestSample,
} from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MINUTE = 60_000
let api: TestApi
let tenant: TestTenant
const devices: TestDevice[] = []

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  for (let index = 0; index < 8; index++) devices.push(await createDevice(api, tenant))
})
afterAll(() => api.close())

const START = Date.parse('2026-11-18T20:40:00Z')
/** The sample that device and minute determine. */
const fixed = (device: TestDevice, minute: number): TestSample =>
  sample(device, START + minute * MINUTE, { import_active_energy: minute / 4, voltage: 230 + (minute % 5) })

function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return list
    .map((item) => ({ item, rank: next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

const countStored = async () =>
  (
    await api.deps.database.pool.query<{ samples: string; sum: string }>(
      'select count(*) as samples, sum(import_active_energy) as sum from measurement where ' +
        'tenant_id = $1 and device_key = any($2)',
      [tenant.id, devices.map(({ key }) => key)],
    )
  ).rows[0]

describe('concurrent senders', () => {
  it('store each sample exactly once, with any sender and order', async () => {
    const all = devices.flatMap((device) => Array.from({ length: 240 }, (_, minute) => fixed(device, minute)))
    const requests = Array.from({ length: 60 }, (_, seed) => shuffled(all, seed + 1).slice(0, 700))
    const responses = await Promise.all(requests.map((samples) => postSamples(api, tenant, samples)))
    expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 201))
    const sent = new Set(requests.flat().map(({ device_id, timestamp }) => `${device_id}${timestamp}`))
    const accepted = responses.reduce((sum, { body }) => sum + body.accepted, 0)
    const duplicates = responses.reduce((sum, { body }) => sum + body.duplicates, 0)
    expect(accepted).toBe(sent.size)
    expect(accepted + duplicates).toBe(60 * 700)
    expect((await countStored())?.samples).toBe(String(sent.size))
  })

  it('merge concurrent parts of one sample without a loss', async () => {
    const device = await createDevice(api, tenant)
    const at = '2026-11-19T03:00:00Z'
    const parts = ['voltage', 'current', 'frequency', 'temperature', 'import_active_energy', 'a', 'b', 'c']
    const responses = await Promise.all(
      parts.flatMap((name, index) =>
        [1, 2].map(() => postSamples(api, tenant, [sample(device, at, { [name]: index })])),
      ),
    )
    expect(responses.reduce((sum, { body }) => sum + body.accepted, 0)).toBe(parts.length)
    const { body } = await api.call('GET', `/api/measurements/devices/${device.id}/samples?from=2026-11-19`, {
      token: tenant.viewer.token,
    })
    expect(body[0].values).toEqual(Object.fromEntries(parts.map((name, index) => [name, index])))
  })

  it('leave every hour right at the end, with concurrent roll-ups', async () => {
    const device = await createDevice(api, tenant)
    const minutes = shuffled([...Array(600).keys()], 7)
    const load = async () => {
      for (let from = 0; from < minutes.length; from += 40) {
        await postSamples(
          api,
          tenant,
          minutes.slice(from, from + 40).map((minute) => fixed(device, minute)),
        )
      }
    }
    let isLoading = true
    const roll = async () => {
      while (isLoading)
        await Promise.all([rollUpMarkedDevices(api.deps), rollUpSettledHours(api.deps, api.clock.now())])
    }
    const rolling = roll()
    await load()
    isLoading = false
    await rolling
    await rollUpMarkedDevices(api.deps)
    const path = `/devices/${device.id}/aggregated?start=2026-11-18&end=2026-11-20`
    const rows = await readAggregated(api, tenant, path)
    const whole = rows.slice(1, -1)
    expect(whole.map((row) => row.total_energy)).toEqual(whole.map(() => 15))
    expect(rows.reduce((sum, row) => sum + (row.total_energy ?? 0), 0)).toBeCloseTo(599 / 4, 9)
    const { rows: stored } = await api.deps.database.pool.query(
      'select sum(import_wh)::int as wh, sum(samples)::int as samples from measurement_hour where device_key = $1',
      [device.key],
    )
    expect(stored[0]).toEqual({ wh: (599 / 4) * 1000, samples: 600 })
  })
})

describe('database outage during intake', () => {
  const backwards = (device: TestDevice, minute: number) =>
    sample(device, START - minute * MINUTE, { import_active_energy: 9000 - minute, voltage: 230 })
  const killAll = () =>
    api.deps.database.pool
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
      )
      .catch(() => {})

  it('loses no sample that was answered with 201', async () => {
    const device = await createDevice(api, tenant)
    const requests = Array.from({ length: 60 }, (_, request) =>
      Array.from({ length: 50 }, (_, index) => backwards(device, request * 50 + index)),
    )
    let isSending = true
    const killing = (async () => {
      while (isSending) {
        await killAll()
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
    })()
    const stored: TestSample[] = []
    const send = async (samples: readonly TestSample[]) => {
      const response = await postSamples(api, tenant, samples)
      if (response.status === 201) stored.push(...samples)
      return response.status
    }
    const statuses: number[] = []
    for (let from = 0; from < requests.length; from += 6) {
      statuses.push(...(await Promise.all(requests.slice(from, from + 6).map(send))))
    }
    isSending = false
    await killing
    expect(stored.length).toBeGreaterThan(0)
    expect(statuses.filter((status) => ![201, 500, 503].includes(status))).toEqual([])
    const { rows } = await api.deps.database.pool.query<{ ts: Date }>(
      'select ts from measurement where device_key = $1',
      [device.key],
    )
    const there = new Set(rows.map(({ ts }) => ts.toISOString()))
    expect(stored.filter(({ timestamp }) => !there.has(timestamp))).toEqual([])
  })

  it('answers 503 with Retry-After when the database hangs, and sending again is safe', async () => {
    const device = await createDevice(api, tenant)
    const samples = [backwards(device, 1)]
    const holder = await api.deps.database.pool.connect()
    await holder.query('begin; lock table measurement in access exclusive mode')
    const response = await postSamples(api, tenant, samples)
    await holder.query('rollback')
    holder.release()
    expect(response.status).toBe(503)
    expect(response.body.error_code).toBe('SERVICE_OVERLOADED')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const again = await postSamples(api, tenant, samples)
    expect(again.body.accepted + again.body.duplicates).toBe(1)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOURS_CELLS_MAX } from '../../../src/areas/metering/aggregates/many-devices/limits.ts'
import { rollUpDevice } from '../../../src/areas/metering/rollup/index.ts'
import { DAY_MS, HOUR_MS, hoursOf, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  createDevice,
  postSamples,
  sample,
  type TestDevice,
  type TestSample,
} from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const START = NOW - 6 * DAY_MS
const seed = chooseSeed()
const random = makeRandom(seed)
const VARIANTS = { consumption: 'aggregated', production: 'aggregated-production' } as const
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** Readings of one or two registers with power, with gaps and resets. */
function samplesOf(device: TestDevice, from: number, to: number): TestSample[] {
  const samples: TestSample[] = []
  let register = random.between(0, 1000)
  for (let at = from; at < to; at += random.between(5, 90) * 60_000) {
    if (random.between(0, 40) === 0) at += random.between(1, 20) * HOUR_MS
    register += random.between(0, 50) / 10
    if (random.between(0, 80) === 0) register = 0
    const values: Record<string, number> = { active_power: random.between(-5, 20) }
    if (random.between(0, 9) > 0) values['import_active_energy'] = register
    if (device.key % 2 === 0 && random.between(0, 20) > 0) values['production_active_energy'] = register / 2
    if (at < to) samples.push(sample(device, at, values))
  }
  return samples
}

const read = async (path: string, query: Readonly<Record<string, string>>) =>
  api.call('GET', `/api/measurements/${path}?${new URLSearchParams(query)}`, { token: tenant.viewer.token })

interface Row {
  readonly timestamp: string
  readonly total_energy: number | null
  readonly is_estimated: boolean
  readonly data_quality: string
}

/** The hours of a device as the aggregate of the device has them. */
async function expectedOf(id: string, variant: keyof typeof VARIANTS, range: { from: number; to: number }) {
  const query = { start: iso(range.from), end: iso(range.to) }
  const { body } = await read(`devices/${id}/${VARIANTS[variant]}`, query)
  const rows = new Map((body.data as Row[]).map((row) => [row.timestamp, row]))
  const hours = hoursOf(range).map((hour) => rows.get(iso(hour)))
  return {
    device_id: id,
    total_energy: hours.map((row) => row?.total_energy ?? null),
    is_estimated: hours.map((row) => row?.is_estimated ?? false),
    data_quality: hours.map((row) => row?.data_quality ?? 'missing'),
  }
}

it(`the hours of many devices are those of each of them, rolled up or not (seed ${seed})`, async () => {
  const devices = await Promise.all(Array.from({ length: 6 }, () => createDevice(api, tenant)))
  for (const device of devices.slice(0, 5))
    await postSamples(api, tenant, samplesOf(device, START, NOW - DAY_MS))
  for (const { key } of devices.slice(0, 4))
    await rollUpDevice(api.deps, { tenantId: tenant.id, deviceKey: key })
  for (const device of devices.slice(2, 5))
    await postSamples(api, tenant, samplesOf(device, NOW - DAY_MS, NOW))
  for (const { key } of devices.slice(3, 4))
    await rollUpDevice(api.deps, { tenantId: tenant.id, deviceKey: key })
  // A late sample marks hours of a device that is rolled up.
  await postSamples(api, tenant, [
    sample(devices[3] ?? { id: '', key: 0 }, START + DAY_MS + 61_000, { active_power: 1 }),
  ])
  const hour = (days: number) => Math.floor((START + days * DAY_MS) / HOUR_MS) * HOUR_MS
  const ranges = [
    { from: hour(1), to: hour(2) },
    { from: hour(-1), to: hour(0.5) },
    { from: hour(4.8), to: hour(6) + HOUR_MS },
  ]
  for (const range of ranges)
    for (const variant of ['consumption', 'production'] as const) {
      const { status, body } = await read('hours', { start: iso(range.from), end: iso(range.to), variant })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        start: iso(range.from),
        end: iso(range.to),
        total: 6,
        skip: 0,
        limit: 1_000,
      })
      expect(body.timestamps).toEqual(hoursOf(range).map(iso))
      const ids = devices.map(({ id }) => id).sort()
      expect(body.devices).toEqual(await Promise.all(ids.map((id) => expectedOf(id, variant, range))))
    }
})

it('the devices are a page of all of the tenant, or of a gateway, and no others', async () => {
  const other = await createTenant(api)
  await createDevice(api, other)
  const query = { start: iso(START), end: iso(START + HOUR_MS) }
  const all = await read('hours', query)
  const page = await read('hours', { ...query, skip: '2', limit: '3' })
  expect(page.body).toMatchObject({ total: all.body.total, skip: 2, limit: 3 })
  expect(page.body.devices).toEqual(all.body.devices.slice(2, 5))
  expect((await read('hours', { ...query, gateway_id: randomUUID() })).body).toMatchObject({
    devices: [],
    total: 0,
  })
  const latest = await read('latest', { skip: '2', limit: '3', metrics: 'active_power' })
  const ids = (body: { devices: { device_id: string }[] }) => body.devices.map(({ device_id }) => device_id)
  expect(ids(latest.body)).toEqual(ids(page.body))
  expect(latest.body.total).toBe(all.body.total)
})

it('more hours than a response may have are refused', async () => {
  const days = HOURS_CELLS_MAX / 1_000 / 24 + 1
  const query = { start: iso(NOW - days * DAY_MS), end: iso(NOW) }
  const refused = await read('hours', query)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(String(HOURS_CELLS_MAX))
  expect((await read('hours', { ...query, limit: '10' })).status).toBe(200)
})

it('latest values of one metric are found in older samples where the newest has another one', async () => {
  const [both, older] = [await createDevice(api, tenant), await createDevice(api, tenant)]
  await postSamples(api, tenant, [
    sample(both, NOW - 60_000, { active_power: 3, import_active_energy: 12.5 }),
    sample(older, NOW - 120_000, { import_active_energy: 7.25 }),
    sample(older, NOW - 60_000, { active_power: 4 }),
  ])
  for (const [metrics, count] of [
    ['import_active_energy', 1],
    ['import_active_energy,active_power', 2],
  ] as const) {
    const { body } = await read('latest', { device_ids: `${both.id},${older.id}`, metrics })
    const values = body.devices.map(
      (device: { values: { metric: string; value: number }[] }) => device.values,
    )
    expect(values[0]).toHaveLength(count)
    expect(values[1].at(-1)).toMatchObject({ value: 7.25, timestamp: iso(NOW - 120_000) })
    expect(values[0].at(-1)).toMatchObject({ value: 12.5 })
  }
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  type AggregatedTestRow,
  createDevice,
  postSamples,
  readAggregated,
  sample,
  type TestDevice,
} from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let api: TestApi
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  other = await createTenant(api)
})
afterAll(() => api.close())

const at = (text: string): number => Date.parse(`${text}+03:00`)
const post = (samples: Parameters<typeof postSamples>[2]) => postSamples(api, tenant, samples)
const meter = (
  device: TestDevice,
  readings: Readonly<Record<string, number>>,
  name = 'import_active_energy',
) => post(Object.entries(readings).map(([time, value]) => sample(device, at(time), { [name]: value })))
const rows = (device: TestDevice, query: string, path = 'aggregated') =>
  readAggregated(api, tenant, `/devices/${device.id}/${path}?${query}`)
const energies = (list: readonly AggregatedTestRow[]) => list.map((row) => row.total_energy)
const rollAll = async () => {
  await rollUpMarkedDevices(api.deps)
  await rollUpSettledHours(api.deps, api.clock.now())
}
/** The response before the roll-up, which must equal the response after it. */
async function beforeAndAfter(read: () => Promise<AggregatedTestRow[]>): Promise<AggregatedTestRow[]> {
  const before = await read()
  await rollAll()
  expect(await read()).toEqual(before)
  return before
}

describe('aggregated consumption', () => {
  it('is the increase of the register by the hour, with the means of the measured values', async () => {
    const device = await createDevice(api, tenant)
    await post(
      [0, 15, 30, 45, 60, 75].map((minute) =>
        sample(device, at('2026-11-19T10:00') + minute * 60_000, {
          import_active_energy: 100 + minute / 60,
          inductive_reactive_energy: minute / 300,
          capacitive_reactive_energy: minute / 600,
          voltage: 230 + minute / 15,
          current: 4,
          active_power: 1,
          power_factor: 0.9,
        }),
      ),
    )
    const data = await beforeAndAfter(() => rows(device, 'start=2026-11-19T10:20&end=2026-11-19T11:30'))
    expect(data).toEqual([
      {
        timestamp: '2026-11-19T07:00:00.000Z',
        voltage_avg: 231.5,
        current_avg: 4,
        power_avg: 1,
        energy_kwh: 1,
        power_factor_avg: 0.9,
        total_energy: 1,
        total_reactive_energy: 0.3,
        power_factor: 0.9,
        voltage: 231.5,
        current: 4,
        is_estimated: false,
        data_quality: 'complete',
      },
      expect.objectContaining({ timestamp: '2026-11-19T08:00:00.000Z', total_energy: 0.25, voltage: 234.5 }),
    ])
  })

  it('returns whole Turkey-local buckets, identical under both paths', async () => {
    const device = await createDevice(api, tenant)
    await meter(device, { '2026-10-31T23:00': 10, '2026-11-01T01:00': 12 })
    const query = 'start=2026-10-15T12:00:00Z&end=2026-11-10&interval=monthly'
    const { body } = await api.call('GET', `/api/measurements/aggregated?device_id=${device.id}&${query}`, {
      token: tenant.viewer.token,
    })
    expect(body).toMatchObject({
      device_id: device.id,
      interval: 'monthly',
      start: '2026-09-30T21:00:00.000Z',
      end: '2026-11-30T21:00:00.000Z',
    })
    expect(body.data.map((row: AggregatedTestRow) => [row.timestamp, row.total_energy])).toEqual([
      ['2026-09-30T21:00:00.000Z', 1],
      ['2026-10-31T21:00:00.000Z', 1],
    ])
    expect(await beforeAndAfter(() => rows(device, query))).toEqual(body.data)
  })

  it('is estimated from power where the register is flat or absent, and null where nothing is known', async () => {
    const device = await createDevice(api, tenant)
    const hour = at('2026-11-18T08:00')
    await post([
      sample(device, hour + 60_000, { active_power: 2 }),
      sample(device, hour + 120_000, { active_power: 4 }),
      sample(device, hour + HOUR, { voltage: 230 }),
      sample(device, hour + 2 * HOUR, { active_power: 0 }),
      sample(device, hour + 3 * HOUR, { import_active_energy: 7, active_power: 0 }),
      sample(device, hour + 4 * HOUR, { import_active_energy: 7, active_power: 1.5 }),
      sample(device, hour + 5 * HOUR, { import_active_energy: 7 }),
    ])
    const data = await beforeAndAfter(() => rows(device, 'start=2026-11-18T08:00&end=2026-11-18T13:00'))
    expect(data.map((row) => [row.total_energy, row.is_estimated])).toEqual([
      [3, true],
      [null, false],
      [0, true],
      [0, false],
      [1.5, true],
    ])
  })

  it('distributes the increase across a gap, follows late samples, and continues after a reset', async () => {
    const device = await createDevice(api, tenant)
    await meter(device, { '2026-11-17T01:00': 0, '2026-11-17T02:00': 1, '2026-11-17T06:00': 9 })
    const query = 'start=2026-11-17T01:00&end=2026-11-17T10:00'
    const gap = await beforeAndAfter(() => rows(device, query))
    expect(gap.map((row) => [row.total_energy, row.is_estimated])).toEqual([
      [1, false],
      [2, false],
      [2, true],
      [2, true],
      [2, false],
      [null, false],
    ])
    await meter(device, { '2026-11-17T03:00': 2, '2026-11-17T04:00': 5, '2026-11-17T07:00': 0.5 })
    const healed = await beforeAndAfter(() => rows(device, query))
    expect(energies(healed)).toEqual([1, 1, 3, 2, 2, 0.5, null])
    await meter(device, { '2026-11-17T08:00': 1.5 })
    expect(energies(await beforeAndAfter(() => rows(device, query)))).toEqual([1, 1, 3, 2, 2, 0.5, 1, null])
  })

  it('is distributed to readings at any distance, which a late sample between them changes', async () => {
    const device = await createDevice(api, tenant)
    await meter(device, { '2026-10-01T00:00': 0, '2026-10-01T01:00': 1, '2026-10-11T01:00': 241 })
    const around = (day: string) => rows(device, `start=${day}T05:00&end=${day}T07:00`)
    expect(energies(await beforeAndAfter(() => around('2026-10-03')))).toEqual([1, 1])
    // Half of the time with a quarter of the increase, five days from the next reading on either side.
    await meter(device, { '2026-10-06T01:00': 61 })
    expect(energies(await beforeAndAfter(() => around('2026-10-03')))).toEqual([0.5, 0.5])
    expect(energies(await around('2026-10-09'))).toEqual([1.5, 1.5])
  })

  it('is right on a day of 22 hours and returns the two missing hours to their neighbours', async () => {
    const device = await createDevice(api, tenant)
    const start = at('2026-11-15T00:00')
    const hours = [...Array(25).keys()].filter((hour) => hour !== 3 && hour !== 4)
    await post(hours.map((hour) => sample(device, start + hour * HOUR, { import_active_energy: hour * 2 })))
    const hourly = await beforeAndAfter(() => rows(device, 'start=2026-11-15&end=2026-11-16'))
    expect(energies(hourly)).toEqual(Array(24).fill(2))
    expect(hourly.map((row) => row.is_estimated).indexOf(true)).toBe(3)
    const daily = await rows(device, 'start=2026-11-15&end=2026-11-16&interval=daily')
    expect(energies(daily)).toEqual([48])
  })

  it('is current at once: in the running hour, and after a sample that changes rolled-up hours', async () => {
    const device = await createDevice(api, tenant)
    await meter(device, { '2026-11-20T08:00': 1, '2026-11-20T09:00': 2, '2026-11-20T10:00': 3 })
    await rollAll()
    // 12:10 lies in the running hour and marks no hour dirty, and yet ends the gap that began at 10:00.
    await meter(device, { '2026-11-20T12:00': 7, '2026-11-20T12:10': 7.5 })
    const today = 'start=2026-11-20&end=2026-11-21'
    expect(energies(await rows(device, today))).toEqual([1, 1, 2, 2, 0.5])
    expect(energies(await rows(device, `${today}&interval=daily`))).toEqual([6.5])
    await meter(device, { '2026-11-20T11:00': 3.5 })
    expect(energies(await beforeAndAfter(() => rows(device, today)))).toEqual([1, 1, 0.5, 3.5, 0.5])
    expect(energies(await rows(device, 'start=2026-11-20T08:00&end=2026-11-20T12:00'))).toEqual([
      1, 1, 0.5, 3.5,
    ])
  })
})

describe('aggregated production', () => {
  it('reads the production register, and its means only from rolled-up hours', async () => {
    const device = await createDevice(api, tenant, { device_type: 'inverter' })
    await post(
      [0, 1, 2].map((hour) =>
        sample(device, at('2026-11-16T12:00') + hour * HOUR, {
          production_active_energy: 50 + hour * 4,
          inductive_reactive_energy: hour,
          voltage: 400,
        }),
      ),
    )
    const query = 'start=2026-11-16T12:00&end=2026-11-16T14:00'
    const row = { total_energy: 4, total_reactive_energy: null, voltage_avg: 400, is_estimated: false }
    const raw = await rows(device, query, 'aggregated-production')
    expect(raw).toEqual(
      [0, 1].map(() => expect.objectContaining({ ...row, voltage: null, current: null, power_factor: null })),
    )
    await rollAll()
    const rolled = await rows(device, query, 'aggregated-production')
    expect(rolled).toEqual([0, 1].map(() => expect.objectContaining({ ...row, voltage: 400 })))
    expect(energies(await rows(device, query))).toEqual([null, null])
  })

  it("uses an inverter's power with any sign, and another meter's by the sign of production", async () => {
    const hour = at('2026-11-16T12:00')
    const production = async (type: string, power: number) => {
      const device = await createDevice(api, tenant, { device_type: type })
      await post([sample(device, hour, { active_power: power })])
      const query = 'start=2026-11-16T12:00&end=2026-11-16T13:00'
      return energies(await rows(device, query, 'aggregated-production'))[0]
    }
    expect(await production('inverter', 3)).toBe(3)
    expect(await production('inverter', -3)).toBe(3)
    expect(await production('energy_analyzer', 3)).toBe(0)
    expect(await production('energy_analyzer', -3)).toBe(3)
  })
})

describe('parameters of aggregated consumption', () => {
  it('default to the last day by the hour', async () => {
    const device = await createDevice(api, tenant)
    const { body } = await api.call('GET', `/api/measurements/aggregated?device_id=${device.id}`, {
      token: tenant.viewer.token,
    })
    expect(body).toEqual({
      device_id: device.id,
      interval: 'hourly',
      start: '2026-11-19T09:00:00.000Z',
      end: '2026-11-20T10:00:00.000Z',
      data: [],
    })
  })

  it('are rejected for a negative or too long range and an unknown interval', async () => {
    const device = await createDevice(api, tenant)
    for (const query of [
      'start=2026-11-02&end=2026-11-01',
      'start=2025-01-01&end=2026-11-01',
      'start=2020-01-01&end=2026-11-01&interval=daily',
      'interval=weekly',
      'start=yesterday',
    ]) {
      const { status } = await api.call('GET', `/api/measurements/devices/${device.id}/aggregated?${query}`, {
        token: tenant.viewer.token,
      })
      expect([query, status]).toEqual([query, 422])
    }
  })

  it('answer a foreign device like an unknown one, byte for byte', async () => {
    const device = await createDevice(api, tenant)
    for (const path of ['aggregated', 'aggregated-production']) {
      const get = (id: string) =>
        api.call('GET', `/api/measurements/devices/${id}/${path}`, { token: other.viewer.token })
      const foreign = await get(device.id)
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe((await get(randomUUID())).text)
    }
  })
})

describe('conservation of energy through the API', () => {
  const step = fc.record({
    after: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(15, 30, 60) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 3000 }) },
    ),
    kind: fc.constantFrom('grow', 'grow', 'grow', 'grow', 'reset', 'stand', 'dip'),
    wh: fc.integer({ min: 0, max: 5000 }),
  })

  function series(steps: readonly { after: number; kind: string; wh: number }[]) {
    let time = at('2026-08-29T05:07')
    let value = 1000
    return steps.flatMap(({ after, kind, wh }) => {
      time += after * 60_000
      if (kind === 'dip') return [{ time, value: 0 }]
      if (kind === 'reset') value = wh / 1000
      if (kind === 'grow') value += wh / 1000
      return [{ time, value }]
    })
  }
  const sumWh = (list: readonly AggregatedTestRow[]) =>
    list.reduce((sum, row) => sum + Math.round((row.total_energy ?? 0) * 1000), 0)
  const inside = (list: readonly AggregatedTestRow[], from: number, to: number) =>
    list.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < to)

  async function checkSums(device: TestDevice) {
    const range = 'start=2026-08-01&end=2026-12-01'
    const [hours, days, months] = await Promise.all(
      ['hourly', 'daily', 'monthly'].map((interval) => rows(device, `${range}&interval=${interval}`)),
    )
    for (const day of days ?? []) {
      const from = Date.parse(day.timestamp)
      expect(sumWh([day])).toBe(sumWh(inside(hours ?? [], from, from + DAY)))
    }
    for (const month of months ?? []) {
      const from = Date.parse(month.timestamp)
      const local = new Date(from + 3 * HOUR)
      const to = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1) - 3 * HOUR
      expect(sumWh([month])).toBe(sumWh(inside(days ?? [], from, to)))
    }
    expect(sumWh(months ?? [])).toBe(sumWh(hours ?? []))
    return { hours, days, months }
  }

  it('hours sum to days and days to months to the Wh, with late samples and any roll-up progress', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 80 }),
        fc.integer({ min: 2, max: 5 }),
        async (steps, every) => {
          const device = await createDevice(api, tenant)
          const all = series(steps).map(({ time, value }) =>
            sample(device, time, { import_active_energy: value }),
          )
          await post(all.filter((_, index) => index % every !== 0))
          await checkSums(device)
          await rollAll()
          await post(all.filter((_, index) => index % every === 0))
          const before = await checkSums(device)
          await rollAll()
          expect(await checkSums(device)).toEqual(before)
          const inOrder = await createDevice(api, tenant)
          await post(
            series(steps).map(({ time, value }) => sample(inOrder, time, { import_active_energy: value })),
          )
          expect(await checkSums(inOrder)).toEqual(before)
        },
      ),
      { numRuns: 12 },
    )
  })
})

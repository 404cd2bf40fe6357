import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  api = await startApi({ now: '2026-11-05T12:00:00Z' })
  tenant = await createTenant(api)
  other = await createTenant(api)
})
afterAll(() => api.close())

const latest = (query: Readonly<Record<string, string>>, { viewer } = tenant) =>
  api.call('GET', `/api/measurements/latest?${new URLSearchParams(query)}`, { token: viewer.token })

describe('the latest values of many devices', () => {
  it('are the newest value of each metric with its time, unit and quality', async () => {
    const [meter, silent, old] = [
      await createDevice(api, tenant),
      await createDevice(api, tenant),
      await createDevice(api, tenant),
    ]
    const stored = await postSamples(api, tenant, [
      sample(meter, '2026-11-05T11:50:00Z', { active_power: 4, import_active_energy: 100.5, custom: 7 }),
      sample(meter, '2026-11-05T11:55:00Z', { active_power: 5 }),
      sample(old, '2026-11-05T10:00:00Z', { voltage: 230 }),
      sample(old, '2026-11-03T10:00:00Z', { current: 1 }),
    ])
    expect(stored.status).toBe(201)
    const { status, body } = await latest({ device_ids: [old.id, silent.id, meter.id, meter.id].join() })
    expect(status).toBe(200)
    expect(body).toEqual({
      timestamp: '2026-11-05T12:00:00.000Z',
      devices: [
        {
          ...{ device_id: old.id, is_online: expect.any(Boolean), last_seen: expect.any(String) },
          values: [
            {
              ...{ metric: 'voltage', value: 230, unit: 'V' },
              ...{ timestamp: '2026-11-05T10:00:00.000Z', quality: 'old' },
            },
          ],
        },
        { device_id: silent.id, is_online: false, last_seen: null, values: [] },
        {
          ...{ device_id: meter.id, is_online: true, last_seen: expect.any(String) },
          values: [
            {
              ...{ metric: 'active_power', value: 5, unit: 'kW' },
              ...{ timestamp: '2026-11-05T11:55:00.000Z', quality: 'current' },
            },
            {
              ...{ metric: 'custom', value: 7, unit: null },
              ...{ timestamp: '2026-11-05T11:50:00.000Z', quality: 'current' },
            },
            {
              ...{ metric: 'import_active_energy', value: 100.5, unit: 'kWh' },
              ...{ timestamp: '2026-11-05T11:50:00.000Z', quality: 'current' },
            },
          ],
        },
      ],
      total: 3,
      not_found_device_ids: [],
    })
    const some = await latest({ device_ids: `${meter.id},${old.id}`, metrics: 'active_power, current' })
    expect(some.body.devices.map(({ values }: { values: { metric: string }[] }) => values.length)).toEqual([
      1, 0,
    ])
    const aged = await latest({ device_ids: old.id, metrics: 'current', max_age_s: '604800' })
    expect(aged.body.devices[0].values).toMatchObject([{ metric: 'current', quality: 'old' }])
  })

  it('are found where the clock of a device is ahead, with all metrics and with named ones', async () => {
    const meter = await createDevice(api, tenant)
    const ahead = '2026-11-05T12:04:59.000Z'
    await postSamples(api, tenant, [sample(meter, ahead, { active_power: 6, voltage: 231 })])
    for (const metrics of ['', 'active_power', 'active_power,voltage']) {
      const { body } = await latest({ device_ids: meter.id, metrics })
      expect(body.devices[0].values[0]).toMatchObject({ metric: 'active_power', value: 6, timestamp: ahead })
    }
  })

  it('are the same as those of a search in all samples, whatever samples of a device have', async () => {
    const NOW = Date.parse('2026-11-05T12:00:00Z')
    const MINUTE = 60_000
    const names = ['active_power', 'voltage', 'current', 'import_active_energy', 'custom', 'other']
    /** The minutes before now of the samples of a device, and its metrics at each of them. */
    const plans: readonly (readonly [
      minutes: readonly number[],
      has: (index: number, name: number) => boolean,
    ])[] = [
      // All metrics but one in each sample; alternating; only the oldest of fifty, and of fifty-one.
      [[-4, 0, 5, 20], (_, name) => name !== 2],
      [[1, 2, 3, 4, 5], (index, name) => index % 2 === name % 2],
      [Array.from({ length: 50 }, (_, index) => index), (index, name) => name === 0 || index === 49],
      [Array.from({ length: 51 }, (_, index) => index), (index, name) => name === 0 || index === 50],
      // Silent for half an hour, a day and weeks; the last month only.
      [[29, 30, 31], (_, name) => name < 2],
      [[31, 90], (index, name) => name === index],
      [[2 * 24 * 60, 3 * 24 * 60], (_, name) => name < 3],
      [[20 * 24 * 60, 29 * 24 * 60], (index, name) => name > 3 - index],
      // More sets of metrics than are searched together.
      ...Array.from({ length: 12 }, (_, set) => {
        const has = (index: number, name: number) =>
          ((set + 3) >> name) % 2 === 1 || (index === 1 && name === 0)
        return [[3, 8], has] as const
      }),
    ]
    const devices = await Promise.all(
      plans.map(async ([minutes, has], device) => {
        const { id, ...rest } = await createDevice(api, tenant)
        const samples = minutes.map((minute, index) => {
          const pairs = names.flatMap((name, at) => (has(index, at) ? [[name, device + index / 4]] : []))
          return { at: NOW - minute * MINUTE, values: Object.fromEntries(pairs) as Record<string, number> }
        })
        const stored = samples.filter(({ values }) => Object.keys(values).length > 0)
        await postSamples(
          api,
          tenant,
          stored.map(({ at, values }) => sample({ id, ...rest }, new Date(at).toISOString(), values)),
        )
        return { id, samples: stored }
      }),
    )
    const ageDays = [1, 31]
    const asked = [
      '',
      'active_power',
      'custom',
      'voltage,custom',
      'active_power,voltage,import_active_energy',
    ]
    for (const days of ageDays)
      for (const metrics of asked) {
        const { body } = await latest({
          device_ids: devices.map(({ id }) => id).join(),
          max_age_s: String(days * 86_400),
          ...(metrics !== '' && { metrics }),
        })
        const wanted = metrics === '' ? names : metrics.split(',')
        const expected = devices.map(({ samples }) => {
          const searched = samples
            .filter(({ at }) => at >= NOW - days * 86_400_000)
            .sort((a, b) => b.at - a.at)
            .slice(0, 50)
          return wanted
            .flatMap((metric) => {
              const newest = searched.find(({ values }) => metric in values)
              return newest
                ? [{ metric, value: newest.values[metric], timestamp: new Date(newest.at).toISOString() }]
                : []
            })
            .sort((a, b) => (a.metric < b.metric ? -1 : 1))
        })
        const read = body.devices.map(
          ({ values }: { values: { metric: string; value: number; timestamp: string }[] }) =>
            values.map(({ metric, value, timestamp }) => ({ metric, value, timestamp })),
        )
        expect(read, `${metrics} of ${days} days`).toEqual(expected)
      }
  })

  it('of another tenant are answered like those of unknown devices', async () => {
    const meter = await createDevice(api, tenant)
    await postSamples(api, tenant, [sample(meter, '2026-11-05T11:50:00Z', { active_power: 4 })])
    const unknown = randomUUID()
    const { body } = await latest({ device_ids: `${meter.id},${unknown}` }, other)
    expect(body).toMatchObject({ devices: [], not_found_device_ids: [meter.id, unknown] })
  })

  it('are refused for texts that are no ids, and for more ids than a page of devices', async () => {
    const id = randomUUID()
    for (const device_ids of [`${id},x`, `${id},`, 'x'.repeat(36)])
      expect((await latest({ device_ids })).status).toBe(422)
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID()).join()
    expect((await latest({ device_ids: ids(200) })).body.not_found_device_ids).toHaveLength(200)
    const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`).join()
    const tooMany = await latest({ device_ids: ids(201) })
    expect(tooMany.status).toBe(422)
    expect(tooMany.text).toContain('at most 200 ids')
    expect((await latest({ device_ids: id, metrics: names(50) })).status).toBe(200)
    expect((await latest({ device_ids: id, metrics: names(51) })).status).toBe(422)
    const turkish = await api.call('GET', `/api/measurements/latest?device_ids=${'x'.repeat(36)}`, {
      token: tenant.viewer.token,
      headers: { 'accept-language': 'tr' },
    })
    expect(turkish.text).toContain('virgülle ayrılmış cihaz kimlikleri')
    expect((await latest({ device_ids: id, max_age_s: '2678401' })).status).toBe(422)
  })
})

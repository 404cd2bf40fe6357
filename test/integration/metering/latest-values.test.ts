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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkQuotas } from '../../../src/areas/admin/quotas/index.ts'
import { DAY_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createGateway,
  createDevice as createGatewayDevice,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const DEFAULT_DEVICES = 3
const SLOW = { timeout: 60_000, interval: 200 }

let api: TestApi
beforeAll(async () => {
  api = await startApi({
    mqtt: true,
    config: {
      quotas: { devices: DEFAULT_DEVICES, samples_per_day: null, storage_bytes: null, exports_per_day: null },
    },
  })
})
afterAll(() => api.close())

const outcome = ({ status, body }: ApiResponse) => [status, body?.error_code ?? body?.detail?.error_code]
const setQuotas = async (tenant: TestTenant, body: object) => {
  const path = `/api/v1/admin/tenants/${tenant.uid}/quotas`
  const response = await api.call('PUT', path, { token: tenant.superuser.token, body })
  expect(response.status, response.text).toBe(200)
}
const report = async (tenant: TestTenant) =>
  (await api.call('GET', '/api/quotas', { token: tenant.viewer.token })).body
const useOf = async (tenant: TestTenant, name: string) =>
  (await report(tenant)).quotas.find((quota: { name: string }) => quota.name === name)
const addDevice = (tenant: TestTenant) =>
  api.call('POST', '/api/devices', {
    token: tenant.admin.token,
    body: { name: `d ${Math.random()}`, device_type: 'energy_analyzer' },
  })
type Sender = Pick<TestTenant['admin'], 'token'>
const send = ({ token }: Sender, deviceId: string, minute: number, count = 1) =>
  api.call('POST', '/api/measurements', {
    token,
    body: {
      samples: Array.from({ length: count }, (_, index) => ({
        device_id: deviceId,
        timestamp: new Date(api.clock.now() - (minute + index + 1) * 60_000).toISOString(),
        values: { active_power: index },
      })),
    },
  })
const stored = async (tenant: TestTenant): Promise<number> => {
  const { rows } = await api.deps.database.pool.query(
    'select count(*)::int as count from measurement where tenant_id = $1',
    [tenant.id],
  )
  return rows[0].count
}
const check = () => checkQuotas(api.deps, { signal: new AbortController().signal })
const openAlarms = async (tenant: TestTenant) => {
  const { body } = await api.call('GET', '/api/alarms/incidents?limit=50', { token: tenant.viewer.token })
  return body.items
    .filter(
      ({ status, policy_name }: Record<string, string>) =>
        status !== 'closed' && policy_name === 'tenant_quota_used',
    )
    .map(({ severity, message }: Record<string, string>) => [severity, message])
}

describe('quotas of a tenant', () => {
  it('have the defaults of the settings, which a superuser replaces', async () => {
    const tenant = await createTenant(api)
    expect(await report(tenant)).toEqual({
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      quotas: [
        { name: 'devices', limit: DEFAULT_DEVICES, used: 0 },
        { name: 'samples_per_day', limit: null, used: 0 },
        { name: 'storage_bytes', limit: null, used: 0 },
        { name: 'exports_per_day', limit: null, used: 0 },
      ],
      samples_refused: 0,
      storage_measured_at: null,
    })
    await setQuotas(tenant, { devices: null, exports_per_day: 7 })
    expect(await useOf(tenant, 'devices')).toEqual({ name: 'devices', limit: null, used: 0 })
    expect(await useOf(tenant, 'exports_per_day')).toMatchObject({ limit: 7 })
    await setQuotas(tenant, {})
    expect(await useOf(tenant, 'devices')).toMatchObject({ limit: DEFAULT_DEVICES })
  })

  it('are set by superusers only', async () => {
    const tenant = await createTenant(api)
    for (const method of ['GET', 'PUT']) {
      const path = `/api/v1/admin/tenants/${tenant.uid}/quotas`
      const call = { token: tenant.admin.token, ...(method === 'PUT' && { body: {} }) }
      expect(outcome(await api.call(method, path, call))).toEqual([403, 'SUPERUSER_REQUIRED'])
    }
    const unknown = '/api/v1/admin/tenants/7d0f5d37-24cc-4c0b-9a3a-111111111111/quotas'
    expect((await api.call('GET', unknown, { token: tenant.superuser.token })).status).toBe(404)
  })
})

describe('the quota of devices', () => {
  it('refuses one more device with 409, also of concurrent requests', async () => {
    const tenant = await createTenant(api)
    const all = await Promise.all(Array.from({ length: DEFAULT_DEVICES + 2 }, () => addDevice(tenant)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(DEFAULT_DEVICES)
    const refused = all.filter(({ status }) => status !== 201)
    expect(refused.map(outcome)).toEqual([
      [409, 'DEVICE_QUOTA_EXCEEDED'],
      [409, 'DEVICE_QUOTA_EXCEEDED'],
    ])
    expect(await useOf(tenant, 'devices')).toMatchObject({ used: DEFAULT_DEVICES })
    const charger = { token: tenant.admin.token, body: { cpid: `CP-${tenant.id}` } }
    expect(outcome(await api.call('POST', '/api/ocpp/chargers', charger))).toEqual([
      409,
      'DEVICE_QUOTA_EXCEEDED',
    ])
    await setQuotas(tenant, { devices: DEFAULT_DEVICES + 1 })
    expect((await addDevice(tenant)).status).toBe(201)
  })
})

describe('the quota of samples', () => {
  it('refuses requests with 429 until the next local day, and stores everything before', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    await setQuotas(tenant, { samples_per_day: 5 })
    expect((await send(tenant.admin, meter.id, 0, 5)).status).toBe(201)
    const refused = await send(tenant.admin, meter.id, 10)
    expect(outcome(refused)).toEqual([429, 'SAMPLE_QUOTA_EXCEEDED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await stored(tenant)).toBe(5)
    await expect.poll(async () => (await useOf(tenant, 'samples_per_day')).used, SLOW).toBe(5)
    const key = await api.call('POST', '/api/api-keys', {
      token: tenant.admin.token,
      body: { name: 'Tomorrow', permissions: ['write:measurement'], expires_in_days: 2 },
    })
    api.clock.advance(DAY_MS)
    expect((await send({ token: key.body.key }, meter.id, 20)).status).toBe(201)
    api.clock.advance(-DAY_MS)
  })

  it('does not count samples that were stored before', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    await setQuotas(tenant, { samples_per_day: 3 })
    for (let repetition = 0; repetition < 4; repetition += 1)
      expect((await send(tenant.admin, meter.id, 0, 2)).status).toBe(201)
    await expect.poll(async () => (await useOf(tenant, 'samples_per_day')).used, SLOW).toBe(2)
  })

  it('acknowledges, counts and reports messages of gateways that are not stored', async () => {
    const tenant = await createTenant(api)
    const gateway = await createGateway(api, tenant, 'gateway')
    await createGatewayDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
    await setQuotas(tenant, { samples_per_day: 1 })
    const client = await connectGateway(api.mqttPort, gateway)
    const publish = (minute: number) => {
      const ts = api.clock.now() - minute * 60_000
      return client.publishAsync(
        'telemetry',
        telemetry('meter', [{ ts, v: { voltage: 230 } }], { seq: minute }),
        {
          qos: 1,
        },
      )
    }
    await publish(1)
    let minute = 1
    await expect
      .poll(async () => {
        minute += 1
        await publish(minute)
        return (await report(tenant)).samples_refused
      }, SLOW)
      .toBeGreaterThan(0)
    const before = await stored(tenant)
    await publish(minute + 1)
    expect(await stored(tenant)).toBe(before)
    await check()
    expect(await openAlarms(tenant)).toEqual([['critical', expect.stringContaining('were not stored today')]])
    await client.endAsync()
  })
})

describe('the quota of exports', () => {
  it('refuses one more export of a day with 429', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    await setQuotas(tenant, { exports_per_day: 2 })
    const start = () =>
      api.call('POST', '/api/measurements/export', {
        token: tenant.operator.token,
        body: {
          device_ids: [meter.id],
          ...{ start: '2026-11-01T00:00:00+03:00', end: '2026-11-02T00:00:00+03:00' },
          format: 'csv',
        },
      })
    const all = [await start(), await start(), await start()]
    expect(all.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(outcome(all[2] as ApiResponse)).toEqual([429, 'EXPORT_QUOTA_EXCEEDED'])
    expect(await useOf(tenant, 'exports_per_day')).toMatchObject({ used: 2, limit: 2 })
  })
})

describe('the quota of storage', () => {
  it('is estimated from statistics, and refuses samples and exports when it is used up', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    await send(tenant.admin, meter.id, 0, 500)
    await api.deps.database.pool.query('analyze')
    await check()
    const { used } = await useOf(tenant, 'storage_bytes')
    expect(used).toBeGreaterThan(10_000)
    expect((await report(tenant)).storage_measured_at).not.toBeNull()
    await setQuotas(tenant, { storage_bytes: 10_000 })
    const other = { token: tenant.operator.token, body: { device_ids: [meter.id], format: 'csv' } }
    const range = { start: '2026-11-01T00:00:00+03:00', end: '2026-11-02T00:00:00+03:00' }
    const exported = await api.call('POST', '/api/measurements/export', {
      ...other,
      body: { ...other.body, ...range },
    })
    expect(outcome(exported)).toEqual([409, 'STORAGE_QUOTA_EXCEEDED'])
    await expect
      .poll(async () => outcome(await send(tenant.admin, meter.id, 1000)), SLOW)
      .toEqual([429, 'STORAGE_QUOTA_EXCEEDED'])
  })
})

describe('the alarm tenant_quota_used', () => {
  it('opens at 80 per cent, becomes critical at 100 and closes below', async () => {
    const tenant = await createTenant(api)
    await setQuotas(tenant, { devices: 5 })
    for (let count = 0; count < 4; count += 1) await addDevice(tenant)
    await check()
    expect(await openAlarms(tenant)).toEqual([['warning', expect.stringContaining('4 of 5')]])
    await addDevice(tenant)
    await check()
    expect(await openAlarms(tenant)).toEqual([['critical', expect.stringContaining('5 of 5')]])
    await setQuotas(tenant, { devices: 50 })
    await check()
    expect(await openAlarms(tenant)).toEqual([])
  })
})

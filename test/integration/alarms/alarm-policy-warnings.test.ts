import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let deviceId: string

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  api.call(method, path, {
    token: tenant.admin.token,
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  })
const policy = (metric: string, more: object = {}) => ({
  name: `${metric} ${JSON.stringify(more)}`,
  alarm_type: 'threshold',
  metric,
  operator: 'gt',
  threshold: 10,
  severity: 'warning',
  ...more,
})
const codesOf = async (metric: string, more: object = {}): Promise<string[]> => {
  const { status, body } = await call('POST', '/api/alarms', policy(metric, more))
  expect(status).toBe(201)
  return body.warning_codes
}

describe('a policy on a metric', () => {
  it('without any device has a warning', async () => {
    expect(await codesOf('active_power')).toEqual(['ALARM_POLICY_WITHOUT_DEVICES'])
  })

  it('that a device sends has none, also for an extra value', async () => {
    const [row] = (
      await api.deps.database.pool.query<{ id: string }>(
        `insert into device (tenant_id, name, device_type, device_source)
         values ($1, 'meter', 'energy_analyzer', 'manual') returning id`,
        [tenant.id],
      )
    ).rows
    deviceId = row?.id ?? ''
    const values = { active_power: 1, oil_level: 3 }
    await api.deps.ingest.submit(tenant.id, [{ deviceId, at: api.clock.now() - 60_000, values }])
    expect(await codesOf('active_power', { severity: 'info' })).toEqual([])
    expect(await codesOf('oil_level')).toEqual([])
    expect(await codesOf('oil_level', { device_id: deviceId })).toEqual([])
  })

  it('that no device sends has a warning in the language of the client, and is stored', async () => {
    const { status, body } = await call('POST', '/api/alarms', policy('oil_levle'), {
      'accept-language': 'tr',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      warning_codes: ['ALARM_METRIC_NOT_SENT'],
      warning_details: [{ subject: body.id, parameters: { metric: 'oil_levle' } }],
    })
    expect(body.warnings[0]).toContain('oil_levle göndermedi')
    expect((await call('GET', `/api/alarms/${body.id}`)).body.metric).toBe('oil_levle')
    const corrected = await call('PUT', `/api/alarms/${body.id}`, { metric: 'oil_level' })
    expect(corrected.body.warning_codes).toEqual([])
    const wrong = await call('PUT', `/api/alarms/${body.id}`, { metric: 'oil' })
    expect(wrong.body.warning_codes).toEqual(['ALARM_METRIC_NOT_SENT'])
  })

  it('is not searched for the kinds without a metric', async () => {
    const offline = { name: 'offline', alarm_type: 'offline', severity: 'warning' }
    expect((await call('POST', '/api/alarms', offline)).body.warning_codes).toEqual([])
  })
})

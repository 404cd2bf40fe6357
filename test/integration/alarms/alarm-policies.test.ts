import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPolicy, deviceIncidents, startEvaluation } from '../../support/alarms/alarm-policies.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let evaluation: ReturnType<typeof startEvaluation>
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  evaluation = startEvaluation(api)
})
afterAll(async () => {
  await evaluation.stop()
  await api.close()
})

const call = (method: string, path: string, body?: unknown, token = tenant.operator.token) =>
  api.call(method, `/api/alarms${path}`, { token, ...(body !== undefined && { body }) })
const level = { name: 'p', alarm_type: 'threshold', severity: 'critical', metric: 'voltage' }

describe('alarm policies', () => {
  it('are created, read, changed and deleted', async () => {
    const device = await createDevice(api, tenant)
    const created = await call('POST', '', {
      ...level,
      operator: 'gte',
      threshold: '250.5',
      clear_threshold: 245,
      device_id: device.id,
      delay_on_s: 60,
      schedule: { windows: [{ days: [1, 2], from: '08:00', to: '18:00' }] },
      notify: ['in_app', 'email'],
    })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      unit: 'V',
      threshold: 250.5,
      clear_threshold: 245,
      is_active: true,
      delay_off_s: 0,
      schedule: { windows: [{ days: [1, 2], from: '08:00', to: '18:00' }] },
    })
    const path = `/${created.body.id}`
    const { warnings: _texts, warning_codes: _codes, warning_details: _details, ...stored } = created.body
    expect((await call('GET', path)).body).toEqual(stored)
    const changed = await call('PUT', path, { threshold: 260, schedule: null })
    expect(changed.body).toMatchObject({ threshold: 260, operator: 'gte', schedule: null })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', `?device_id=${device.id}`)).body).toMatchObject({ items: [], total: 0 })
  })

  it('are listed by filter and order, without system policies', async () => {
    const own = await createTenant(api)
    for (const name of ['a', 'b'])
      await createPolicy(api, own, { name, severity: name === 'a' ? 'info' : 'critical' })
    await createPolicy(api, own, { name: 'c', alarm_type: 'offline', is_active: false })
    const list = async (query: string) =>
      (await call('GET', `?${query}`, undefined, own.viewer.token)).body.items.map(
        ({ name }: { name: string }) => name,
      )
    expect(await list('sort_by=name&sort_order=asc')).toEqual(['a', 'b', 'c'])
    expect(await list('sort_by=severity&sort_order=desc')).toEqual(['b', 'c', 'a'])
    expect(await list('severity=critical')).toEqual(['b'])
    expect(await list('alarm_type=offline')).toEqual(['c'])
    expect(await list('is_active=true&sort_by=name')).toEqual(['b', 'a'])
    expect((await call('GET', '?sort_by=threshold')).status).toBe(422)
    expect((await call('POST', '', {}, own.viewer.token)).status).toBe(403)
  })

  it('do not expose system policies', async () => {
    const { rows } = await api.deps.database.pool.query(
      `insert into alarm_policy (tenant_id, name, alarm_type, severity, is_system)
       values ($1, 'netting_limit_low', 'limit', 'warning', true) returning id`,
      [tenant.id],
    )
    const unknown = await call('GET', `/${randomUUID()}`)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await call(method, `/${rows[0].id}`, method === 'PUT' ? {} : undefined)
      expect([response.status, response.text]).toEqual([404, unknown.text])
    }
  })

  it.each([
    [{ metric: null, operator: 'gt', threshold: 1 }, 'metric'],
    [{ operator: 'gt' }, 'threshold'],
    [{ threshold: 1 }, 'operator'],
    [{ operator: 'gt', threshold: 1, clear_threshold: 2 }, 'clear_threshold'],
    [{ operator: 'lt', threshold: 2, clear_threshold: 1 }, 'clear_threshold'],
    [{ operator: 'eq', threshold: 2, clear_threshold: 1 }, 'clear_threshold'],
    [{ operator: 'gt', threshold: 1, rate_per: 'hour' }, 'rate_per'],
    [
      { operator: 'gt', threshold: 1, schedule: { windows: [{ days: [1], from: '24:00', to: '08:00' }] } },
      'from',
    ],
    [{ alarm_type: 'limit' }, 'alarm_type'],
    [{ alarm_type: 'custom' }, 'alarm_type'],
    [{ alarm_type: 'rate_of_change', operator: 'eq', threshold: 1 }, 'operator'],
    [{ alarm_type: 'counter_reset' }, 'metric'],
    [{ alarm_type: 'offline' }, 'metric'],
    [{ alarm_type: 'offline', metric: null, threshold: 0 }, 'threshold'],
    [{ metric: 'volt\nage', operator: 'gt', threshold: 1 }, 'metric'],
    [{ metric: ' voltage', operator: 'gt', threshold: 1 }, 'metric'],
    [{ metric: 'voltage ', operator: 'gt', threshold: 1 }, 'metric'],
    [{ metric: '__proto__', operator: 'gt', threshold: 1 }, 'metric'],
    [{ alarm_type: 'no_data', metric: '\u200b', delay_on_s: 60 }, 'metric'],
    [{ alarm_type: 'no_data', delay_on_s: 59 }, 'delay_on_s'],
    [{ alarm_type: 'no_data', delay_on_s: 60, delay_off_s: 5 }, 'delay_off_s'],
    [{ operator: 'gt', threshold: 1, device_id: randomUUID(), subregion_id: randomUUID() }, 'subregion_id'],
  ])('reject contradicting fields: %j', async (body, field) => {
    const response = await call('POST', '', { ...level, ...body })
    expect(response.status).toBe(422)
    expect(response.text).toContain(field)
    const stored = await call('POST', '/preview', { policy: { ...level, ...body } })
    expect([stored.status, stored.text.includes(field)]).toEqual([422, true])
  })

  it.each(['voltage', 'ENERGY.Power.0', 'Sargı sıcaklığı', 'a'])('watch %s', async (metric) => {
    const response = await call('POST', '', { ...level, metric, operator: 'gt', threshold: 1 })
    expect([response.status, response.body.metric]).toEqual([201, metric])
    expect((await call('DELETE', `/${response.body.id}`)).status).toBe(204)
  })

  it('reject an unknown device or subregion and an invalid schedule', async () => {
    const body = { ...level, operator: 'gt', threshold: 1 }
    const foreign = await createDevice(api, await createTenant(api))
    for (const device of [randomUUID(), foreign.id]) {
      const response = await call('POST', '', { ...body, device_id: device })
      expect([response.status, response.body.error?.code ?? response.text]).toEqual([
        422,
        expect.stringContaining('INVALID_REFERENCE'),
      ])
    }
    const windows = [{ days: [8], from: '08:00', to: '18:00' }]
    expect((await call('POST', '', { ...body, schedule: { windows } })).status).toBe(422)
    expect((await call('POST', '', { ...body, schedule: { windows: [] } })).status).toBe(422)
  })

  it('close their incidents when they are changed, switched off or deleted', async () => {
    const device = await createDevice(api, tenant)
    const id = await createPolicy(api, tenant, { device_id: device.id })
    const now = () => api.clock.now()
    const statuses = async () =>
      (await deviceIncidents(api, tenant, { policy: id })).map(({ status }) => status)
    api.clock.advance(60_000)
    await evaluation.send(tenant, device, [[now(), 12]])
    expect(await statuses()).toEqual(['active'])
    api.clock.advance(1_000)
    await call('PUT', `/${id}`, { name: 'another name', severity: 'info' })
    expect(await statuses()).toEqual(['active'])
    await call('PUT', `/${id}`, { threshold: 11 })
    expect(await statuses()).toEqual(['closed'])
    api.clock.advance(60_000)
    await evaluation.send(tenant, device, [[now(), 12]])
    expect(await statuses()).toEqual(['closed', 'active'])
    await call('PUT', `/${id}`, { is_active: false })
    api.clock.advance(60_000)
    await evaluation.send(tenant, device, [[now(), 13]])
    expect(await statuses()).toEqual(['closed', 'closed'])
    await call('PUT', `/${id}`, { is_active: true })
    api.clock.advance(60_000)
    await evaluation.send(tenant, device, [[now(), 14]])
    await call('DELETE', `/${id}`)
    expect(await statuses()).toEqual(['closed', 'closed', 'closed'])
    const { rows } = await api.deps.database.pool.query(
      'select count(*)::int as n from sample_watch where tenant_id = $1 and device_key = $2',
      [tenant.id, device.key],
    )
    expect(rows[0].n).toBe(0)
  })
})

describe('maintenance windows', () => {
  it('keep incidents of a device from opening, and can be ended', async () => {
    const device = await createDevice(api, tenant)
    const id = await createPolicy(api, tenant, { device_id: device.id })
    const from = api.clock.now()
    const at = (minutes: number) => new Date(from + minutes * 60_000).toISOString()
    const created = await call('POST', '/maintenance', {
      device_id: device.id,
      from: at(0),
      to: at(60),
      note: 'oil',
    })
    expect([created.status, created.body.created_by]).toEqual([201, tenant.operator.id])
    api.clock.advance(10 * 60_000)
    await evaluation.send(tenant, device, [[from + 5 * 60_000, 12]])
    expect(await deviceIncidents(api, tenant, { policy: id })).toEqual([])
    expect((await call('DELETE', `/maintenance/${created.body.id}`)).status).toBe(204)
    expect((await call('GET', `/maintenance/${created.body.id}`)).body.to).toBe(at(10))
    api.clock.advance(60_000)
    await evaluation.send(tenant, device, [[from + 11 * 60_000, 12]])
    expect(await deviceIncidents(api, tenant, { policy: id })).toHaveLength(1)
  })

  it('require exactly one target and a future end', async () => {
    const device = await createDevice(api, tenant)
    const now = api.clock.now()
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    const good = { device_id: device.id, from: at(1), to: at(2) }
    const refused = async (body: object) => (await call('POST', '/maintenance', { ...good, ...body })).status
    expect(await refused({ device_id: null })).toBe(422)
    expect(await refused({ policy_id: randomUUID() })).toBe(422)
    expect(await refused({ device_id: randomUUID() })).toBe(422)
    expect(await refused({ device_id: null, policy_id: randomUUID() })).toBe(422)
    expect(await refused({ to: at(1) })).toBe(422)
    expect(await refused({ from: at(-5), to: at(0) })).toBe(422)
    expect(await refused({ to: at(60 * 24 * 400) })).toBe(422)
    const created = await call('POST', '/maintenance', good)
    const listed = await call('GET', `/maintenance?device_id=${device.id}&is_over=false&sort_by=from`)
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: created.body.id, from: at(1), to: at(2) }] })
    expect((await call('DELETE', `/maintenance/${created.body.id}`)).status).toBe(204)
    expect((await call('GET', `/maintenance/${created.body.id}`)).status).toBe(404)
  })
})

describe('alarm preview', () => {
  it('reports how often a policy would have fired with the same evaluation, and writes nothing', async () => {
    const device = await createDevice(api, tenant)
    const now = api.clock.now()
    const hour = 3_600_000
    await evaluation.send(
      tenant,
      device,
      [5, 12, 9, 7, 15, 20].map((power, index) => [now - (6 - index) * hour, power] as const),
    )
    const policy = {
      alarm_type: 'threshold',
      metric: 'active_power',
      operator: 'gt',
      threshold: 10,
      clear_threshold: 8,
    }
    const { status, body } = await call('POST', '/preview', { policy, days: 1, device_ids: [device.id] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      devices_judged: 1,
      samples_judged: 6,
      incidents_total: 2,
      is_truncated: false,
      items: [
        {
          device_id: device.id,
          incidents: [
            {
              from: new Date(now - 5 * hour).toISOString(),
              to: new Date(now - 3 * hour).toISOString(),
              value: 12,
            },
            { from: new Date(now - 2 * hour).toISOString(), to: null, peak: 20 },
          ],
        },
      ],
    })
    const silence = { alarm_type: 'no_data', delay_on_s: 1800, device_id: device.id }
    const silentWhenMade = async (id: string, hoursAgo: number) => {
      const created = new Date(now - hoursAgo * hour)
      await api.deps.database.pool.query('update device set created_at = $1 where id = $2', [created, id])
      const response = await call('POST', '/preview', { policy: { ...silence, device_id: id }, days: 1 })
      return response.body.items[0]
    }
    const silent = await silentWhenMade(device.id, 48)
    expect(silent.incidents_count).toBe(7)
    expect(silent.incidents.at(-1).to).toBeNull()
    // A device that did not exist yet was not silent, even with older samples.
    expect((await silentWhenMade(device.id, 0)).incidents_count).toBe(6)
    expect((await silentWhenMade(device.id, 7)).incidents_count).toBe(7)
    const young = await createDevice(api, tenant)
    expect((await silentWhenMade(young.id, 0.25)).incidents).toEqual([])
    expect((await silentWhenMade(young.id, 1)).incidents).toMatchObject([
      { from: new Date(now - hour / 2).toISOString(), to: null },
    ])
    expect(await deviceIncidents(api, tenant, { device })).toEqual([])
    expect((await call('POST', '/preview', { policy, days: 31 })).status).toBe(422)
    expect((await call('POST', '/preview', { policy, device_ids: [randomUUID()] })).status).toBe(422)
    const nowhere = { ...policy, device_id: null, subregion_id: randomUUID() }
    expect((await call('POST', '/preview', { policy: nowhere })).body.error_code).toBe('INVALID_REFERENCE')
  })
})

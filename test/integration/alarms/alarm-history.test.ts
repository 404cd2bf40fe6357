import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateMinute, setUpAlarmTest } from '../../support/alarms/alarm-fixture.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import type { TestTenant } from '../../support/tenants.ts'

const MINUTE = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const call = (tenant: TestTenant, method: string, path: string, body?: unknown) =>
  api.call(method, `/api/alarms${path}`, {
    token: tenant.operator.token,
    ...(body !== undefined && { body }),
  })
const text = (at: number) => new Date(at).toISOString()

async function detailsOf(id: string | undefined, event: string): Promise<Record<string, unknown>[]> {
  const { rows } = await api.deps.database.pool.query(
    'select details from alarm_event where incident_id = $1 and event_type = $2 order by seq',
    [id, event],
  )
  return rows.map(({ details }) => details)
}

async function closingReason(tenant: TestTenant, id: string | undefined, language: string): Promise<string> {
  const { body } = await api.call('GET', `/api/alarms/incidents/${id}/events`, {
    token: tenant.operator.token,
    headers: { 'accept-language': language },
  })
  return body.find((event: { event_type: string }) => event.event_type === 'closed').details.reason
}

describe('a notified incident', () => {
  it('is not withdrawn by maintenance planned later for that time', async () => {
    const { tenant, device, start, spans, store } = await setUpAlarmTest(api)
    api.clock.advance(20 * MINUTE)
    await store([
      [start, 5],
      [start + 5 * MINUTE, 12],
      [start + 15 * MINUTE, 5],
    ])
    await evaluateMinute(api)
    const before = await spans()
    expect(before).toEqual([[5, 15]])
    const window = { device_id: device.id, from: text(start), to: text(start + 60 * MINUTE) }
    const created = await call(tenant, 'POST', '/maintenance', window)
    expect([created.status, created.body.from]).toEqual([201, window.from])
    await store([[start + MINUTE, 5]])
    await evaluateMinute(api)
    expect(await spans()).toEqual(before)
    // The maintenance applies from now on, also to late samples.
    api.clock.advance(20 * MINUTE)
    await store([
      [start + 30 * MINUTE, 12],
      [start + 40 * MINUTE, 5],
    ])
    await evaluateMinute(api)
    await store([[start + 25 * MINUTE, 12]])
    await evaluateMinute(api)
    expect(await spans()).toEqual(before)
  })

  it('is not withdrawn by a later change of the schedule', async () => {
    const { tenant, id, start, spans, store } = await setUpAlarmTest(api)
    api.clock.advance(20 * MINUTE)
    await store([
      [start, 5],
      [start + 5 * MINUTE, 12],
      [start + 10 * MINUTE, 5],
      [start + 15 * MINUTE, 12],
    ])
    await evaluateMinute(api)
    const before = await spans()
    expect(before).toEqual([
      [5, 10],
      [15, null],
    ])
    const day = (new Date(start).getUTCDay() + 3) % 7
    const windows = [{ days: [day + 1], from: '00:00', to: '24:00' }]
    expect((await call(tenant, 'PUT', `/${id}`, { schedule: { windows } })).status).toBe(200)
    await store([[start + MINUTE, 5]])
    await evaluateMinute(api)
    expect(await spans()).toEqual(before)
    // Open incidents close as usual, and nothing opens outside of the schedule.
    await store([
      [start + 16 * MINUTE, 5],
      [start + 17 * MINUTE, 12],
    ])
    await evaluateMinute(api)
    expect(await spans()).toEqual([
      [5, 10],
      [15, 16],
    ])
  })

  it('is updated and notified again after late samples', async () => {
    const { start, list, store } = await setUpAlarmTest(api, { delay_on_s: 300 })
    api.clock.advance(60 * MINUTE)
    await store([
      [start, 5],
      [start + 10 * MINUTE, 12],
      [start + 20 * MINUTE, 13],
    ])
    await evaluateMinute(api)
    const [open] = await list()
    expect(open).toMatchObject({
      last_value: '13.000000',
      payload: { since: text(start + 10 * MINUTE), value: 13 },
    })
    expect(open?.message).toContain('13 kW')
    await store([
      [start + 8 * MINUTE, 11],
      [start + 14 * MINUTE, 14],
    ])
    await evaluateMinute(api)
    const [moved] = await list()
    expect(moved).toMatchObject({
      id: open?.id,
      last_value: '14.000000',
      triggered_at: new Date(start + 14 * MINUTE),
      payload: { since: text(start + 8 * MINUTE), value: 14 },
    })
    expect(moved?.message).toContain('14 kW')
    await store([[start + 40 * MINUTE, 5]])
    await evaluateMinute(api)
    expect((await list())[0]).toMatchObject({ last_value: '5.000000', payload: { peak: 14 } })
    await store([[start + 30 * MINUTE, 40]])
    await evaluateMinute(api)
    expect((await list())[0]).toMatchObject({
      last_value: '5.000000',
      cleared_at: new Date(start + 40 * MINUTE),
      payload: { peak: 40, since: text(start + 8 * MINUTE) },
    })
    await store([[start + 35 * MINUTE, 6]])
    await evaluateMinute(api)
    expect(await list()).toMatchObject([
      { last_value: '6.000000', cleared_at: new Date(start + 35 * MINUTE), payload: { peak: 40 } },
    ])
    expect(await detailsOf(open?.id, 'amended')).toMatchObject([
      { value: 14, since: text(start + 8 * MINUTE) },
      { peak: 40 },
      { peak: 40, to: text(start + 35 * MINUTE), to_before: text(start + 40 * MINUTE) },
    ])
    const [raised] = await detailsOf(open?.id, 'raised')
    expect(raised?.['at']).toMatch(/^2026-11-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('that late samples disprove is withdrawn with the reason, also when it is closed already', async () => {
    const { start, list, store } = await setUpAlarmTest(api, { delay_on_s: 300 })
    api.clock.advance(60 * MINUTE)
    await store([
      [start, 12],
      [start + 10 * MINUTE, 12],
      [start + 20 * MINUTE, 5],
    ])
    await evaluateMinute(api)
    await store([[start + 5 * MINUTE, 5]])
    await evaluateMinute(api)
    await evaluateMinute(api)
    const [taken, ...others] = await list()
    expect([taken?.status, taken?.payload['is_withdrawn'], others]).toEqual(['closed', true, []])
    expect(await detailsOf(taken?.id, 'amended')).toMatchObject([
      { is_withdrawn: true, reason: expect.stringContaining('samples that came later') },
    ])
  })
})

describe('a policy that is changed or deleted', () => {
  it.each([
    ['changed', (id: string) => ['PUT', `/${id}`, { threshold: 50 }] as const, 'alarm kuralı değiştirildi'],
    [
      'switched off',
      (id: string) => ['PUT', `/${id}`, { is_active: false }] as const,
      'alarm kuralı kapatıldı',
    ],
    ['deleted', (id: string) => ['DELETE', `/${id}`] as const, 'alarm kuralı silindi'],
  ])('notifies that its incidents are closed: %s', async (what, act, inTurkish) => {
    const { tenant, id, device, start, list, store } = await setUpAlarmTest(api)
    await store([[start, 12]])
    await evaluateMinute(api)
    const [open] = await list()
    const published: unknown[] = []
    const stop = api.deps.bus.on('incidents_closed', ({ tenantId, incidents }) => {
      if (tenantId === tenant.id) published.push(...incidents)
    })
    const [method, path, body] = act(id)
    expect((await call(tenant, method, path, body)).status).toBe(method === 'PUT' ? 200 : 204)
    stop()
    const { id: incident, message, severity } = open ?? {}
    expect(published).toEqual([{ id: incident, message, severity, policyId: id, deviceId: device.id }])
    expect((await list())[0]?.status).toBe('closed')
    expect(await closingReason(tenant, incident, 'en')).toBe(`the policy was ${what}`)
    expect(await closingReason(tenant, incident, 'tr')).toBe(inTurkish)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateMinute, setUpAlarmTest } from '../../support/alarms/alarm-fixture.ts'
import { createPolicy, deviceIncidents } from '../../support/alarms/alarm-policies.ts'
import { trail } from '../../support/alarms/alarms.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import type { TestTenant } from '../../support/tenants.ts'

const MINUTE = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** Devices count as silent after ten minutes. */
async function setUpSilenceTest(
  policy: Readonly<Record<string, unknown>> = { alarm_type: 'offline', delay_on_s: 0 },
) {
  const created = await setUpAlarmTest(api, policy)
  await api.deps.database.pool.query('update device set offline_threshold_s = 600 where id = $1', [
    created.device.id,
  ])
  await evaluateMinute(api)
  return created
}

async function createSubregion({ admin: { token } }: TestTenant): Promise<string> {
  const body = { name: `place ${randomUUID()}` }
  const region = await api.call('POST', '/api/regions', { token, body })
  const created = await api.call('POST', '/api/subregions', {
    token,
    body: { ...body, region_id: region.body.id },
  })
  return created.body.id
}

it('a meter is watched in the subregion it is assigned to, until the assignment ends', async () => {
  const { tenant, device, start, store } = await setUpAlarmTest(api)
  const { token } = tenant.admin
  const here = await createSubregion(tenant)
  const assigned = await api.call('POST', '/api/mahsuplasma/meters/assign', {
    token,
    body: {
      ...{ subregion_id: here, device_id: device.id, measurement_role: 'main_consumption' },
      valid_from: new Date(start).toISOString(),
    },
  })
  const body = { alarm_type: 'threshold', metric: 'active_power', operator: 'gt', threshold: 10 }
  const preview = await api.call('POST', '/api/alarms/preview', {
    token,
    body: { policy: { ...body, subregion_id: here } },
  })
  expect(preview.body).toMatchObject({ devices_in_scope: 1, items: [{ device_id: device.id }] })
  const policy = await createPolicy(api, tenant, { subregion_id: here })
  const list = () => deviceIncidents(api, tenant, { policy })
  await store([[start, 12]])
  await evaluateMinute(api)
  expect(await list()).toMatchObject([{ status: 'active', payload: { subregion_id: here } }])
  api.clock.advance(10 * MINUTE)
  await api.call('PATCH', `/api/mahsuplasma/meters/assignments/${assigned.body.id}`, {
    token,
    body: { valid_to: new Date(api.clock.now()).toISOString() },
  })
  await evaluateMinute(api)
  expect(await list()).toMatchObject([{ status: 'closed' }])
})

it('the incident of a device that leaves the subregion of a policy closes, with a trail', async () => {
  const { pool } = api.deps.database
  const { tenant, device, start, store } = await setUpAlarmTest(api)
  const [here, there] = [await createSubregion(tenant), await createSubregion(tenant)]
  const moveTo = (subregion: string) =>
    pool.query(
      'update device set subregion_id = $2, gateway_id = null, mqtt_gateway_id = null where id = $1',
      [device.id, subregion],
    )
  await moveTo(here)
  const policy = await createPolicy(api, tenant, { subregion_id: here, delay_on_s: 60 })
  const list = () => deviceIncidents(api, tenant, { policy })
  await store([
    [start, 12],
    [start + MINUTE, 12],
  ])
  await evaluateMinute(api)
  expect(await list()).toMatchObject([{ status: 'active' }])
  await moveTo(there)
  await evaluateMinute(api)
  const [closed] = await list()
  expect(closed).toMatchObject({ status: 'closed', closed_at: new Date(api.clock.now()) })
  expect(await trail(api.deps, closed?.id)).toEqual(['raised', 'closed'])
  const DAY = 24 * 60 * MINUTE
  api.clock.advance(10 * DAY)
  await store([
    [start + DAY, 12],
    [start + DAY + MINUTE, 12],
    [start + DAY + 2 * MINUTE, 5],
  ])
  await evaluateMinute(api)
  await moveTo(here)
  await store([[start + 10 * DAY, 5]])
  await evaluateMinute(api)
  expect(await list()).toHaveLength(1)
})

describe('silence of a device', () => {
  it('opens one incident by the clock, which closes with the next sample', async () => {
    const { start, spans, list, store } = await setUpSilenceTest()
    await store([[start, 1]])
    await evaluateMinute(api)
    api.clock.advance(9 * MINUTE)
    await evaluateMinute(api)
    expect(await spans()).toEqual([])
    api.clock.advance(2 * MINUTE)
    await evaluateMinute(api)
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, null]])
    expect((await list())[0]?.message).toContain('longer than 10 min')
    await store([[start + 11 * MINUTE, 1]])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, 11]])
  })

  it('is withdrawn when backfill shows it was a line outage, and opens nothing meanwhile', async () => {
    const { start, list, store } = await setUpSilenceTest()
    await store([[start, 1]])
    await evaluateMinute(api)
    api.clock.advance(60 * MINUTE)
    await evaluateMinute(api)
    expect((await list()).map(({ status }) => status)).toEqual(['active'])
    for (let piece = 0; piece < 6; piece++) {
      const samples = Array.from(
        { length: 10 },
        (_, index) => [start + (piece * 10 + index + 1) * MINUTE, 1] as const,
      )
      await store(samples)
      await evaluateMinute(api)
    }
    const [taken, ...others] = await list()
    expect([taken?.status, taken?.payload['is_withdrawn'], others]).toEqual(['closed', true, []])
    expect(taken?.closed_at).toEqual(new Date(api.clock.now()))
  })

  it('that was real is found in backfill, also when no evaluation ran at the time', async () => {
    const { start, spans, store } = await setUpSilenceTest()
    api.clock.advance(60 * MINUTE)
    await store([
      [start, 1],
      [start + 5 * MINUTE, 1],
      [start + 40 * MINUTE, 1],
      [start + 45 * MINUTE, 1],
      [start + 55 * MINUTE, 1],
    ])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[15, 40]])
  })

  it('is counted again from the end of a downtime of the service', async () => {
    const { start, spans, store } = await setUpSilenceTest()
    await store([[start, 1]])
    await evaluateMinute(api)
    const down = api.clock.now()
    api.clock.advance(30 * MINUTE)
    await evaluateMinute(api, { after: down })
    expect(await spans()).toEqual([])
    api.clock.advance(11 * MINUTE)
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, null]])
  })

  it('under a lockout opens nothing, and is counted again from its end', async () => {
    const { device, start, spans, store } = await setUpSilenceTest()
    const suppressor = async () => new Set([device.id])
    await store([[start, 1]])
    await evaluateMinute(api, { suppressor })
    api.clock.advance(20 * MINUTE)
    await evaluateMinute(api, { suppressor })
    await evaluateMinute(api)
    expect(await spans()).toEqual([])
    api.clock.advance(11 * MINUTE)
    await evaluateMinute(api)
    expect(await spans()).toHaveLength(1)
  })

  it('of one metric opens while the device sends other metrics', async () => {
    const policy = { alarm_type: 'no_data', metric: 'active_power', delay_on_s: 600 }
    const { start, spans, store } = await setUpSilenceTest(policy)
    await store([[start, 1]])
    await evaluateMinute(api)
    for (let minute = 1; minute <= 15; minute += 1) {
      api.clock.advance(MINUTE)
      await store([[start + minute * MINUTE, { voltage: 230 }]])
      await evaluateMinute(api)
    }
    expect(await spans()).toEqual([[10, null]])
    await store([[start + 15 * MINUTE, 1]])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, 15]])
  })

  it('that is open when its device is locked out is not closed by late samples', async () => {
    const { device, start, list, store } = await setUpSilenceTest()
    await store([
      [start, 1],
      [start + 2 * MINUTE, 1],
    ])
    await evaluateMinute(api)
    api.clock.advance(15 * MINUTE)
    await evaluateMinute(api)
    expect((await list()).map(({ status }) => status)).toEqual(['active'])
    const suppressor = async () => new Set([device.id])
    await store([[start + MINUTE, 1]])
    await evaluateMinute(api, { suppressor })
    api.clock.advance(11 * MINUTE)
    await evaluateMinute(api)
    expect((await list()).filter(({ status }) => status === 'active')).toHaveLength(1)
  })
})

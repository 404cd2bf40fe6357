import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateOnSchedule, startLiveEvaluation } from '../../../src/areas/alarms/evaluation/index.ts'
import { evaluateMinute, setUpAlarmTest } from '../../support/alarms/alarm-fixture.ts'
import { createPolicy, deviceIncidents, startEvaluation } from '../../support/alarms/alarm-policies.ts'
import { trail } from '../../support/alarms/alarms.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant } from '../../support/tenants.ts'

const MINUTE = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
const { signal } = new AbortController()

describe('evaluation of stored samples', () => {
  it('opens and closes incidents after the commit, with message, value, trail and notification', async () => {
    const { device, id, start, list, tenant, marks } = await setUpAlarmTest(api)
    const evaluation = startEvaluation(api)
    const published: unknown[] = []
    const stops = (['incidents_opened', 'incidents_closed'] as const).map((name) =>
      api.deps.bus.on(name, ({ incidents }) => published.push([name, incidents.length])),
    )
    await evaluation.send(tenant, device, [
      [start + 1, 9],
      [start + 2, 12.5],
    ])
    const [open] = await list()
    const { rows } = await api.deps.database.pool.query('select name from device where id = $1', [device.id])
    expect(open).toMatchObject({
      status: 'active',
      severity: 'warning',
      message: `${rows[0].name}: active_power is 12.5 kW, above 10 kW`,
      last_value: '12.500000',
      payload: { device_name: rows[0].name, policy_name: 'power', metric: 'active_power', threshold: 10 },
    })
    await evaluation.send(tenant, device, [
      [start + 3, 20],
      [start + 4, 7],
    ])
    expect(await list()).toMatchObject([
      { id: open?.id, status: 'closed', last_value: '7.000000', payload: { peak: 20 } },
    ])
    expect(await trail(api.deps, open?.id)).toEqual(['raised', 'closed'])
    expect(published).toEqual([
      ['incidents_opened', 1],
      ['incidents_closed', 1],
    ])
    expect([await marks(), id.length]).toEqual([0, 36])
    for (const stop of stops) stop()
    await evaluation.stop()
  })

  it('starts with the first sample after the first policy of a tenant whose samples were just looked up', async () => {
    const tenant = await createTenant(api)
    const device = await createDevice(api, tenant)
    const start = api.clock.now()
    const { stop } = startEvaluation(api)
    const store = (at: number) =>
      api.deps.ingest.submit(tenant.id, [{ deviceId: device.id, at, values: { active_power: 12 } }])
    await store(start + 1)
    // The evaluator has now cached for a second that the tenant has no policy.
    await sleep(200)
    const policy = await createPolicy(api, tenant, { device_id: device.id })
    await store(start + 2)
    const incidents = () => deviceIncidents(api, tenant, { policy })
    await expect.poll(incidents).toMatchObject([{ status: 'active' }])
    await stop()
  })

  it('survives a process killed between storing and evaluating: the minutely job evaluates', async () => {
    const { start, spans, store, marks } = await setUpAlarmTest(api)
    await store([
      [start, 12],
      [start + MINUTE, 5],
      [start + 2 * MINUTE, 12],
    ])
    expect([await spans(), await marks()]).toEqual([[], 1])
    await evaluateMinute(api)
    expect([await spans(), await marks()]).toEqual([
      [
        [0, 1],
        [2, null],
      ],
      0,
    ])
  })

  it('is rolled back completely when it fails, and repeated', async () => {
    const { start, spans, store, marks } = await setUpAlarmTest(api)
    await store([[start, 12]])
    const { kysely } = api.deps.database
    const failing = { ...api.deps, bus: { ...api.deps.bus }, database: api.deps.database }
    await api.deps.database.pool.query(
      `alter table alarm_incident add constraint planted check (message not like '%12 kW%') not valid`,
    )
    await expect(evaluateOnSchedule(failing, { after: undefined, signal })).rejects.toThrow('planted')
    await api.deps.database.pool.query('alter table alarm_incident drop constraint planted')
    expect([await spans(), await marks(), kysely !== undefined]).toEqual([[], 1, true])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[0, null]])
  })

  it('changes nothing when samples are sent again', async () => {
    const { device, start, list, tenant, marks } = await setUpAlarmTest(api)
    const evaluation = startEvaluation(api)
    const samples = [
      [start, 12],
      [start + MINUTE, 5],
    ] as const
    await evaluation.send(tenant, device, samples)
    const before = await list()
    await evaluation.send(tenant, device, samples)
    expect(await marks()).toBe(0)
    await evaluateMinute(api)
    expect(await list()).toEqual(before)
    await evaluation.stop()
  })

  it('opens each incident once with evaluators in several processes', async () => {
    const { start, spans, store } = await setUpAlarmTest(api)
    api.clock.advance(12 * MINUTE)
    const evaluators = Array.from({ length: 4 }, () => startLiveEvaluation(api.deps))
    for (let minute = 0; minute < 12; minute++) await store([[start + minute * MINUTE, minute % 2 ? 5 : 12]])
    await Promise.all(evaluators.map((evaluator) => evaluator.settle()))
    expect(await spans()).toEqual([0, 2, 4, 6, 8, 10].map((minute) => [minute, minute + 1]))
    await Promise.all(evaluators.map((evaluator) => evaluator.stop()))
  })

  it('ignores samples before the policy was created', async () => {
    const { start, spans, store } = await setUpAlarmTest(api)
    await store([[start - MINUTE, 50]])
    await evaluateMinute(api)
    expect(await spans()).toEqual([])
  })
})

describe('late samples', () => {
  it('add an incident that opened and closed in the past', async () => {
    const { start, spans, list, store } = await setUpAlarmTest(api)
    api.clock.advance(2 * 60 * MINUTE)
    await store([
      [start, 5],
      [start + 90 * MINUTE, 5],
    ])
    await evaluateMinute(api)
    await store([
      [start + 10 * MINUTE, 30],
      [start + 20 * MINUTE, 5],
    ])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, 20]])
    const [past] = await list()
    expect(past).toMatchObject({ status: 'closed', closed_at: new Date(start + 20 * MINUTE) })
    expect(await trail(api.deps, past?.id)).toEqual(['raised', 'closed'])
  })

  it('move the start of an incident, and withdraw one that never occurred', async () => {
    const { start, spans, list, store } = await setUpAlarmTest(api, { delay_on_s: 300 })
    api.clock.advance(10 * MINUTE)
    await store([
      [start, 12],
      [start + 10 * MINUTE, 12],
    ])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[10, null]])
    await store([[start + 6 * MINUTE, 12]])
    await evaluateMinute(api)
    expect(await spans()).toEqual([[6, null]])
    await store([[start + 5 * MINUTE, 5]])
    await evaluateMinute(api)
    const [taken] = await list()
    expect(taken).toMatchObject({ status: 'closed', payload: { is_withdrawn: true } })
    expect(await trail(api.deps, taken?.id)).toEqual(['raised', 'amended', 'closed'])
  })

  it('lead to the same incidents as ordered samples, with any batches', async () => {
    const values = Array.from(
      { length: 60 },
      (_, index) => [index * 7 * MINUTE, Math.floor(index / 5) % 2 ? 12 : index % 4] as const,
    )
    const inOrder = await setUpAlarmTest(api, { delay_on_s: 600, delay_off_s: 600 })
    api.clock.advance(8 * 60 * MINUTE)
    await inOrder.store(values.map(([after, power]) => [inOrder.start + after, power]))
    await evaluateMinute(api)
    const expected = await inOrder.spans()
    expect(expected.length).toBeGreaterThan(3)
    const mixed = await setUpAlarmTest(api, { delay_on_s: 600, delay_off_s: 600 })
    api.clock.advance(8 * 60 * MINUTE)
    for (const residue of [2, 0, 1]) {
      const some = values.filter((_, index) => index % 3 === residue)
      await mixed.store(some.map(([after, power]) => [mixed.start + after, power]))
      await evaluateMinute(api)
    }
    const published = (await mixed.spans()).filter(([from, to]) => from !== to)
    expect(published).toEqual(expected)
  })
})

describe('an incident closed by a user', () => {
  it('stays closed while its condition holds; the next one opens after the condition has cleared', async () => {
    const { start, list, store, tenant } = await setUpAlarmTest(api)
    await store([[start, 12]])
    await evaluateMinute(api)
    await api.deps.database.pool.query(
      `update alarm_incident set status = 'closed', closed_at = $2 where tenant_id = $1`,
      [tenant.id, new Date(start + 1000)],
    )
    await store([[start + MINUTE, 13]])
    await evaluateMinute(api)
    expect(await list()).toHaveLength(1)
    await store([
      [start + 2 * MINUTE, 5],
      [start + 3 * MINUTE, 14],
    ])
    await evaluateMinute(api)
    expect(await list()).toMatchObject([
      { status: 'closed', closed_at: new Date(start + 1000), cleared_at: new Date(start + 2 * MINUTE) },
      { status: 'active' },
    ])
  })
})

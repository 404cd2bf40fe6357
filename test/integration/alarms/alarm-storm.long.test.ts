import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateMarked } from '../../../src/areas/alarms/evaluation/evaluate-marked.ts'
import { startLiveEvaluation } from '../../../src/areas/alarms/evaluation/index.ts'
import {
  ALARM_DEVICES_AT_ONCE,
  ALARM_SAMPLES_PER_TURN,
  ALARM_TURNS_MAX,
} from '../../../src/areas/alarms/evaluation/limits.ts'
import type { Sample } from '../../../src/areas/metering/intake-contract/index.ts'
import { createPolicy } from '../../support/alarms/alarm-policies.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

async function createMeters(tenant: TestTenant, count: number): Promise<string[]> {
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into device (tenant_id, name, device_type, device_source)
     select $1, 'meter ' || n, 'energy_analyzer', 'manual' from generate_series(1, $2::int) n returning id`,
    [tenant.id, count],
  )
  return rows.map(({ id }) => id)
}

async function countActive(tenant: TestTenant, policy: string) {
  const { rows } = await api.deps.database.pool.query(
    `select count(*)::int as incidents, count(distinct device_id)::int as devices,
       (select count(*)::int from alarm_event e join alarm_incident i on (i.tenant_id, i.id) = (e.tenant_id, e.incident_id)
        where i.policy_id = $2) as events
     from alarm_incident where tenant_id = $1 and policy_id = $2 and status = 'active'`,
    [tenant.id, policy],
  )
  return rows[0]
}

describe('alarm storm', () => {
  it('of ten thousand devices in one second opens every incident once, and live values take precedence', async () => {
    const tenant = await createTenant(api)
    const count = 10_000
    const devices = await createMeters(tenant, count)
    const policy = await createPolicy(api, tenant, { severity: 'critical' })
    const order: string[] = []
    const evaluator = startLiveEvaluation(api.deps)
    const stops = [
      api.deps.bus.on('samples_stored', ({ samples }) => order.push(`live ${samples.length}`)),
      api.deps.bus.on('incidents_opened', () => order.push('incidents')),
    ]
    const at = api.clock.now()
    const samples = devices.map((deviceId): Sample => ({ deviceId, at, values: { active_power: 99 } }))
    await Promise.all(
      [0, 1, 2, 3].map((part) =>
        api.deps.ingest.submit(tenant.id, samples.slice(part * 2500, (part + 1) * 2500)),
      ),
    )
    await evaluator.settle()
    for (const stop of stops) stop()
    await evaluator.stop()
    expect(await countActive(tenant, policy)).toEqual({ incidents: count, devices: count, events: count })
    const first = order.indexOf('incidents')
    expect(order.filter((entry) => entry.startsWith('live'))).toHaveLength(4)
    expect(order.slice(0, first).length).toBeGreaterThan(0)
    const marks = await api.deps.database.pool.query('select from unevaluated_batch where tenant_id = $1', [
      tenant.id,
    ])
    expect(marks.rowCount).toBe(0)
  })

  it('is evaluated while samples keep arriving', async () => {
    const tenant = await createTenant(api)
    const count = 1_200
    const devices = await createMeters(tenant, count + 20)
    const others = devices.splice(count)
    const policy = await createPolicy(api, tenant)
    const evaluator = startLiveEvaluation(api.deps)
    let opened = 0
    const off = api.deps.bus.on('incidents_opened', ({ incidents }) => {
      opened += incidents.length
    })
    const startedAt = api.clock.now()
    let step = 0
    /** There is never a moment without a write. */
    const flood = async (): Promise<void> => {
      while (opened < count) {
        step += 1
        const at = startedAt + step
        const samples = others.map((deviceId): Sample => ({ deviceId, at, values: { active_power: 1 } }))
        await api.deps.ingest.submit(tenant.id, samples)
      }
    }
    const floods = [flood(), flood()]
    for (const running of floods) running.catch(() => {})
    const values = { active_power: 99 }
    await api.deps.ingest.submit(
      tenant.id,
      devices.map((deviceId): Sample => ({ deviceId, at: startedAt, values })),
    )
    await Promise.all(floods)
    off()
    await evaluator.settle()
    await evaluator.stop()
    expect(await countActive(tenant, policy)).toEqual({ incidents: count, devices: count, events: count })
  })

  it('of devices with many samples each is evaluated in several transactions', async () => {
    const tenant = await createTenant(api)
    const policy = await createPolicy(api, tenant)
    const devices = await createMeters(tenant, 25)
    const each = (2 * ALARM_SAMPLES_PER_TURN) / devices.length
    const samples = devices.flatMap((deviceId) =>
      Array.from(
        { length: each },
        (_, index): Sample => ({
          deviceId,
          at: api.clock.now() + index,
          values: { active_power: index === each - 1 ? 99 : 1 },
        }),
      ),
    )
    await api.deps.ingest.submit(tenant.id, samples)
    let transactions = 1
    while (await evaluateMarked(api.deps, tenant.id)) transactions += 1
    expect(transactions).toBeGreaterThan(1)
    expect(transactions).toBeLessThan(6)
    const { length } = devices
    expect(await countActive(tenant, policy)).toEqual({ incidents: length, devices: length, events: length })
  })

  it('of one tenant does not delay the alarms of another', async () => {
    const busy = await createTenant(api)
    const other = await createTenant(api)
    const devices = await createMeters(busy, (ALARM_TURNS_MAX + 5) * ALARM_DEVICES_AT_ONCE)
    const [meter = ''] = await createMeters(other, 1)
    const policies = [await createPolicy(api, busy), await createPolicy(api, other)]
    const at = api.clock.now()
    const send = (tenant: TestTenant, ids: readonly string[], after: number) =>
      api.deps.ingest.submit(
        tenant.id,
        ids.map((deviceId): Sample => ({ deviceId, at: at + after, values: { active_power: 99 } })),
      )
    await send(busy, devices, 0)
    await send(other, [meter], 0)
    const opened: number[] = []
    const off = api.deps.bus.on('incidents_opened', ({ tenantId }) => opened.push(tenantId))
    const evaluator = startLiveEvaluation(api.deps)
    await Promise.all([send(busy, devices.slice(0, 1), 1), send(other, [meter], 1)])
    await evaluator.settle()
    await evaluator.stop()
    off()
    expect(opened.indexOf(other.id)).toBeGreaterThanOrEqual(0)
    expect(opened.indexOf(other.id)).toBeLessThan(opened.lastIndexOf(busy.id))
    const incidents = [
      await countActive(busy, policies[0] ?? ''),
      await countActive(other, policies[1] ?? ''),
    ]
    expect(incidents.map(({ devices: count }) => count)).toEqual([devices.length, 1])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLiveEvaluation } from '../../../src/areas/alarms/evaluation/index.ts'
import { createPolicy } from '../../support/alarms/alarm-policies.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

it('samples of a deactivated tenant open their incidents after the reactivation', async () => {
  const { pool } = api.deps.database
  const tenant = await createTenant(api)
  const { rows } = await pool.query<{ id: string }>(
    `insert into device (tenant_id, name, device_type, device_source)
     values ($1, 'meter', 'energy_analyzer', 'manual') returning id`,
    [tenant.id],
  )
  const deviceId = rows[0]?.id ?? ''
  await createPolicy(api, tenant)
  const evaluator = startLiveEvaluation(api.deps)
  const submit = (at: number, power: number) =>
    api.deps.ingest.submit(tenant.id, [{ deviceId, at, values: { active_power: power } }])
  const triggeredAt = async () => {
    await evaluator.settle()
    const found = await pool.query<{ triggered_at: Date }>(
      'select triggered_at from alarm_incident where tenant_id = $1',
      [tenant.id],
    )
    return found.rows.map((incident) => incident.triggered_at.getTime())
  }
  const setActive = (isActive: boolean) =>
    pool.query('update tenant set is_active = $2 where id = $1', [tenant.id, isActive])
  const now = api.clock.now()
  await setActive(false)
  await submit(now, 99)
  expect(await triggeredAt()).toEqual([])
  await setActive(true)
  await submit(now + 1_000, 99)
  expect(await triggeredAt()).toEqual([now])
  await evaluator.stop()
})

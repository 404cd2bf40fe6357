import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimGateways } from '../../../src/areas/equipment/gateways/index.ts'
import { listWaiting } from '../../../src/areas/insight/exports/store.ts'
import { reevaluateBlockedByTariff } from '../../../src/areas/netting/index.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import { systemDb } from '../../../src/platform/db/tenant.ts'
import { createAccount, readMailedToken } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { addHours, makeMonthlyGroup } from '../../support/netting/corrections.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const PERIOD = '2026-10-01'

let api: TestApi
let operator: TestTenant
beforeAll(async () => {
  api = await startApi()
  operator = await createTenant(api)
})
afterAll(() => api.close())

async function setActive({ uid }: TestTenant, isActive: boolean): Promise<void> {
  const { status } = await api.call('PATCH', `/api/v1/admin/tenants/${uid}`, {
    token: operator.superuser.token,
    body: { is_active: isActive },
  })
  expect(status).toBe(200)
}

async function runJob(name: string): Promise<void> {
  const job = schedule(api.deps).find((each) => each.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await perform(api, { job, slot: api.clock.now() })
}

/** The result of the check for a deactivated tenant, and the one after its reactivation. */
async function whileInactiveAndAfter<T>(
  tenant: TestTenant,
  work: () => Promise<unknown>,
  check: () => Promise<T>,
) {
  await setActive(tenant, false)
  await work()
  const paused = await check()
  await setActive(tenant, true)
  await work()
  return [paused, await check()]
}

async function count(text: string, tenant: TestTenant): Promise<number> {
  const { rows } = await api.deps.database.pool.query<{ n: number }>(text, [tenant.id])
  return rows[0]?.n ?? Number.NaN
}

describe('while a tenant is inactive, and after its reactivation', () => {
  it('bulk and history calculations wait, and continue', async () => {
    const tenant = await createTenant(api)
    const months = await makeMonthlyGroup(api.deps, tenant, { 2026: '9000.000' })
    await addHours(api.deps, tenant, months, [{ period: PERIOD, production: '5.000', consumption: '3.000' }])
    const bulk = await api.call('POST', '/api/mahsuplasma/groups/bulk', {
      token: tenant.admin.token,
      body: { action: 'calculate', billing_period: PERIOD, group_ids: [months.group.id] },
    })
    expect(bulk.status, bulk.text).toBe(201)
    const history = await api.call('POST', '/api/mahsuplasma/history/calculate', {
      token: tenant.superuser.token,
      body: { from: PERIOD, to: PERIOD },
    })
    expect(history.status, history.text).toBe(202)
    const open = () =>
      count(
        `select (select count(*) from bulk_calculation_group where tenant_id = $1 and status = 'waiting')::int * 10
           + (select count(*) from history_calculation where tenant_id = $1 and state = 'open')::int as n`,
        tenant,
      )
    const historyJob = schedule(api.deps).find(({ name }) => name.includes('histor'))
    const work = async () => {
      await runJob('run-bulk-calculations')
      if (historyJob) await runJob(historyJob.name)
    }
    expect(historyJob).toBeDefined()
    expect(await whileInactiveAndAfter(tenant, work, open)).toEqual([11, 0])
  })

  it('roll-ups wait, and include the samples', async () => {
    const tenant = await createTenant(api)
    const device = await createDevice(api, tenant)
    const stored = await postSamples(api, tenant, [
      sample(device, '2026-11-20T05:00:00Z', { import_active_energy: 1 }),
      sample(device, '2026-11-20T06:30:00Z', { import_active_energy: 5 }),
    ])
    expect(stored.status).toBe(201)
    const hours = () => count('select count(*)::int as n from measurement_hour where tenant_id = $1', tenant)
    const [paused, continued] = await whileInactiveAndAfter(tenant, () => runJob('roll-up-hours'), hours)
    expect(paused).toBe(0)
    expect(continued).toBeGreaterThan(0)
  })

  it('groups without an approved price are not evaluated after an approval', async () => {
    const tenant = await createTenant(api)
    await api.deps.database.pool.query(
      `with made as (
         insert into netting_group (tenant_id, name, eligibility_status) values ($1, 'blocked', 'blocked') returning id)
       insert into eligibility_run (tenant_id, group_id, eligibility_status, rules, evaluated_at)
       select $1, id, 'blocked', '[{"code": "R00T", "status": "fail"}]', '2026-11-20T09:00:00Z' from made`,
      [tenant.id],
    )
    const runs = () => count('select count(*)::int as n from eligibility_run where tenant_id = $1', tenant)
    const evaluate = () => reevaluateBlockedByTariff(api.deps)
    expect(await whileInactiveAndAfter(tenant, evaluate, runs)).toEqual([1, 2])
  })

  it('the automatic calculation of the previous hour waits, and is made', async () => {
    const tenant = await createTenant(api)
    const { producer, consumer } = await makeMonthlyGroup(api.deps, tenant, { 2026: '9000.000' })
    const hour = '2026-11-20T08:00:00Z'
    await addFacts(api.deps, tenant, [
      { facilityId: producer.id, hour, role: 'main_production', production: '5.000' },
      { facilityId: consumer.id, hour, role: 'main_consumption', consumption: '3.000' },
    ])
    const runs = () => count('select count(*)::int as n from calculation_run where tenant_id = $1', tenant)
    expect(await whileInactiveAndAfter(tenant, () => runJob('calculate-preliminary'), runs)).toEqual([0, 1])
  })

  it('its Modbus gateways are not polled, and polled again', async () => {
    const tenant = await createTenant(api)
    const body = { name: 'roof', gateway_type: 'modbus', host: '10.1.2.3' }
    const created = await api.call('POST', '/api/gateways', { token: tenant.admin.token, body })
    expect(created.status, created.text).toBe(201)
    const claim = () =>
      claimGateways(systemDb(api.deps.database.kysely), { holder: randomUUID(), ttlMs: 60_000, most: 100 })
    const leases = () => count('select count(*)::int as n from modbus_lease where tenant_id = $1', tenant)
    expect(await whileInactiveAndAfter(tenant, claim, leases)).toEqual([0, 1])
    // The poller that has the gateway returns it at its next claim.
    await api.deps.database.pool.query('delete from modbus_lease where tenant_id = $1', [tenant.id])
    const holder = randomUUID()
    const renew = () =>
      claimGateways(systemDb(api.deps.database.kysely), { holder, ttlMs: 60_000, most: 100 })
    expect((await renew()).map(({ tenantId }) => tenantId)).toContain(tenant.id)
    await setActive(tenant, false)
    expect((await renew()).map(({ tenantId }) => tenantId)).not.toContain(tenant.id)
  })

  it('its exports wait, and are made', async () => {
    const tenant = await createTenant(api)
    const device = await createDevice(api, tenant)
    await setActive(tenant, false)
    // A request of an inactive tenant is refused, so the export was ordered before; no runner has seen it yet.
    await api.deps.database.pool.query(
      `insert into data_export (tenant_id, requested_by, format, request, location, file_name, created_at)
       values ($1, $2, 'csv', $3, $4, 'a.csv', $5)`,
      [
        tenant.id,
        tenant.operator.id,
        JSON.stringify({ device_ids: [device.id] }),
        'elsewhere',
        new Date(api.clock.now()),
      ],
    )
    expect(await listWaiting(systemDb(api.deps.database.kysely), ['elsewhere'], 10)).toEqual([])
    await setActive(tenant, true)
    expect(await listWaiting(systemDb(api.deps.database.kysely), ['elsewhere'], 10)).toMatchObject([
      { tenantId: tenant.id },
    ])
  })

  it('a link of a password reset is refused, and valid again', async () => {
    const tenant = await createTenant(api)
    const { email } = await createAccount(api, tenant)
    await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    const token = await readMailedToken(api, email)
    const confirm = async () => {
      const body = { token, new_password: 'another password 1' }
      return (await api.call('POST', '/api/auth/password-reset/confirm', { body })).status
    }
    await setActive(tenant, false)
    expect(await confirm()).toBe(400)
    const mails = api.mails.length
    await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    await api.deps.background.drain()
    expect(api.mails).toHaveLength(mails)
    await setActive(tenant, true)
    expect(await confirm()).toBe(200)
  })

  it('its client ids do not hide the gateways of other tenants', async () => {
    const [tenant, other] = [await createTenant(api), await createTenant(api)]
    const client_id = `plc-${randomUUID()}`
    const create = async ({ admin }: TestTenant): Promise<string> => {
      const body = { name: 'gateway', gateway_type: 'mqtt', client_id }
      return (await api.call('POST', '/api/gateways', { token: admin.token, body })).body.id
    }
    await create(tenant)
    const own = await create(other)
    await setActive(tenant, false)
    const event = { clientid: client_id, timestamp: api.clock.now() }
    await api.call('POST', '/api/internal/gateway/connected', { body: event })
    const { body } = await api.call('GET', `/api/gateways/${own}`, { token: other.admin.token })
    expect(body.is_online).toBe(true)
  })
})

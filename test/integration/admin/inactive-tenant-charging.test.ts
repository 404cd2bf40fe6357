import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChargingPoll } from '../../../src/areas/charging/stations.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Older than the retention of every record, and than every deadline. */
const LONG_AGO = new Date('2025-01-01T00:00:00Z')

let api: TestApi
let tenant: TestTenant
let charger: TestCharger
beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  charger = await createCharger(api, tenant)
})
afterAll(() => api.close())

async function rowsOf(text: string, ...values: unknown[]) {
  const { rows } = await api.deps.database.pool.query(text, [tenant.id, ...values])
  return rows
}
const setActive = (isActive: boolean) => rowsOf('update tenant set is_active = $2 where id = $1', isActive)

async function runJob(name: string): Promise<void> {
  const job = schedule(api.deps).find((each) => each.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await perform(api, { job, slot: api.clock.now() })
}

/** What is read after the work while the tenant is inactive, and after the work once it is active again. */
async function pausedAndContinued<T>(work: () => Promise<unknown>, read: () => Promise<T>): Promise<T[]> {
  await setActive(false)
  await work()
  const paused = await read()
  await setActive(true)
  await work()
  return [paused, await read()]
}

it('reservations of an inactive tenant expire after its reactivation', async () => {
  await rowsOf(
    `insert into charger_reservation (tenant_id, charger_id, connector_id, id_tag, expires_at, created_at, updated_at)
     values ($1, $2, 1, 'tag', $3, $3, $3)`,
    charger.id,
    LONG_AGO,
  )
  const states = () => rowsOf('select state from charger_reservation where tenant_id = $1')
  expect(await pausedAndContinued(() => runJob('expire-reservations'), states)).toEqual([
    [{ state: 'pending' }],
    [{ state: 'expired' }],
  ])
})

it('requests for files of an inactive tenant end after its reactivation', async () => {
  await rowsOf(
    `insert into charger_file (tenant_id, charger_id, kind, token_hash, created_at, expires_at)
     values ($1, $2, 'diagnostics', 'x', $3, $3)`,
    charger.id,
    LONG_AGO,
  )
  const states = () => rowsOf('select state from charger_file where tenant_id = $1')
  expect(await pausedAndContinued(() => runJob('clear-charger-files'), states)).toEqual([
    [{ state: 'waiting' }],
    [{ state: 'expired' }],
  ])
})

it('readings of an inactive tenant without a connector are stored after its reactivation', async () => {
  const samples = [{ at: api.clock.now() - 60_000, values: { active_power: 7 } }]
  await rowsOf(
    `insert into charging_session (tenant_id, charger_id, ocpp_transaction_id, connector_id, device_id,
       authorization_status, started_at, waiting_samples, created_at, updated_at)
     select $1, $2, $3, 1, device_id, 'accepted', $4, $5, $4, $4 from charger where id = $2`,
    charger.id,
    randomUUID(),
    LONG_AGO,
    JSON.stringify(samples),
  )
  const stored = async () =>
    (
      await rowsOf(
        'select 1 from measurement m join device d on d.key = m.device_key where d.tenant_id = $1 and m.tenant_id = $1',
      )
    ).length
  expect(await pausedAndContinued(() => runJob('store-left-readings'), stored)).toEqual([0, 1])
})

it('old events of an inactive tenant are deleted after its reactivation', async () => {
  await rowsOf(
    `insert into charger_event (tenant_id, charger_id, event_type, occurred_at, received_at, size_bytes, digest)
     values ($1, $2, 'old', $3, $3, 2, 'x')`,
    charger.id,
    LONG_AGO,
  )
  const old = async () =>
    (await rowsOf(`select 1 from charger_event where tenant_id = $1 and event_type = 'old'`)).length
  expect(await pausedAndContinued(() => runJob('clear-charger-records'), old)).toEqual([1, 0])
})

it('overdue commands of an inactive tenant end after its reactivation', async () => {
  // A poll of the service must not end the command before the deactivation.
  await setActive(false)
  await rowsOf(
    `insert into charger_command (tenant_id, charger_id, action, request, created_at, expires_at)
     values ($1, $2, 'clear_cache', '{}', $3, $3)`,
    charger.id,
    LONG_AGO,
  )
  const charging = startChargingPoll(api.deps)
  const states = () =>
    rowsOf(`select state from charger_command where tenant_id = $1 and action = 'clear_cache'`)
  expect(await pausedAndContinued(() => charging.poll(), states)).toEqual([
    [{ state: 'pending' }],
    [{ state: 'expired' }],
  ])
  await charging.stop()
})

it('charging groups of an inactive tenant are balanced after its reactivation', async () => {
  const other = await createTenant(api)
  const group = `insert into charging_group (tenant_id, name, limit_w, min_w_per_connector, due_at, created_at, updated_at)
    values ($1, 'site', 10000, 1380, $2, $2, $2)`
  // The service balances groups as well: one of an active tenant may have had its turn before the deactivation.
  await setActive(false)
  await rowsOf(group, LONG_AGO)
  await api.deps.database.pool.query(group, [other.id, LONG_AGO])
  const isDue = async ({ id }: { id: number }) => {
    const due = 'select 1 from charging_group where tenant_id = $1 and due_at = $2'
    return (await api.deps.database.pool.query(due, [id, LONG_AGO])).rowCount === 1
  }
  const balancing = startChargingPoll(api.deps, { pollEveryMs: 5 })
  // A poll takes the groups in the order of their due times, so the group of the inactive tenant had its turn too.
  await waitFor(async () => !(await isDue(other)))
  expect(await isDue(tenant)).toBe(true)
  await setActive(true)
  await waitFor(async () => !(await isDue(tenant)))
  await balancing.stop()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect, type Database } from '../../src/platform/db/pool.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { testClock } from '../support/clock.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase } from '../support/database.ts'
import { addHours, calculateMonths, makeMonthlyGroup } from '../support/netting/corrections.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../support/netting/prices.ts'
import { callService } from '../support/process/call.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { createTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const PERIODS = ['2025-03-01', '2025-04-01']
const GATE = 4712
/** Two slots of the job, on a busy machine. */
const SLOTS_MS = 240_000

/** The transaction that stores a result waits until the holder of the lock releases it. */
const GATE_BEFORE_RESULT = `
  create function gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(${GATE}); return new; end $$;
  create trigger gate before insert on scenario_month for each row execute function gate()`

const isWaitingAtGate = async ({ pool }: Database): Promise<boolean> =>
  (
    await pool.query(`select from pg_locks where locktype = 'advisory' and not granted and objid = ${GATE}
      and database = (select oid from pg_database where datname = current_database())`)
  ).rowCount === 1

async function makeMonths(database: Database, tenant: { id: number }) {
  await makePriceSet({ database }, '2025-01-01', INDUSTRIAL_PRICES)
  const created = await makeMonthlyGroup({ database }, tenant, { 2025: '100.000' })
  const hours = PERIODS.map((period) => ({ period, production: '30.000', consumption: '10.000' }))
  await addHours({ database }, tenant, created, hours)
  const now = { clock: testClock('2026-01-10T00:00:00Z'), database, log: makeLog('error') }
  await calculateMonths(now, tenant, { groupId: created.group.id, periods: PERIODS, hours: 3 })
  return created
}

it('a scenario whose process is killed is computed by the next one, with the same result', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-scenario-'))
  const { url, drop } = await createDatabase()
  const database = connect({ url })
  const gate = await database.pool.connect()
  const config = testConfig()
  const env = { DATA_DIR: folder, DATABASE_URL: url, PORT: '0', SECRET_KEY: config.secretKey }
  let service: RunningService | undefined
  try {
    const tenant = await createTenant({
      deps: { database, config, clock: { now: Date.now } } as unknown as Deps,
    })
    const { group, producer } = await makeMonths(database, tenant)
    service = await startService({ env })
    const call = (method: string, path: string, body?: object) =>
      callService(method, `${service?.url}/api/mahsuplasma/scenarios${path}`, tenant.admin.token, body)
    const create = async () =>
      (
        await call('POST', '', {
          ...{ name: 'twice the plant', group_ids: [group.id], from: '2025-03', to: '2025-04' },
          changes: [{ type: 'scale_plant', facility_id: producer.id, factor: 2 }],
        })
      ).id as string
    const stateOf = async (id: string): Promise<string> => (await call('GET', `/${id}`)).state

    await gate.query(GATE_BEFORE_RESULT)
    await gate.query(`select pg_advisory_lock(${GATE})`)
    const killed = await create()
    await waitFor(() => isWaitingAtGate(database), SLOTS_MS)
    await service.stop('SIGKILL')
    await gate.query(`select pg_advisory_unlock(${GATE})`)
    await gate.query('drop trigger gate on scenario_month')

    service = await startService({ env })
    const whole = await create()
    await waitFor(
      async () => (await stateOf(killed)) === 'done' && (await stateOf(whole)) === 'done',
      SLOTS_MS,
    )
    const { rows } = await database.pool.query('select id, attempt from scenario order by created_at')
    expect(rows).toEqual([
      { id: killed, attempt: 2 },
      { id: whole, attempt: 1 },
    ])
    const [first, second] = [await call('GET', `/${killed}`), await call('GET', `/${whole}`)]
    expect(first.totals).toEqual(second.totals)
    expect(first.input_hash).toBe(second.input_hash)
    expect(await call('GET', `/${killed}/months`)).toEqual(await call('GET', `/${whole}/months`))
  } finally {
    await service?.stop('SIGTERM')
    gate.release()
    await database.close()
    await drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
})

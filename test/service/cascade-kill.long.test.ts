import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { connect, type Database } from '../../src/platform/db/pool.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { testClock } from '../support/clock.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase } from '../support/database.ts'
import type { Json } from '../support/json.ts'
import {
  addHours,
  calculateMonths,
  findFaults,
  type MonthlyGroup,
  makeMonthlyGroup,
  readState,
} from '../support/netting/corrections.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../support/netting/prices.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { createTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const PERIODS = ['2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01']
const GATE = 4711
const WAIT_MS = 240_000

/** A transaction that writes a run of the period waits until the holder of the lock releases it. */
const gateBefore = (period: string) => `
  create or replace function gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(${GATE}); return new; end $$;
  drop trigger if exists gate on calculation_run;
  create trigger gate before insert on calculation_run for each row
    when (new.billing_period = '${period}') execute function gate()`

const count = async (client: pg.Client, statement: string): Promise<number> =>
  (await client.query(`select count(*)::int as n from ${statement}`)).rows[0].n

/** Kills the service in the middle of a period and waits for the rollback of its open transaction. */
async function killInside(
  client: pg.Client,
  service: RunningService,
  period: string,
  ask: () => Promise<unknown>,
) {
  await client.query(`select pg_advisory_lock(${GATE})`)
  await client.query(gateBefore(period))
  const lost = ask().then(
    () => 'answered',
    () => 'lost',
  )
  // The correction has reached its period.
  await waitFor(async () => {
    const waiting = `pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    return (await count(client, waiting)) > 0
  }, WAIT_MS)
  await service.stop('SIGKILL')
  expect(await lost).toBe('lost')
  await client.query(`select pg_advisory_unlock(${GATE})`)
  const serving = `pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and application_name = 'netsaat' and (backend_xid is not null or state = 'active')`
  await waitFor(async () => (await count(client, serving)) === 0, WAIT_MS)
  await client.query('drop trigger gate on calculation_run')
}

const correct = async ({ url }: RunningService, token: string, { group }: MonthlyGroup) => {
  const response = await fetch(`${url}/api/mahsuplasma/groups/${group.id}/corrections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ billing_period: '2025-03-01', reason: 'the official reading came late' }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

/** Calculated with a reading that changes afterwards. */
async function makeSite(database: Database, tenant: { id: number }): Promise<MonthlyGroup> {
  const created = await makeMonthlyGroup({ database }, tenant, { 2025: '100.000' })
  const hours = PERIODS.flatMap((period) =>
    [0, 1, 2].map((hour) => ({
      period,
      hour,
      production: `${11 + hour}.250`,
      consumption: `${3 * hour}.125`,
    })),
  )
  await addHours({ database }, tenant, created, hours)
  const now = { clock: testClock('2026-01-10T00:00:00Z'), database, log: makeLog('error') }
  await calculateMonths(now, tenant, { groupId: created.group.id, periods: PERIODS, hours: 4 })
  await addHours({ database }, tenant, created, [
    { period: '2025-03-01', hour: 1, production: '30', consumption: '9' },
  ])
  return created
}

const movementsOf = async (database: Database, account: string | undefined) =>
  (
    await database.pool.query(
      'select movement_type, amount_kwh from limit_movement where account_id = $1 order by seq',
      [account],
    )
  ).rows

it('a correction chain killed twice ends with the figures of an uninterrupted one', {
  timeout: 4 * WAIT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-cascade-'))
  const { url, drop } = await createDatabase()
  const database = connect({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const config = testConfig()
  const env = { DATA_DIR: folder, DATABASE_URL: url, PORT: '0', SECRET_KEY: config.secretKey }
  let service: RunningService | undefined
  try {
    const tenant = await createTenant({
      deps: { database, config, clock: { now: Date.now } } as unknown as Deps,
    })
    const { token } = tenant.admin
    await makePriceSet({ database }, '2025-01-01', INDUSTRIAL_PRICES)
    const whole = await makeSite(database, tenant)
    const killed = await makeSite(database, tenant)
    service = await startService({ env })
    expect((await correct(service, token, whole)).body.periods_corrected).toEqual(PERIODS)

    const victim = service
    await killInside(client, victim, '2025-04-01', () => correct(victim, token, killed))
    expect(await findFaults({ database })).toEqual([])
    const second = await startService({ env })
    service = second
    await killInside(client, second, '2025-06-01', () => correct(second, token, killed))
    expect(await findFaults({ database })).toEqual([])
    service = await startService({ env })
    const { status, body } = await correct(service, token, killed)
    expect(status).toBe(201)
    expect(body).toMatchObject({ cascade_incomplete: false, periods_corrected: ['2025-06-01'] })

    const stateOf = ({ group, producer, consumer }: MonthlyGroup) =>
      readState({ database }, [group.id], { [producer.id]: 'producer', [consumer.id]: 'consumer' })
    expect(await stateOf(killed)).toEqual(await stateOf(whole))
    expect(await movementsOf(database, killed.consumer.accounts[2025])).toEqual(
      await movementsOf(database, whole.consumer.accounts[2025]),
    )
    const chain = `calculation_run where group_id = '${killed.group.id}' and is_current`
    expect(await count(client, chain)).toBe(PERIODS.length)
    const root = `${chain} and parent_run_id = (select id from ${chain} and billing_period = '2025-03-01')`
    expect(await count(client, root)).toBe(PERIODS.length)
    expect(await findFaults({ database })).toEqual([])
  } finally {
    await service?.stop('SIGTERM')
    await client.end()
    await database.close()
    await drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildFacts } from '../../src/areas/netting/index.ts'
import { DAY_MS, HOUR_MS, periodStart } from '../../src/kernel/time.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { findFaults, type MonthlyGroup, makeMonthlyGroup, readState } from '../support/netting/corrections.ts'
import { addSamples } from '../support/netting/energy.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../support/netting/prices.ts'
import { roundsOr } from '../support/process/round-count.ts'
import { chooseSeed, makeRandom } from '../support/seed.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * Two tenants have the same meters. The jobs of the first one run undisturbed; those of the second one are killed
 * (SIGKILL) at random moments and started again. Afterwards both have the same results, and the same number of runs.
 */
const KILLS = roundsOr(6)
const NOW = '2025-07-01T06:00:00Z'
const PERIODS = ['2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01'] as const
const FROM = periodStart(PERIODS[0])
const TO = periodStart('2025-07-01')
const GROUPS = 3

interface Site {
  readonly tenant: TestTenant
  readonly groups: readonly MonthlyGroup[]
}

let api: TestApi
let whole: Site
let killed: Site
let databaseUrl: string
const seed = chooseSeed()
const random = makeRandom(seed)

beforeAll(async () => {
  api = await startApi({ now: NOW })
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  whole = await makeSite()
  killed = await makeSite()
  const { rows } = await api.deps.database.pool.query('select current_database() as name')
  const url = new URL(api.deps.database.pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  databaseUrl = url.href
  console.info(`${KILLS} kills of each job, SEED=${seed}`)
}, 240_000)
afterAll(() => api.close())

async function makeSite(): Promise<Site> {
  const tenant = await createTenant(api)
  const groups: MonthlyGroup[] = []
  for (let number = 0; number < GROUPS; number += 1) {
    const group = await makeMonthlyGroup(api.deps, tenant, { 2025: `${9000 + 100 * number}.000` })
    groups.push(group)
    await addReadings(tenant, group, { from: FROM, to: TO, factor: 1 + number })
  }
  return { tenant, groups }
}

/** A reading every hour; a higher factor is more production. */
async function addReadings(
  tenant: TestTenant,
  { producer, consumer }: MonthlyGroup,
  { from, to, factor }: { from: number; to: number; factor: number },
): Promise<void> {
  let [produced, consumed] = [1000, 2000]
  const samples = { produced: [] as object[], consumed: [] as object[] }
  for (let at = from; at <= to; at += HOUR_MS) {
    samples.produced.push({ at, production_active_energy: produced })
    samples.consumed.push({ at, import_active_energy: consumed })
    const index = (at - FROM) / HOUR_MS
    produced += index % 24 > 6 && index % 24 < 18 ? factor * (3 + ((index * 37) % 11)) : 0
    consumed += 2 + ((index * 53) % 17) / 8
  }
  const [main, use] = [producer.meters.main_production, consumer.meters.main_consumption]
  if (!main || !use) throw new Error('a facility has no meter')
  await addSamples(api.deps, tenant, main, samples.produced as Parameters<typeof addSamples>[3])
  await addSamples(api.deps, tenant, use, samples.consumed as Parameters<typeof addSamples>[3])
}

const PROCESS = fileURLToPath(new URL('../support/netting/job-process.ts', import.meta.url))

interface Started {
  readonly child: ChildProcess
  readonly isDone: () => boolean
  readonly ended: Promise<unknown>
}

/** Starts a process that is ready to execute a job. */
async function prepare(job: string): Promise<Started> {
  const args = ['--import', 'tsx', PROCESS, databaseUrl, job, String(Date.parse(NOW))]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data: Buffer) => {
    out += String(data)
  })
  const ended = once(child, 'exit')
  await waitFor(() => out.includes('ready'), 240_000)
  return { child, isDone: () => out.includes('done'), ended }
}

async function runToTheEnd(job: string): Promise<number> {
  const { child, ended, isDone } = await prepare(job)
  const startedAt = performance.now()
  child.stdin?.write('go\n')
  await ended
  expect(isDone()).toBe(true)
  return performance.now() - startedAt
}

/** Kills the job at random moments of the time that it needs, then executes it to its end. */
async function runWithKills(job: string, durationMs: number): Promise<void> {
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, ended, isDone } = await prepare(job)
    child.stdin?.write('go\n')
    // The first ones are early: a job that ended before its kill leaves nothing to the later ones.
    await sleep(random.between(0, Math.ceil((durationMs / 2) * ((kill + 1) / KILLS))))
    child.kill('SIGKILL')
    await ended
    if (!isDone()) interrupted += 1
  }
  await waitFor(async () => (await openTransactions()) === 0, 240_000)
  console.info(
    `${job}: ${interrupted} of ${KILLS} kills hit the job, which takes ${Math.round(durationMs)} ms`,
  )
  expect(interrupted).toBeGreaterThan(0)
  await runToTheEnd(job)
}

/** The transactions of killed processes, which the server rolls back. */
async function openTransactions(): Promise<number> {
  const { rows } = await api.deps.database.pool.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and (backend_xid is not null or state = 'active')`,
  )
  return rows[0].n
}

const namesOf = ({ groups }: Site): Record<string, string> =>
  Object.fromEntries(
    groups.flatMap(({ producer, consumer }, index) => [
      [producer.id, `producer ${index}`],
      [consumer.id, `consumer ${index}`],
    ]),
  )

/** Results, facts, ledgers and the number of all runs, in a form that is equal for both sites. */
async function everythingOf(site: Site): Promise<string[]> {
  const { pool } = api.deps.database
  const names = namesOf(site)
  const groupIds = site.groups.map(({ group }) => group.id)
  const state = (await readState(api.deps, groupIds, names)).map((row) => row.replace(/"tenant_id":\d+,/, ''))
  const { rows: runs } = await pool.query(
    `select array_position($1::uuid[], group_id) || ' runs of ' || billing_period || ' ' || triggered_by || ': ' || count(*) as row
     from calculation_run where group_id = any($1) group by group_id, billing_period, triggered_by order by 1`,
    [groupIds],
  )
  const { rows: facts } = await pool.query(
    `select array_position($1::uuid[], facility_id) || concat_ws(' ', ' fact', hour, source, measurement_role,
       data_quality, completeness_pct, production_kwh, consumption_kwh) as row
     from hourly_energy where facility_id = any($1) order by 1`,
    [Object.keys(names)],
  )
  const { rows: movements } = await pool.query(
    `select array_position($1::uuid[], a.facility_id) || ' ' || movement_type || ' ' || amount_kwh as row
     from limit_movement m join limit_account a on a.id = m.account_id where a.facility_id = any($1) order by 1`,
    [Object.keys(names)],
  )
  return [...state, ...[...runs, ...facts, ...movements].map(({ row }) => row)]
}

async function compareSites(): Promise<string[]> {
  const [expected, found] = [await everythingOf(whole), await everythingOf(killed)]
  const without = (some: string[], others: string[]) => {
    const known = new Set(others)
    return some.filter((row) => !known.has(row)).slice(0, 5)
  }
  expect([without(expected, found), without(found, expected)]).toEqual([[], []])
  expect(found).toHaveLength(expected.length)
  expect(await findFaults(api.deps)).toEqual([])
  return found
}

async function post(site: Site, path: string, body: object, method = 'POST') {
  const token = site.tenant.superuser.token
  const response = await api.call(method, `/api/mahsuplasma/${path}`, { token, body })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

const get = async (site: Site, path: string) =>
  (await api.call('GET', `/api/mahsuplasma/${path}`, { token: site.tenant.superuser.token })).body

/** Requests work of both sites and executes its job, with kills for the second one. */
async function disturb(job: string, request: (site: Site) => Promise<void>): Promise<string[]> {
  await request(whole)
  const durationMs = await runToTheEnd(job)
  await request(killed)
  await runWithKills(job, durationMs)
  return compareSites()
}

/** More production from the second day of a month on. */
async function changeReadings({ tenant, groups }: Site, from: number): Promise<void> {
  const { pool } = api.deps.database
  for (const group of groups) {
    const keys = [group.producer.meters.main_production, group.consumer.meters.main_consumption].map(
      (meter) => meter?.deviceKey,
    )
    await pool.query('delete from measurement where tenant_id = $1 and device_key = any($2) and ts >= $3', [
      ...[tenant.id, keys, new Date(from)],
    ])
    await addReadings(tenant, group, { from, to: TO, factor: 2.5 })
    for (const { id } of [group.producer, group.consumer]) {
      await buildFacts(api.deps, tenant.id, { facilityIds: [id], range: { from, to: TO } })
    }
  }
}

it('a killed calculation of history is completed once', { retry: 0 }, async () => {
  const ids = new Map<Site, string>()
  const state = await disturb('calculate-history', async (site) => {
    const body = { from: PERIODS[0], to: PERIODS.at(-1) }
    ids.set(site, (await post(site, 'history/calculate', body)).id)
  })
  expect(state.filter((row) => / runs of .*: 1$/.test(row))).toHaveLength(GROUPS * PERIODS.length)
  for (const [site, id] of ids) {
    expect(await get(site, `history/jobs/${id}`)).toMatchObject({
      state: 'done',
      steps_done: GROUPS * PERIODS.length,
    })
  }
})

it('a killed correction of all groups is completed once', { retry: 0 }, async () => {
  const ids = new Map<Site, string>()
  await disturb('run-bulk-calculations', async (site) => {
    await changeReadings(site, FROM + DAY_MS)
    const body = { action: 'correct', billing_period: PERIODS[0], reason: 'the meters were read again' }
    ids.set(site, (await post(site, 'groups/bulk', body)).id)
  })
  for (const [site, id] of ids) {
    expect(await get(site, `groups/bulk/${id}`)).toMatchObject({
      status: 'finished',
      groups_completed: GROUPS,
    })
  }
})

it('a killed calculation of all groups is completed once', { retry: 0 }, async () => {
  const ids = new Map<Site, string>()
  await disturb('run-bulk-calculations', async (site) => {
    await changeReadings(site, periodStart(PERIODS[3]) + DAY_MS)
    const body = { action: 'calculate', billing_period: PERIODS[3] }
    ids.set(site, (await post(site, 'groups/bulk', body)).id)
  })
  for (const [site, id] of ids) {
    const {
      status,
      groups_completed: completed,
      groups_unchanged: unchanged,
    } = await get(site, `groups/bulk/${id}`)
    // A group whose calculation was stored before the kill is found unchanged.
    expect([status, completed + unchanged]).toEqual(['finished', GROUPS])
  }
})

it('a killed derivation of facts is completed once', { retry: 0 }, async () => {
  const state = await disturb('rebuild-facts', async (site) => {
    for (const { consumer } of site.groups) {
      const { assignmentId } = consumer.meters.main_consumption ?? {}
      await post(
        site,
        `meters/assignments/${assignmentId}`,
        { valid_to: '2025-03-20T10:00:00+03:00' },
        'PATCH',
      )
    }
  })
  expect(state.filter((row) => row.includes(' fact ') && row.includes(' missing ')).length).toBeGreaterThan(
    1000,
  )
  const { rows } = await api.deps.database.pool.query('select count(*)::int as n from fact_rebuild')
  expect(rows[0].n).toBe(0)
})

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { checkQuotas } from '../../../src/areas/admin/quotas/index.ts'
import { readSamples } from '../../../src/areas/metering/rollup/store.ts'
import { DAY_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { citusNodes } from '../../support/citus.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { compressAll, countStored } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Compressed samples belong to what is dumped with PostgreSQL's own tools and to what counts as a tenant's storage. */
const NOW = Date.parse('2026-11-20T09:30:00Z')
const FROM = Date.parse('2026-09-01T00:00:00+03:00')
const DAYS = 20
const STEP_MS = 5 * 60_000
const RANGE = { from: FROM, to: FROM + DAYS * DAY_MS }
const run = promisify(execFile)
const seed = chooseSeed()
const random = makeRandom(seed)

let api: TestApi
let tenant: TestTenant
let device: TestDevice

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  device = await createDevice(api, tenant)
  for (let from = RANGE.from; from < RANGE.to; from += DAY_MS) {
    const samples = Array.from({ length: DAY_MS / STEP_MS }, (_, index) =>
      sample(device, from + index * STEP_MS, {
        import_active_energy: (from - FROM) / DAY_MS + index / 1000,
        voltage: random.between(0, 1_000_000_000) / 7,
        oil_level: random.between(0, 1_000_000_000) / 3,
      }),
    )
    expect((await postSamples(api, tenant, samples)).status).toBe(201)
  }
})
afterAll(() => api.close())

const storageUsed = async (): Promise<number> => {
  await checkQuotas(api.deps, { signal: new AbortController().signal })
  const { body } = await api.call('GET', '/api/quotas', { token: tenant.viewer.token })
  return body.quotas.find(({ name }: { name: string }) => name === 'storage_bytes').used
}

it(`chunks count as storage of their tenant, and late samples of their days once (seed ${seed})`, async () => {
  const { pool, owner } = api.deps.database
  await compressAll(api)
  const samples = (DAYS * DAY_MS) / STEP_MS
  expect(await countStored(api, tenant.id, device.key)).toEqual({ rows: 0, chunks: DAYS, samples })
  const before = await storageUsed()
  await owner.pool.query('analyze measurement_chunk')
  const { rows } = await pool.query<{ bytes: number }>(
    'select sum(octet_length(content))::int as bytes from measurement_chunk where tenant_id = $1',
    [tenant.id],
  )
  expect(rows[0]?.bytes).toBeGreaterThan(50_000)
  expect((await storageUsed()) - before).toBeGreaterThanOrEqual(rows[0]?.bytes ?? 0)

  const counted = async () => {
    const { body } = await api.call('GET', '/api/quotas', { token: tenant.viewer.token })
    return body.quotas.find(({ name }: { name: string }) => name === 'samples_per_day').used
  }
  await expect.poll(counted, { timeout: 30_000, interval: 100 }).toBe(samples)
  const late = sample(device, FROM + STEP_MS / 2, { voltage: 1 })
  expect((await postSamples(api, tenant, [late, late])).body).toMatchObject({ accepted: 1, duplicates: 1 })
  await expect.poll(counted, { timeout: 30_000, interval: 100 }).toBe(samples + 1)
})

/** What keeps a dump from being made: the tools of the server's version are not at hand. */
async function missingTools(): Promise<string | undefined> {
  if (citusNodes.length > 0) return 'the shards of a distributed database are dumped at its nodes'
  const { rows } = await api.deps.database.pool.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = rows[0]?.version ?? 0
  for (const tool of ['pg_dump', 'psql']) {
    const { stdout } = await run(tool, ['--version']).catch(() => ({ stdout: '' }))
    const major = Number(/\d+/.exec(stdout)?.[0] ?? 0)
    if (major < version) return `${tool} of PostgreSQL ${version} is not installed`
  }
  return undefined
}

it('a logical dump contains chunks, which read the same after it was restored', async ({ skip }) => {
  const missing = await missingTools()
  skip(missing !== undefined, missing)
  const { pool } = api.deps.database
  await compressAll(api)
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0]?.name}`
  const restored = new URL(url)
  restored.pathname = `/${rows[0]?.name}_restored`
  const folder = await makeDataFolder('dump')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'dump.sql')
  await run('pg_dump', ['--dbname', url.href, '--file', file])
  await pool.query(`create database ${restored.pathname.slice(1)}`)
  onTestFinished(
    async () => void (await pool.query(`drop database ${restored.pathname.slice(1)} with (force)`)),
  )
  await run('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', restored.href, '-f', file])
  const copy = new pg.Client({ connectionString: restored.href })
  await copy.connect()
  onTestFinished(() => copy.end())

  const ref = { tenantId: tenant.id, deviceKey: device.key }
  const { rows: chunks } = await copy.query<{ count: number }>(
    'select count(*)::int as count from measurement_chunk where tenant_id = $1',
    [tenant.id],
  )
  expect(chunks[0]?.count).toBe(DAYS)
  const samples = await readSamples(copy, ref, RANGE)
  expect(samples.length).toBeGreaterThan((DAYS * DAY_MS) / STEP_MS)
  expect(samples).toEqual(await readSamples(pool, ref, RANGE))
})

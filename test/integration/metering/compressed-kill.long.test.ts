import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSamples } from '../../../src/areas/metering/rollup/store.ts'
import { DAY_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored, settleChunks } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * The process that compresses samples is killed (SIGKILL) at random moments, in both of its steps, and started again.
 * Afterwards no sample is lost, doubled or changed, and nothing is left to be repaired.
 */
const KILLS = 4
const DAYS = 60
const PER_DAY = 96
const NOW = Date.parse('2026-11-20T09:30:00Z')
const FROM = Date.parse('2026-08-01T00:00:00+03:00')
const PROCESS = fileURLToPath(new URL('../../support/netting/job-process.ts', import.meta.url))
const seed = chooseSeed()
const random = makeRandom(seed)

let api: TestApi
let tenant: TestTenant
let databaseUrl: string

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  const { pool } = api.deps.database
  const { rows } = await pool.query('select current_database() as name')
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  databaseUrl = url.href
})
afterAll(() => api.close())

async function start() {
  const args = ['--import', 'tsx', PROCESS, databaseUrl, 'compress-samples', String(NOW)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data: Buffer) => {
    out += String(data)
  })
  const ended = once(child, 'exit')
  await waitFor(() => out.includes('ready'), 240_000)
  child.stdin.write('go\n')
  return { child, ended }
}

it(`a job that is killed again and again loses and changes nothing (seed ${seed})`, {
  retry: 0,
}, async () => {
  const device = await createDevice(api, tenant)
  for (let day = 0; day < DAYS; day++) {
    const samples = Array.from({ length: PER_DAY }, (_, index) =>
      sample(device, FROM + day * DAY_MS + index * 900_000, {
        import_active_energy: (day * PER_DAY + index) / 8,
        voltage: random.between(2200, 2400) / 10,
      }),
    )
    expect((await postSamples(api, tenant, samples)).status).toBe(201)
  }
  const ref = { tenantId: tenant.id, deviceKey: device.key }
  const read = () => readSamples(api.deps.database.pool, ref, { from: FROM, to: NOW })
  const before = await read()
  expect(before).toHaveLength(DAYS * PER_DAY)
  const stored = async () => (await countStored(api, tenant.id, device.key)) ?? { rows: 0, chunks: 0 }

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const { rows, chunks } = await stored()
    const { child, ended } = await start()
    // It has done at least one more step, of either kind; or all of them, before this was noticed.
    await waitFor(async () => {
      const now = await stored()
      return now.rows < rows || now.chunks > chunks || child.exitCode !== null
    }, 240_000)
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
    expect(await read()).toEqual(before)
    await settleChunks(api)
  }
  await compressAll(api)
  expect(await stored()).toEqual({ rows: 0, chunks: DAYS, samples: DAYS * PER_DAY })
  expect(await read()).toEqual(before)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DELETION_SETTLE_MS } from '../../../src/areas/admin/tenant-deletion/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { dumpTenant } from '../../support/dump.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { createTenantRecords } from '../../support/tenancy/records.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * The process that deletes a tenant is killed (SIGKILL) several times while it deletes samples, and started again.
 * Afterwards the tenant has no row, every row was counted once, and another tenant has all its rows.
 */
const KILLS = 3
/** Enough for kills in the middle, however late a poll sees the progress. */
const SAMPLES = 500_000
const PROCESS = fileURLToPath(new URL('../../support/netting/job-process.ts', import.meta.url))

let api: TestApi
let operator: TestTenant
let databaseUrl: string
let dataDir: string

beforeAll(async () => {
  dataDir = await makeDataFolder('tenant-deletion')
  api = await startApi({ config: { dataDir } })
  operator = await createTenant(api)
  const { pool } = api.deps.database
  const { rows } = await pool.query('select current_database() as name')
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  databaseUrl = url.href
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(at: number) {
  const args = ['--import', 'tsx', PROCESS, databaseUrl, 'delete-tenants', String(at), dataDir]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data: Buffer) => {
    out += String(data)
  })
  const ended = once(child, 'exit')
  await waitFor(() => out.includes('ready'), 240_000)
  child.stdin.write('go\n')
  return { child: child as ChildProcess, ended }
}

const superuser = (method: string, path: string, body?: object) =>
  api.call(method, `/api/v1/admin/${path}`, { token: operator.superuser.token, body })

/** A tenant with records of every kind and many samples. */
async function createLargeTenant(samples: number): Promise<TestTenant> {
  const tenant = await createTenant(api)
  const { device } = await createTenantRecords({ api, tenant })
  const first = { device_id: device, timestamp: '2026-11-01T00:00:00Z', values: { import_active_energy: 1 } }
  const body = { samples: [first] }
  const stored = await api.call('POST', '/api/measurements', { token: tenant.admin.token, body })
  expect(stored.status, stored.text).toBe(201)
  await api.deps.database.pool.query(
    `insert into measurement (tenant_id, device_key, ts, import_active_energy)
     select tenant_id, device_key, ts + number * interval '1 second', number
     from measurement, generate_series(1, $2) as number where tenant_id = $1`,
    [tenant.id, samples],
  )
  return tenant
}

it('a deletion that is killed again and again deletes and counts every row once', { retry: 0 }, async () => {
  const [tenant, other] = [await createLargeTenant(SAMPLES), await createLargeTenant(10)]
  await api.deps.background.drain()
  const otherBefore = await dumpTenant(api, other.id)
  const { name } = (await superuser('GET', `tenants/${tenant.uid}`)).body
  await superuser('PATCH', `tenants/${tenant.uid}`, { is_active: false })
  const { id } = (await superuser('DELETE', `tenants/${tenant.uid}?name=${encodeURIComponent(name)}`)).body
  const read = async () => (await superuser('GET', `tenant-deletions/${id}`)).body
  const samplesOf = ({ rows_by_table }: { rows_by_table: { table: string; rows: number }[] }): number =>
    rows_by_table.find(({ table }) => table === 'measurement')?.rows ?? 0

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = samplesOf(await read())
    const { child, ended } = await start(api.clock.now())
    await waitFor(async () => samplesOf(await read()) > before, 240_000)
    child.kill('SIGKILL')
    await ended
    const record = await read()
    expect([record.status, samplesOf(record) <= SAMPLES]).toEqual(['running', true])
  }
  await (await start(api.clock.now() + DELETION_SETTLE_MS)).ended
  const record = await read()
  expect(record).toMatchObject({ status: 'completed' })
  expect(samplesOf(record)).toBe(SAMPLES + 1)
  expect((await dumpTenant(api, tenant.id)).size).toBe(0)
  expect(await dumpTenant(api, other.id)).toEqual(otherBefore)
})

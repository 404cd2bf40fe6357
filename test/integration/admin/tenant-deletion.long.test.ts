import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteTenants } from '../../../src/areas/admin/tenant-deletion/index.ts'
import { DELETION_SETTLE_MS } from '../../../src/areas/admin/tenant-deletion/limits.ts'
import { failurePaths } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { dumpTenant } from '../../support/dump.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { publishHistory } from '../../support/metering/history.ts'
import { addHours, calculateMonths, correct, makeMonthlyGroup } from '../../support/netting/corrections.ts'
import { createTenantRecords } from '../../support/tenancy/records.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const PERIOD = '2026-10-01'

let folder: string
let api: TestApi
let operator: TestTenant

beforeAll(async () => {
  folder = await makeDataFolder('tenant-deletion')
  const config = { dataDir: folder, credentialEncryptionKey: randomBytes(32).toString('base64') }
  api = await startOcppApi({ mqtt: true, config })
  Object.assign(api.deps.config, { publicBaseUrl: api.url })
  operator = await createTenant(api)
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const token = () => operator.superuser.token
const tenantPath = ({ uid }: TestTenant) => `/api/v1/admin/tenants/${uid}`
const nameOf = async (tenant: TestTenant): Promise<string> =>
  (await api.call('GET', tenantPath(tenant), { token: token() })).body.name
const deactivate = (tenant: TestTenant) =>
  api.call('PATCH', tenantPath(tenant), { token: token(), body: { is_active: false } })
const requestDeletion = (tenant: TestTenant, name: string, by = token()) =>
  api.call('DELETE', `${tenantPath(tenant)}?name=${encodeURIComponent(name)}`, { token: by })
const readDeletion = async (id: string) =>
  (await api.call('GET', `/api/v1/admin/tenant-deletions/${id}`, { token: token() })).body
const answerOf = ({ status, body }: { status: number; body: { error_code?: string } }) => [
  status,
  body.error_code,
]

async function runJob(signal = new AbortController().signal): Promise<void> {
  const failures: unknown[] = []
  const log = { ...api.deps.log, error: ({ err }: { err: unknown }) => failures.push(err) }
  await deleteTenants(
    { ...api.deps, log: log as unknown as typeof api.deps.log },
    { signal, partFailed: () => {} },
  )
  expect(failures).toEqual([])
}

/** A tenant with records of every kind, samples, calculated months and files. */
async function createFullTenant(): Promise<TestTenant> {
  const tenant = await createTenant(api)
  const { device } = await createTenantRecords({ api, tenant })
  const samples = Array.from({ length: 5 }, (_, index) => ({
    ...{
      device_id: device,
      timestamp: `2026-1${index % 2}-05T0${index}:00:00Z`,
      values: { import_active_energy: 100 + index },
    },
  }))
  const stored = await api.call('POST', '/api/measurements', { token: tenant.admin.token, body: { samples } })
  expect(stored.status, stored.text).toBe(201)
  // The samples of October are chunks and rows now.
  await publishHistory(api)
  const months = await makeMonthlyGroup(api.deps, tenant, { 2026: '9000.000' })
  await addHours(api.deps, tenant, months, [{ period: PERIOD, production: '5.000', consumption: '3.000' }])
  const calculation = { groupId: months.group.id, periods: [PERIOD], hours: 2 }
  await calculateMonths(api.deps, tenant, calculation)
  await addHours(api.deps, tenant, months, [
    { period: PERIOD, hour: 1, production: '7.000', consumption: '9.000' },
  ])
  await calculateMonths(api.deps, tenant, calculation)
  await correct(api, tenant, months.group, { billing_period: PERIOD })
  for (const name of ['exports', 'firmware', 'charger-files']) {
    await mkdir(join(folder, name, String(tenant.id)), { recursive: true })
    await writeFile(join(folder, name, String(tenant.id), 'a file'), 'content')
  }
  await mkdir(join(folder, 'outbox'), { recursive: true })
  await writeFile(join(folder, 'outbox', `${tenant.id}.eml`), `From: x\nTo: ${tenant.viewer.email}\n\nHello`)
  return tenant
}

const rowsOf = (dump: Map<string, string[]>): number =>
  [...dump.values()].reduce((sum, rows) => sum + rows.length, 0)

describe('the request to delete a tenant', () => {
  it('is refused for an active tenant, for the own one, with another name and without rights', async () => {
    const tenant = await createTenant(api)
    const name = await nameOf(tenant)
    expect(answerOf(await requestDeletion(tenant, name))).toEqual([409, 'STATE_CONFLICT'])
    expect(answerOf(await requestDeletion(operator, await nameOf(operator)))).toEqual([409, 'STATE_CONFLICT'])
    await deactivate(tenant)
    const wrong = await requestDeletion(tenant, `${name} `)
    expect([wrong.status, failurePaths(wrong)]).toEqual([422, ['query.name']])
    expect((await api.call('DELETE', tenantPath(tenant), { token: token() })).status).toBe(422)
    expect((await requestDeletion(tenant, name, operator.admin.token)).status).toBe(403)
    const unknown = { ...tenant, uid: '00000000-0000-4000-8000-000000000000' }
    expect((await requestDeletion(unknown, name)).status).toBe(404)
    for (const path of ['', '/00000000-0000-4000-8000-000000000000'])
      expect(
        (await api.call('GET', `/api/v1/admin/tenant-deletions${path}`, { token: operator.admin.token }))
          .status,
      ).toBe(403)
  })

  it('is recorded, can be repeated, and prevents changes of the tenant', async () => {
    const tenant = await createTenant(api)
    const name = await nameOf(tenant)
    await deactivate(tenant)
    const requested = await requestDeletion(tenant, name)
    expect(requested.status).toBe(202)
    expect(requested.body).toMatchObject({
      ...{
        tenant_id: tenant.uid,
        name,
        status: 'queued',
        tables_total: 0,
        rows_deleted: 0,
        rows_by_table: [],
      },
      ...{ requested_by: operator.superuser.id, requested_by_email: operator.superuser.email },
      ...{ started_at: null, finished_at: null },
    })
    expect((await requestDeletion(tenant, name)).body.id).toBe(requested.body.id)
    for (const body of [{ is_active: true }, { name: 'Other' }]) {
      const changed = await api.call('PATCH', tenantPath(tenant), { token: token(), body })
      expect(answerOf(changed)).toEqual([409, 'STATE_CONFLICT'])
    }
    expect(await readDeletion(requested.body.id)).toEqual(requested.body)
    const listed = await api.call(
      'GET',
      `/api/v1/admin/tenant-deletions?status=queued&search=${encodeURIComponent(name)}`,
      { token: token() },
    )
    expect(listed.body).toMatchObject({ total: 1, items: [requested.body] })
  })
})

describe('the deletion of a tenant', () => {
  it('deletes all its rows and files, and none of another tenant', async () => {
    const [tenant, other] = [await createFullTenant(), await createFullTenant()]
    await api.deps.background.drain()
    const { pool } = api.deps.database
    for (const { uid } of [tenant, other])
      await pool.query("insert into broker_retained (topic, payload) values ($1, 'x')", [
        `ems/v1/${uid}/g/config`,
      ])
    const name = await nameOf(tenant)
    await deactivate(tenant)
    const before = await dumpTenant(api, tenant.id)
    const otherBefore = await dumpTenant(api, other.id)
    expect(before.size).toBeGreaterThan(50)
    const tables = ['alarm_event', 'limit_movement', 'calculation_input', 'loto_event', 'measurement']
    for (const table of [...tables, 'measurement_chunk'])
      expect(before.get(table)?.length, table).toBeGreaterThan(0)

    const { id } = (await requestDeletion(tenant, name)).body
    await runJob()
    const running = await readDeletion(id)
    expect(running).toMatchObject({ status: 'running', finished_at: null })
    expect(running.tables_done).toBe(running.tables_total)
    expect(rowsOf(await dumpTenant(api, tenant.id))).toBe(0)

    api.clock.advance(DELETION_SETTLE_MS)
    await runJob()
    const done = await readDeletion(id)
    expect(done).toMatchObject({ status: 'completed', name, current_table: null })
    expect(done.rows_deleted).toBeGreaterThanOrEqual(rowsOf(before))
    expect(done.rows_by_table).toContainEqual({ table: 'app_user', rows: before.get('app_user')?.length })
    expect((await api.call('GET', tenantPath(tenant), { token: token() })).status).toBe(404)
    expect(await dumpTenant(api, other.id)).toEqual(otherBefore)
    for (const folderName of ['exports', 'firmware', 'charger-files']) {
      const kept = await readdir(join(folder, folderName))
      expect([kept.includes(String(tenant.id)), kept.includes(String(other.id))]).toEqual([false, true])
    }
    expect(await readdir(join(folder, 'outbox'))).toEqual([`${other.id}.eml`])
    const { rows } = await pool.query('select topic from broker_retained')
    expect(rows).toEqual([{ topic: `ems/v1/${other.uid}/g/config` }])
    await expect(pool.query('delete from alarm_event where tenant_id = $1', [other.id])).rejects.toThrow(
      'permission denied',
    )
  })

  it('continues after a stop, and includes what was stored meanwhile', async () => {
    const tenant = await createFullTenant()
    await deactivate(tenant)
    const { id } = (await requestDeletion(tenant, await nameOf(tenant))).body
    const stopped = new AbortController()
    stopped.abort(new Error('the service is stopping'))
    await expect(runJob(stopped.signal)).rejects.toThrow('the service is stopping')
    await runJob()
    const { pool } = api.deps.database
    await pool.query("insert into region (tenant_id, name) values ($1, 'late')", [tenant.id])
    // A step of the compression that had begun before.
    await pool.query(
      `insert into measurement_chunk (tenant_id, device_key, day, samples, metrics, content, published_at)
        values ($1, 1, '2026-10-05', 1, 1, 'late', now())`,
      [tenant.id],
    )
    api.clock.advance(DELETION_SETTLE_MS)
    await runJob()
    expect(await readDeletion(id)).toMatchObject({ status: 'completed' })
    expect(rowsOf(await dumpTenant(api, tenant.id))).toBe(0)
  })
})

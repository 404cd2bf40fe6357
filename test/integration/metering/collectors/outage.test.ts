import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../support/api.ts'
import { createTenant, type TestTenant } from '../../../support/tenants.ts'

const NOW = '2026-11-23T08:30:00Z'
let api: TestApi
let tenant: TestTenant
let series: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  api = await startApi({ now: NOW })
  tenant = await createTenant(api)
  const { token } = tenant.admin
  const device = { name: 'roof', device_type: 'energy_analyzer' }
  await api.call('POST', '/api/devices', { token, body: device })
  const mapping = { name: 'plant', ignore_unknown: true }
  await api.call('POST', '/api/collector-mappings', { token, body: mapping })
  series = new Uint8Array(await readFile('test/data/collectors/prometheus-2.42-samples.snappy'))
})
afterAll(() => api.close())

const LINE = `energy,device=roof voltage=230 ${Date.parse(NOW)}000000`
async function post(path: string, body: string | Uint8Array<ArrayBuffer>, more: object = {}) {
  const headers = { authorization: `Bearer ${tenant.operator.token}`, ...more }
  const response = await fetch(api.url + path, { method: 'POST', headers, body })
  const text = await response.text()
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    code: text === '' ? undefined : JSON.parse(text).code,
  }
}
const writeBoth = () =>
  Promise.all([
    post('/api/v2/write?bucket=plant', LINE),
    post('/api/v1/write?mapping=plant', series, {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
    }),
  ])
/** Telegraf and Prometheus repeat a request after this response, and wait at least as long as it asks for. */
const UNAVAILABLE = {
  status: 503,
  retryAfter: expect.toSatisfy((seconds) => seconds > 0),
  code: 'unavailable',
}
const STORED = { status: 204 }

it('both protocols answer 503 with Retry-After while the database is stopped', async () => {
  const server = new URL(api.deps.database.pool.options.connectionString ?? '')
  const database = server.pathname.slice(1)
  server.pathname = '/postgres'
  const operator = new pg.Client({ connectionString: server.href })
  await operator.connect()
  try {
    await operator.query(`alter database ${database} connection limit 0`)
    const end =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user'
    await operator.query(end, [database])
    expect(await writeBoth()).toMatchObject([UNAVAILABLE, UNAVAILABLE])
    await operator.query(`alter database ${database} connection limit -1`)
  } finally {
    await operator.end()
  }
  // A pooled connection may have been terminated without the service having noticed: that request fails as well.
  await expect.poll(writeBoth, { timeout: 30_000 }).toMatchObject([STORED, STORED])
})

it('both protocols answer 503 with Retry-After when samples wait too long in the queue', async () => {
  const holder = await api.deps.database.pool.connect()
  try {
    await holder.query('begin; lock table measurement in access exclusive mode')
    expect(await writeBoth()).toMatchObject([UNAVAILABLE, UNAVAILABLE])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await writeBoth()).toMatchObject([STORED, STORED])
})

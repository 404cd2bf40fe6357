import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const WAIT_MS = 120_000

let api: TestApi
let blocker: pg.Client
let dataDir: string

beforeAll(async () => {
  dataDir = await makeDataFolder('exports-direct')
  api = await startApi({ config: { dataDir } })
  blocker = new pg.Client({ connectionString: api.deps.database.pool.options.connectionString })
  await blocker.connect()
})
afterAll(async () => {
  await blocker.query('rollback')
  await blocker.end()
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface ExportClient {
  readonly ask: (signal?: AbortSignal) => Promise<Response>
  readonly requestWithoutWaiting: () => Promise<Response>
}

async function makeClient(): Promise<ExportClient> {
  const tenant = await createTenant(api)
  const { id } = await createDevice(api, tenant)
  const body = { device_ids: [id], start: '2026-11-18T00:00:00Z', end: '2026-11-20T00:00:00Z', format: 'csv' }
  const post = (more: object, signal?: AbortSignal) =>
    fetch(`${api.url}/api/measurements/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.operator.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, interval: 'hourly', ...more }),
      ...(signal && { signal }),
    })
  return { ask: (signal) => post({}, signal), requestWithoutWaiting: () => post({ async: true }) }
}

/**
 * Files in progress: each waits for the lock of the hours with one connection, and for that of the samples
 * with another. The same numbers are tables of other databases of the server, too.
 */
async function beingMade(): Promise<number> {
  const { rows } = await blocker.query(
    `select count(distinct pid)::int as count from pg_locks where not granted
       and database = (select oid from pg_database where datname = current_database())
       and relation = 'measurement_hour'::regclass`,
  )
  return rows[0].count
}

/** Retries until the file is being generated: a slot may become free a moment after a response has ended. */
async function begin(client: ExportClient, signal?: AbortSignal): Promise<Promise<Response>[]> {
  const before = await beingMade()
  let asked: Promise<Response> | undefined
  await waitFor(async () => {
    if (!asked) {
      asked = client.ask(signal)
      const forget = () => {
        asked = undefined
      }
      asked.then(({ status }) => status === 200 || forget(), forget)
    }
    return (await beingMade()) > before
  }, WAIT_MS)
  // Wrapped in an object, because the caller awaits it later.
  return [asked].filter((one) => one !== undefined)
}

const lock = () => blocker.query('begin; lock table measurement, measurement_hour in access exclusive mode')

async function expectRefusal({ ask }: ExportClient): Promise<void> {
  const response = await ask()
  expect([response.status, await response.json()]).toEqual([
    429,
    expect.objectContaining({ error_code: 'RATE_LIMITED' }),
  ])
  expect(response.headers.get('retry-after')).toBe('2')
}

it('direct exports that run concurrently are limited for each tenant', async () => {
  const [one, other] = [await makeClient(), await makeClient()]
  await lock()
  const making = [...(await begin(one)), ...(await begin(one))]
  const impatient = new AbortController()
  const [left] = await begin(one, impatient.signal)
  await expectRefusal(one)
  // The slots of other tenants are separate.
  making.push(...(await begin(other)))

  // One client disconnects, and its slot becomes free.
  impatient.abort()
  await expect(left?.then((response) => response.text())).rejects.toThrow()
  making.push(...(await begin(one)))
  await expectRefusal(one)
  await blocker.query('rollback')
  expect(making).toHaveLength(4)
  for (const response of await Promise.all(making)) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([200, null])
    expect(await response.text()).toContain(';')
  }

  // All files are complete, and all slots are free again.
  await lock()
  const again = []
  for (const client of [one, one, one]) again.push(...(await begin(client)))
  await expectRefusal(one)
  // Background exports have a limit of their own.
  const later = await one.requestWithoutWaiting()
  expect([later.status, await later.json()]).toEqual([200, expect.objectContaining({ status: 'queued' })])
  await blocker.query('rollback')
  for (const response of await Promise.all(again)) {
    expect(response.status).toBe(200)
    await response.text()
  }
})

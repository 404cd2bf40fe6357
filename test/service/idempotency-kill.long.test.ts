import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataFolder } from '../support/folder.ts'
import type { Json } from '../support/json.ts'
import { ADMIN, logIn } from '../support/process/killed-service.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 120_000

describe('a request with an Idempotency-Key whose process is killed', () => {
  let database: TestDatabase
  let folder: string
  let processes: RunningService[]
  let observer: pg.Client
  let token: string

  beforeAll(async () => {
    database = await createDatabase()
    folder = await makeDataFolder('idempotency')
    const env = {
      ...ADMIN,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      ROLES: 'api',
      RATE_LIMIT_API_PER_SECOND: '0',
    }
    processes = [await startService({ env }), await startService({ env })]
    token = await logIn(processes[0]?.url ?? '')
    observer = new pg.Client({ connectionString: database.url })
    await observer.connect()
  }, 2 * WAIT_MS)
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop('SIGKILL')))
    await observer.end()
    await database.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }, WAIT_MS)

  async function post(process: RunningService | undefined, key: string, name: string) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const body = JSON.stringify({ org_type: 'supplier', name })
    const path = `${process?.url}/api/mahsuplasma/organizations`
    const response = await fetch(path, { method: 'POST', headers, body })
    return {
      status: response.status,
      isReplay: response.headers.get('idempotent-replay') === 'true',
      body: (await response.json()) as Json,
    }
  }

  /** The transactions that wait for the table of organizations. */
  async function countWaiting(): Promise<number> {
    const { rows } = await observer.query<{ n: number }>(
      "select count(*)::int as n from pg_locks where relation = 'organization'::regclass and not granted",
    )
    return rows[0]?.n ?? 0
  }

  async function countOrganizations(name: string): Promise<number> {
    const { rows } = await observer.query<{ n: number }>(
      'select count(*)::int as n from organization where name = $1',
      [name],
    )
    return rows[0]?.n ?? 0
  }

  it('is executed by the next process at once, and once', { retry: 0, timeout: 300_000 }, async () => {
    const [first, second] = processes
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('lock table organization in share mode')
    const broken = post(first, 'key-1', 'once').catch(() => undefined)
    await waitFor(async () => (await countWaiting()) === 1, WAIT_MS)
    // The process that holds the key is alive.
    expect(await post(second, 'key-1', 'once')).toMatchObject({
      status: 409,
      body: { detail: { error_code: 'IDEMPOTENCY_KEY_IN_USE' } },
    })

    await first?.stop('SIGKILL')
    expect(await broken).toBeUndefined()
    const repeated = post(second, 'key-1', 'once')
    // The statement of the killed process and that of the next one wait for the same lock.
    await waitFor(async () => (await countWaiting()) === 2, WAIT_MS)
    await holder.end()
    const answer = await repeated
    expect(answer.status).toBe(201)
    expect(await post(second, 'key-1', 'once')).toEqual({ ...answer, isReplay: true })
    expect(await countOrganizations('once')).toBe(1)
  })
})

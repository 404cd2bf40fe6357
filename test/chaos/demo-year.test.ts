import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { addMonths, iso, periodEnd, periodOf, periodStart } from '../../src/kernel/time.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataFolder } from '../support/folder.ts'
import { type RunningService, startService } from '../support/process/service.ts'

let folder: string
let database: TestDatabase
let service: RunningService | undefined
beforeAll(async () => {
  folder = await makeDataFolder('demo-year')
  database = await createDatabase()
})
afterAll(async () => {
  await service?.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

type Row = Record<string, unknown>
type Ask = <T = Row[]>(method: string, path: string, body?: object) => Promise<T>

async function signIn({ url, out }: RunningService): Promise<Ask> {
  const [, email] = /log in as +(\S+@netsaat\.example)/.exec(out()) ?? []
  const [, password] = /\n +password +(\S+)/.exec(out()) ?? []
  const ask = (token?: string) => async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
    return response.json()
  }
  const login = (await ask()('POST', 'auth/login', { email, password })) as { access_token: string }
  return ask(login.access_token) as Ask
}

/** Rows that a recalculation writes again although no input has changed. */
const RECREATED = ['id', 'calculation_run_id', 'run_ids', 'created_at']
const lasting = (rows: Row[]): string[] =>
  rows.map((row) => JSON.stringify(row, (key, value) => (RECREATED.includes(key) ? undefined : value))).sort()

async function pages(ask: Ask, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await ask('GET', `${path}&limit=2000&offset=${rows.length}`)
    rows.push(...page)
    if (page.length < 2000) return rows
  }
}

/** Every current result of the months whose facts no longer change while the meters send. */
async function resultsOf(ask: Ask, groupId: string, months: string[]): Promise<string[]> {
  const group = `mahsuplasma/groups/${groupId}`
  const results: string[] = []
  for (const month of months) {
    const range = `from=${iso(periodStart(month))}&to=${iso(periodEnd(month))}`
    for (const list of ['hourly', 'virtual-meters', 'amounts']) {
      results.push(...lasting(await pages(ask, `${group}/${list}?${range}`)))
    }
  }
  const summaries = await ask('GET', `${group}/monthly-summary?limit=500`)
  const ended = summaries.filter((row) => months.includes(String(row['billing_period'])))
  expect(ended).toHaveLength(months.length)
  return [...results, ...lasting(ended)]
}

it('a correction of the demo year from January on gives the figures of the year calculated once', async () => {
  service = await startService({
    args: ['demo'],
    env: {
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_API_PER_SECOND: '0',
    },
  })
  const { out } = service
  await vi.waitFor(() => expect(out()).toContain('The meters go on'), { timeout: 300_000, interval: 500 })
  const ask = await signIn(service)
  const present = periodOf(Date.now())
  // In January the current month is the first of the year; then the correction begins with the demo's first
  // month.
  const january = `${present.slice(0, 4)}-01-01`
  const first = january === present ? addMonths(present, -11) : january
  const months: string[] = []
  for (let month = first; month < present; month = addMonths(month, 1)) months.push(month)

  for (const { id } of await ask('GET', 'mahsuplasma/groups')) {
    const once = await resultsOf(ask, String(id), months)
    expect(once.length).toBeGreaterThan(months.length * 28 * 24)
    const corrected = await ask<Row>('POST', `mahsuplasma/groups/${String(id)}/corrections`, {
      billing_period: first,
      reason: 'the year once more',
    })
    expect(corrected).toMatchObject({
      cascade_incomplete: false,
      periods_corrected: expect.arrayContaining(months),
    })
    expect(await resultsOf(ask, String(id), months)).toEqual(once)
  }
})

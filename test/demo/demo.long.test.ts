import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verifyMonth } from '../../src/demo/verify.ts'
import { addMonths, periodOf, periodStart } from '../../src/kernel/time.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataFolder } from '../support/folder.ts'
import { BIN, type RunningService, runNetsaat, startService } from '../support/process/service.ts'

vi.setConfig({ testTimeout: 600_000 })

/** A short history, so that the suite stays fast; series.test.ts covers the whole year hour by hour. */
const MONTHS = 3
const months = ['--months', String(MONTHS)]

let folder: string
let database: TestDatabase
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = await makeDataFolder('demo')
  database = await createDatabase()
  env = { DATA_DIR: folder, DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'warn' }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

/** Starts the demo and kills it after its first output. */
async function killAt(word: string): Promise<void> {
  const child = spawn(process.execPath, [BIN, 'demo', ...months], { env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += String(data)
    if (output.includes(word)) child.kill('SIGKILL')
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect([code, signal]).toEqual([null, 'SIGKILL'])
}

/** The tables that differ between the load and the state in which they were created. */
const tablesOf = (out: string): string =>
  out.slice(out.indexOf('Sanayi sitesi'), out.indexOf('Hourly against monthly'))

const waitFor = (service: RunningService, word: string) =>
  vi.waitFor(() => expect(service.out()).toContain(word), { timeout: 180_000, interval: 100 })

async function signIn(service: RunningService): Promise<string> {
  const [, email = ''] = /log in as +(\S+@netsaat\.example)/.exec(service.out()) ?? []
  const [, password = ''] = /\n +password +(\S+)/.exec(service.out()) ?? []
  const response = await fetch(`${service.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { access_token: string }).access_token
}

describe('the demo', () => {
  it('is complete after a kill during its load, verified, live, and restarts quickly', async () => {
    await killAt('Meter samples')

    const service = await startService({ args: ['demo', '--verify', ...months], env })
    await waitFor(service, 'The meters go on sending')
    expect(service.out()).toMatch(/Verified \d{4}-\d{2}: \d+ hours and \d+ amounts .*: identical/)
    const tables = tablesOf(service.out())
    for (const word of ['Over-limit surplus', 'system_usage_fee_for_skb', 'mesken_monthly_amount']) {
      expect(tables).toContain(word)
    }
    expect((await stat(join(folder, 'demo-login.json'))).mode & 0o777).toBe(0o600)

    const token = await signIn(service)
    const month = addMonths(periodOf(Date.now()), -1)
    const checked = { url: service.url, token, month, firstMonth: addMonths(month, 2 - MONTHS) }
    const result = await verifyMonth(checked)
    expect(result).toMatchObject({ difference: null })
    expect(result.hours).toBeGreaterThanOrEqual(2 * 28 * 24)
    expect(result.amounts).toBeGreaterThan(1000)
    const faultyHour = periodStart(month) + 300 * 3_600_000
    const corrupted = await verifyMonth({ ...checked, spoiltHour: faultyHour })
    expect(corrupted.difference).toContain(new Date(faultyHour).toISOString())

    const readSeen = async () => {
      const devices = await fetch(`${service.url}/api/devices?limit=50`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { items } = (await devices.json()) as { items: { last_seen: string }[] }
      return items.map(({ last_seen }) => Date.parse(last_seen))
    }
    // Every meter goes on sending; the time is stored once a minute.
    const areLive = async () => {
      const seen = await readSeen()
      return seen.length === 10 && seen.every((at) => Date.now() - at < 120_000)
    }
    await expect.poll(areLive, { timeout: 240_000, interval: 500 }).toBe(true)
    const stopped = await service.stop()
    expect(stopped.code).toBe(0)

    const again = await runNetsaat(['demo', '--exit', ...months], env)
    expect([again.code, again.err]).toEqual([0, ''])
    expect(tablesOf(again.out)).toBe(tables)
    expect(again.out).not.toContain('is ready')
  })

  it('rejects a number of months for which it has no data', async () => {
    const { code, err } = await runNetsaat(['demo', '--months', '13'], env)
    expect(code).toBe(2)
    expect(err).toContain('--months is a number from 2 to 12')
  })
})

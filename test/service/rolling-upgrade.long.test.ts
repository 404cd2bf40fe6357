import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataFolder } from '../support/folder.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { copyProgram } from '../support/process/program-copy.ts'
import { type RunningService, runNetsaat, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** An addition to every table: no statement of the older program may depend on the number of columns. */
const ADDS = `do $$ declare name text; begin
  for name in select c.oid::regclass from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
    execute format('alter table %s add column added_later text', name);
  end loop;
end $$; create table later_thing (id integer primary key)`
const LATER = { '9998_adds.sql': ADDS }
const LAST = { ...LATER, '9999_drops.sql': '-- contract: 8.0.0\ndrop table later_thing' }

let database: TestDatabase
let folder: string
let env: Record<string, string>
let older: RunningService
let newer: RunningService

beforeAll(async () => {
  database = await createDatabase()
  folder = await makeDataFolder('upgrade')
  env = {
    ...ADMIN,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: randomBytes(32).toString('hex'),
    CREDENTIAL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    MQTT_PORT: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  }
  older = await startService({ env })
})
afterAll(async () => {
  await Promise.all([older, newer].map((one) => one?.stop('SIGTERM')))
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const readiness = async ({ url }: RunningService) => {
  const response = await fetch(`${url}/readiness`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Writes with one process and reads with the other. */
async function useBoth(writer: RunningService, reader: RunningService): Promise<void> {
  const token = await logIn(writer.url)
  const [device = ''] = await createDevices(writer.url, token)
  const timestamp = new Date(Date.now() - 60_000).toISOString()
  const samples = [{ device_id: device, timestamp, values: { voltage_l1: 231 } }]
  const stored = await callService('POST', `${writer.url}/api/measurements`, token, { samples })
  expect(stored).toMatchObject({ accepted: 1 })
  const read = await callService('GET', `${reader.url}/api/measurements/latest?device_ids=${device}`, token)
  expect(JSON.stringify(read)).toContain('231')
}

it('an older program and a newer one serve the schema of the newer one, until a contract', async () => {
  const next = await copyProgram(join(folder, 'next'), { version: '8.0.0', migrations: LATER })
  const last = await copyProgram(join(folder, 'last'), { version: '9.0.0', migrations: LAST })
  expect(await runNetsaat(['migrate'], env, '', next)).toMatchObject({
    code: 0,
    out: 'applied 9998_adds.sql\n',
  })
  newer = await startService({ bin: next, env })
  expect((await readiness(older)).status).toBe(200)
  await useBoth(older, newer)
  await useBoth(newer, older)

  await older.stop('SIGKILL')
  older = await startService({ env })
  const { status, body } = await readiness(older)
  expect([status, body['notes']]).toEqual([
    200,
    expect.arrayContaining([expect.stringContaining('9998_adds.sql')]),
  ])
  await useBoth(older, newer)
  await useBoth(newer, older)
  expect(await runNetsaat(['organization', 'list'], env)).toMatchObject({ code: 0, err: '' })

  expect(await runNetsaat(['migrate'], env, '', last)).toMatchObject({
    code: 0,
    out: 'applied 9999_drops.sql\n',
  })
  await waitFor(async () => (await readiness(older)).status === 503)
  const reason = /needs version 8\.0\.0 of the program or newer, this is .*: migration 9999_drops.sql removed/
  expect((await readiness(older)).body['checks']).toMatchObject({ database: expect.stringMatching(reason) })
  expect((await readiness(newer)).status).toBe(200)
  const refused = await runNetsaat(['serve'], env)
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(reason) })
})

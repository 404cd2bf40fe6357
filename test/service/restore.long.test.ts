import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/postgres.ts'
import { TENANT_FOLDERS } from '../../src/platform/files/data-folder.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { makeDataFolder } from '../support/folder.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { runNetsaat, startService } from '../support/process/service.ts'
import { firmwareForm } from '../support/updates/firmware.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 240_000
let folder: string
beforeAll(async () => {
  folder = await makeDataFolder('restore')
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))

/** Stores samples, files of each kind and mails, and stops the service. Returns the token of the admin. */
async function fillService(dataDir: string): Promise<string> {
  const service = await startService({ env: { ...ADMIN, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0' } })
  const { url } = service
  const token = await logIn(url)
  const devices = await createDevices(url, token)
  const samples = devices.flatMap((device_id) =>
    Array.from({ length: 100 }, (_, index) => ({
      device_id,
      timestamp: new Date(Date.UTC(2026, 4, 1, 0, index)).toISOString(),
      values: { import_active_energy: index / 7, note: index },
    })),
  )
  await callService('POST', `${url}/api/measurements`, token, { samples })
  await callService('POST', `${url}/api/regions`, token, { name: 'Ağrı\n"quoted" \\ 1' }).catch(() => {})
  const form = firmwareForm(randomBytes(300_000), { version: '1.0.0', device_model: 'gateway 1' })
  const headers = { authorization: `Bearer ${token}` }
  const upload = await fetch(`${url}/api/firmware/versions`, { method: 'POST', body: form, headers })
  expect(upload.status).toBe(201)
  const exported = await fetch(`${url}/api/measurements/export`, {
    method: 'POST',
    body: JSON.stringify({
      format: 'csv',
      interval: 'raw',
      device_ids: devices,
      start: '2026-05-01T00:00:00Z',
      end: '2026-05-02T00:00:00Z',
      async: true,
    }),
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect([exported.status, await exported.text()]).toEqual([200, expect.any(String)])
  await writeMail(url)
  await waitFor(async () => {
    const paths = await listFiles(dataDir)
    const isWritten = paths.every((path) => !path.endsWith('.part'))
    return isWritten && FOLDERS.every((name) => paths.some((path) => path.startsWith(`${name}/`)))
  })
  await service.stop()
  return token
}

const FOLDERS = ['exports', 'firmware', 'outbox'] as const

/** Without SMTP_URL the mail of a password reset is a file. */
async function writeMail(url: string): Promise<void> {
  const { status } = await fetch(`${url}/api/auth/password-reset/request`, {
    method: 'POST',
    body: JSON.stringify({ email: ADMIN.NETSAAT_ADMIN_EMAIL }),
    headers: { 'content-type': 'application/json' },
  })
  expect(status).toBeLessThan(300)
}

/** Every row of every table as text, by table. */
async function readRows(dataDir: string): Promise<Map<string, readonly string[]>> {
  const server = await startEmbeddedPostgres({ dataDir, log: makeLog('silent') })
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  const rows = new Map<string, readonly string[]>()
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r'
       and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
  )
  for (const { name } of tables) {
    const { rows: texts } = await client.query<{ text: string }>(
      `select t::text as text from ${name} t order by 1`,
    )
    rows.set(
      name,
      texts.map(({ text }) => text),
    )
  }
  await client.end()
  await server.stop()
  return rows
}

/** The paths of all files of tenants in a data folder. */
async function listFiles(dataDir: string): Promise<string[]> {
  const lists = TENANT_FOLDERS.map(async (name) => {
    const options = { recursive: true, withFileTypes: true } as const
    const entries = await readdir(join(dataDir, name), options).catch(() => [])
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  })
  return (await Promise.all(lists))
    .flat()
    .map((path) => relative(dataDir, path))
    .sort()
}

/** The hash of every file of tenants, by its path. */
async function readFiles(dataDir: string): Promise<Map<string, string>> {
  const hashes = (await listFiles(dataDir)).map(async (path) => {
    const content = await readFile(join(dataDir, path))
    return [path, createHash('sha256').update(content).digest('hex')] as const
  })
  return new Map(await Promise.all(hashes))
}

it.skipIf(process.env['DATABASE_URL'])(
  'a restored backup has every row of every table and every file (needs the embedded database)',
  async () => {
    const [dataDir, backupDir, restoredDir] = [
      join(folder, 'data'),
      join(folder, 'backup'),
      join(folder, 'restored'),
    ]
    const token = await fillService(dataDir)
    for (const [command, from] of [
      [['backup', backupDir, '--with-secret-key'], dataDir],
      [['restore', backupDir], restoredDir],
    ] as const)
      expect(await runNetsaat([...command], { DATA_DIR: from })).toMatchObject({ code: 0 })
    const [rows, files] = [await readRows(dataDir), await readFiles(dataDir)]
    expect(rows.get('measurement_2026_05')).toHaveLength(800)
    expect(rows.get('firmware_version')).toHaveLength(1)
    for (const name of FOLDERS) expect([...files.keys()]).toContainEqual(expect.stringMatching(`^${name}/`))
    expect(await readFiles(restoredDir)).toEqual(files)
    const restored = await readRows(restoredDir)
    expect([...restored.keys()]).toEqual([...rows.keys()])
    for (const [name, expected] of rows) expect(restored.get(name), name).toEqual(expected)
    const service = await startService({ env: { DATA_DIR: restoredDir, PORT: '0', MQTT_PORT: '0' } })
    expect(await logIn(service.url)).not.toBe('')
    // The restored secret key verifies a token that was issued before the backup.
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${service.url}/api/devices`, { headers })).status).toBe(200)
    const other = await runNetsaat(['restore', backupDir], { DATA_DIR: join(folder, 'data') })
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('already')])
    await service.stop()
  },
  WAIT_MS,
)

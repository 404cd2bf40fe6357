import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, callApi, type TestApi } from '../support/api.ts'
import { connectStation, createCharger, type TestStation } from '../support/field/ocpp.ts'
import { makeDataFolder } from '../support/folder.ts'
import { type RunningService, runNetsaat, startService } from '../support/process/service.ts'
import type { TestTenant } from '../support/tenants.ts'
import { firmwareForm } from '../support/updates/firmware.ts'
import { waitFor } from '../support/wait-for.ts'

const LOGIN = { email: 'admin@plant.example', password: 'ĞüzelŞifre12' }
const IS_ROOT = process.getuid?.() === 0

let folder: string
let dataDir: string
let backupDir: string
let service: RunningService
let token: string
const ends: (() => unknown)[] = []

beforeAll(async () => {
  folder = await makeDataFolder('modes')
  dataDir = join(folder, 'data')
  backupDir = join(folder, 'backup')
  service = await startService({
    umask: '000',
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      MQTT_PORT: '0',
      PUBLIC_BASE_URL: 'http://stations.example',
      NETSAAT_ADMIN_EMAIL: LOGIN.email,
      NETSAAT_ADMIN_PASSWORD: LOGIN.password,
    },
  })
  token = (await call('POST', '/api/auth/login', { body: LOGIN })).body.access_token
})
afterAll(async () => {
  for (const end of ends) await end()
  await service?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const call = (method: string, path: string, options: CallOptions = {}) =>
  callApi(service.url, method, path, { ...(token && { token }), ...options })

async function created(path: string, body: object): Promise<string> {
  const response = await call('POST', path, { body })
  expect([response.status, response.text]).toEqual([201, expect.any(String)])
  return response.body.id
}

/** As root the database server runs as another user, which has to enter the data folder and the one of the database. */
const isEnterableByServer = (path: string) => IS_ROOT && (path === '' || path === 'postgres')

/** Everything below a folder that other users could read, write or list, as `mode path`. */
async function openToOthers(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = [root, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  const open: string[] = []
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined)
    if (!found) continue
    const name = relative(root, path)
    // A symbolic link has no mode of its own.
    if (found.isSymbolicLink()) continue
    if ((found.mode & (isEnterableByServer(name) ? 0o066 : 0o077)) !== 0)
      open.push(`${(found.mode & 0o777).toString(8)} ${name}`)
  }
  return open
}

/** Sends the beginning of a request body and leaves the request open. */
function beginUpload(method: string, path: string, headers: Record<string, string>, start: Buffer): void {
  const upload: ClientRequest = request(service.url + path, { method, headers })
  upload.on('error', () => {})
  upload.write(start)
  ends.push(() => upload.destroy())
}
const parts = async (name: string) =>
  (await readdir(join(dataDir, name)).catch(() => [])).filter((file) => file.endsWith('.part')).length

async function awaitUpload(
  kind: 'diagnostics' | 'security',
): Promise<{ path: string; station: TestStation }> {
  const api = { call, url: service.url } as unknown as TestApi
  const charger = await createCharger(api, { admin: { token } } as TestTenant)
  const station = await connectStation(api, charger)
  ends.push(() => station.end())
  station.onCall('GetDiagnostics', () => ({ fileName: 'diagnostics.zip' }))
  station.onCall('GetLog', () => ({ status: 'Accepted', filename: 'security.log' }))
  expect((await call('POST', `/api/ocpp/chargers/${charger.id}/files`, { body: { kind } })).status).toBe(202)
  await waitFor(() => station.called.length === 1)
  const { payload } = station.called[0] ?? {}
  return { path: new URL(payload.location ?? payload.log.remoteLocation).pathname, station }
}

async function useExports(): Promise<void> {
  const device = await created('/api/devices', { name: 'meter', device_type: 'energy_analyzer' })
  const body = {
    ...{ device_ids: [device], metrics: ['voltage'], start: '2026-11-01', end: '2026-11-02' },
    ...{ interval: 'raw', format: 'csv', async: true },
  }
  const { body: started } = await call('POST', '/api/measurements/export', { body })
  await waitFor(async () => {
    const { body: state } = await call('GET', `/api/measurements/exports/${started.export_id}`)
    return state.status === 'completed'
  })
}

async function useFirmware(): Promise<void> {
  const form = firmwareForm(randomBytes(1_000), { version: '1.0.0', device_model: 'gateway 1' })
  expect((await call('POST', '/api/firmware/versions', { body: form })).status).toBe(201)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' }
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="f.bin"\r\n\r\n'
  beginUpload('POST', '/api/firmware/versions', headers, Buffer.concat([Buffer.from(head), randomBytes(1e5)]))
  await waitFor(async () => (await parts('firmware')) === 1)
}

async function useChargerFiles(): Promise<void> {
  const complete = await awaitUpload('diagnostics')
  const sent = await fetch(service.url + complete.path, { method: 'PUT', body: new Uint8Array(1_000) })
  expect(sent.status).toBe(204)
  const pending = await awaitUpload('security')
  beginUpload('PUT', pending.path, {}, randomBytes(100_000))
  await waitFor(async () => (await parts('charger-files')) === 1)
}

async function useRecords(): Promise<void> {
  const region_id = await created('/api/regions', { name: 'region' })
  const subregion_id = await created('/api/subregions', { name: 'subregion', region_id })
  const location = { energy_type: 'electrical', isolation_method: 'main switch off', location: 'hall 1' }
  const point = await created('/api/loto/points', { name: 'point', subregion_id, ...location })
  const session = await created('/api/loto/sessions', { title: 'work', reason: 'x', point_ids: [point] })
  expect((await call('GET', `/api/loto/sessions/${session}/record.pdf`)).status).toBe(200)
}

const useMail = () => created('/api/users/invitations', { email: 'invited@plant.example' })

describe('the files of a service whose umask permits everything', () => {
  it('can be read by its own user only, in the data folder and in a backup', async () => {
    await useExports()
    await useFirmware()
    await useChargerFiles()
    await useRecords()
    await useMail()
    await waitFor(async () => (await readdir(join(dataDir, 'outbox')).catch(() => [])).length > 0)
    expect(await runNetsaat(['backup', backupDir], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    for (const name of [
      'charger-files',
      'exports',
      'firmware',
      'outbox',
      'postgres',
      'secret-key',
      'credential-key',
    ])
      expect(await readdir(dataDir)).toContain(name)
    expect(await openToOthers(dataDir)).toEqual([])
    expect(await openToOthers(backupDir)).toEqual([])
  })

  it('are found by the walk when others can read them', async () => {
    const planted = join(folder, 'planted')
    await mkdir(join(planted, 'inner'), { recursive: true, mode: 0o700 })
    await writeFile(join(planted, 'inner', 'file'), 'x', { mode: 0o644 })
    expect(await openToOthers(planted)).toEqual(['644 inner/file'])
  })
})

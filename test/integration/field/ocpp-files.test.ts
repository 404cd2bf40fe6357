import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearFiles } from '../../../src/areas/charging/index.ts'
import { CHARGER_FILE_BYTES_MAX, CHARGER_FILE_WAIT_MS } from '../../../src/areas/charging/limits.ts'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startFilesApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { sha256Of } from '../../support/updates/firmware.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let ownTenant: TestTenant
beforeAll(async () => {
  api = await startFilesApi()
  ownTenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, { id }: TestCharger, path: string, body?: object) =>
  api.call(method, `/api/ocpp/chargers/${id}/files${path}`, {
    token: ownTenant.operator.token,
    ...(body && { body }),
  })
const fileOf = async (charger: TestCharger, id: string) => (await call('GET', charger, `/${id}`)).body

interface RequestedUpload {
  readonly charger: TestCharger
  readonly station: TestStation
  readonly fileId: string
  readonly location: string
}

/** A station that accepted the request for a file. */
async function requestUpload(
  kind: 'diagnostics' | 'security' = 'diagnostics',
  more: object = {},
): Promise<RequestedUpload> {
  const charger = await createCharger(api, ownTenant)
  const station = await connectStation(api, charger)
  station.onCall('GetDiagnostics', () => ({ fileName: 'diagnostics.zip' }))
  station.onCall('GetLog', () => ({ status: 'Accepted', filename: 'security.log' }))
  const { status, body } = await call('POST', charger, '', { kind, ...more })
  expect(status).toBe(202)
  await waitFor(() => station.called.length === 1)
  const { payload } = station.called[0] ?? {}
  return { charger, station, fileId: body.file_id, location: payload.location ?? payload.log.remoteLocation }
}

/** The same address with another token. */
const unknownOf = (location: string): string => {
  const token = /[^/]+$/.exec(location)?.[0] ?? ''
  return location.slice(0, -token.length) + randomBytes(32).toString('base64url').slice(0, token.length)
}
/** The complete responses of an address that accepts no file. */
const refusalOf = async (location: string) => {
  const responses = []
  for (const [method, suffix] of [
    ['PUT', ''],
    ['POST', ''],
    ['PUT', '/a.log'],
    ['GET', ''],
    ['HEAD', ''],
  ] as const) {
    const hasBody = method === 'PUT' || method === 'POST'
    const response = await fetch(location + suffix, { method, ...(hasBody && { body: new Uint8Array(9) }) })
    const text = (await response.text()).replaceAll(/\/uploads\/[^/ "]+/g, '/uploads/<token>')
    responses.push([method, response.status, text])
  }
  return responses
}

const send = (method: string, location: string, body: Buffer | FormData) =>
  fetch(location, { method, body: body instanceof Buffer ? new Uint8Array(body) : body })

describe('diagnostics of a station', () => {
  it('are uploaded once to an address of ours and can be downloaded', async () => {
    const { charger, station, fileId, location } = await requestUpload()
    const bytes = randomBytes(300_000)
    expect(await fileOf(charger, fileId)).toMatchObject({ state: 'waiting', size_bytes: null })
    expect((await call('GET', charger, `/${fileId}/download`)).status).toBe(409)
    await station.call('DiagnosticsStatusNotification', { status: 'Uploading' })
    expect((await send('PUT', location, bytes)).status).toBe(204)
    await station.call('DiagnosticsStatusNotification', { status: 'Uploaded' })
    expect(await fileOf(charger, fileId)).toMatchObject({
      kind: 'diagnostics',
      state: 'received',
      file_name: 'diagnostics.zip',
      size_bytes: bytes.length,
      sha256: sha256Of(bytes),
    })
    const file = await fetch(`${api.url}/api/ocpp/chargers/${charger.id}/files/${fileId}/download`, {
      headers: { authorization: `Bearer ${ownTenant.viewer.token}` },
    })
    expect(file.headers.get('content-disposition')).toContain('diagnostics.zip')
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await send('PUT', location, bytes)).status).toBe(404)
    expect(await refusalOf(location)).toEqual(await refusalOf(unknownOf(location)))
    const events = await api.call('GET', `/api/ocpp/chargers/${charger.id}/events?event_type=file_upload`, {
      token: ownTenant.viewer.token,
    })
    expect(
      events.body.items.map(({ details }: { details: { status: string } }) => details.status).sort(),
    ).toEqual(['Uploaded', 'Uploading'])
    await station.end()
  })

  it('may be uploaded as a form, and under a file name that the station appends to the address', async () => {
    const first = await requestUpload()
    const bytes = randomBytes(1_000)
    const form = new FormData()
    form.append('upload', new Blob([new Uint8Array(bytes)]), 'of-the-form.tgz')
    expect((await send('POST', first.location, form)).status).toBe(204)
    expect(await fileOf(first.charger, first.fileId)).toMatchObject({ sha256: sha256Of(bytes) })
    const second = await requestUpload()
    expect((await send('PUT', `${second.location}/appended.log`, bytes)).status).toBe(204)
    expect(await fileOf(second.charger, second.fileId)).toMatchObject({ file_name: 'appended.log' })
    for (const { station } of [first, second]) await station.end()
  })

  it('that cannot be uploaded are reported as failed', async () => {
    const { charger, station, fileId } = await requestUpload()
    await station.call('DiagnosticsStatusNotification', { status: 'UploadFailed' })
    expect(await fileOf(charger, fileId)).toMatchObject({ state: 'failed' })
    // The file can be requested again after that.
    expect((await call('POST', charger, '', { kind: 'diagnostics' })).status).toBe(202)
    await station.end()
  })

  it('are not expected from a station that has none', async () => {
    const charger = await createCharger(api, ownTenant)
    const station = await connectStation(api, charger)
    station.onCall('GetDiagnostics', () => ({}))
    const { body } = await call('POST', charger, '', { kind: 'diagnostics' })
    await waitFor(async () => (await fileOf(charger, body.file_id)).state === 'failed')
    await station.end()
  })

  it('have one pending request at a time', async () => {
    const { charger, station } = await requestUpload()
    expect((await call('POST', charger, '', { kind: 'diagnostics' })).status).toBe(409)
    expect((await call('POST', charger, '', { kind: 'security' })).status).toBe(202)
    await station.end()
  })

  it('can be uploaded to an address of the operator', async () => {
    const location = 'ftp://files.example/inbox'
    const {
      charger,
      station,
      fileId,
      location: said,
    } = await requestUpload('diagnostics', {
      location,
      from: '2026-10-01T00:00:00Z',
      retries: 3,
      retry_interval_seconds: 60,
    })
    expect([fileId, said]).toEqual([null, location])
    expect(station.called[0]?.payload).toEqual({
      location,
      startTime: '2026-10-01T00:00:00Z',
      retries: 3,
      retryInterval: 60,
    })
    expect((await call('GET', charger, '')).body.total).toBe(0)
    await station.end()
  })
})

describe('security log', () => {
  it('is requested with its own request id, and the status of another request changes nothing', async () => {
    const { charger, station, fileId, location } = await requestUpload('security')
    const { payload } = station.called[0] ?? {}
    expect(payload).toMatchObject({ logType: 'SecurityLog', requestId: expect.any(Number) })
    const other = { status: 'UploadFailure', requestId: payload.requestId + 1 }
    await station.call('LogStatusNotification', other)
    expect((await fileOf(charger, fileId)).state).toBe('waiting')
    expect((await send('POST', location, Buffer.from('log'))).status).toBe(204)
    await station.call('LogStatusNotification', { status: 'Uploaded', requestId: payload.requestId })
    expect(await fileOf(charger, fileId)).toMatchObject({ state: 'received', file_name: 'security.log' })
    await station.end()
  })

  it('is requested in OCPP 2.0.1', async () => {
    const charger = await createCharger(api, ownTenant)
    const station = await connectStation(api, charger, { version: '2.0.1' })
    station.onCall('GetLog', () => ({ status: 'Rejected' }))
    const { body } = await call('POST', charger, '', { kind: 'diagnostics' })
    await waitFor(() => station.called.length === 1)
    expect(station.called[0]?.payload).toMatchObject({ logType: 'DiagnosticsLog' })
    await waitFor(async () => (await fileOf(charger, body.file_id)).state === 'failed')
    await station.end()
  })
})

describe('upload address', () => {
  it('accepts no more than the maximum size, and the upload may be repeated after an abort', async () => {
    const { charger, station, fileId, location } = await requestUpload()
    const { hostname, port, pathname } = new URL(location)
    const head = (length: number) =>
      `PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
    const response = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(head(CHARGER_FILE_BYTES_MAX + 1)))
      socket.once('data', (data) => {
        resolve(data.toString())
        socket.destroy()
      })
      socket.on('error', () => {})
    })
    expect(response).toContain('413')
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head(1_000))
        socket.write('half', () => socket.destroy())
      })
      socket.once('close', () => resolve())
    })
    expect((await fileOf(charger, fileId)).state).toBe('waiting')
    expect((await send('PUT', location, Buffer.from('whole'))).status).toBe(204)
    expect(await fileOf(charger, fileId)).toMatchObject({ size_bytes: 5 })
    await station.end()
  })

  it('is not issued without PUBLIC_BASE_URL', async () => {
    const charger = await createCharger(api, ownTenant)
    Object.assign(api.deps.config, { publicBaseUrl: undefined })
    try {
      expect((await call('POST', charger, '', { kind: 'diagnostics' })).status).toBe(409)
    } finally {
      Object.assign(api.deps.config, { publicBaseUrl: api.url })
    }
  })

  it('has a file scheme only; other schemes are never sent to a station', async () => {
    const charger = await createCharger(api, ownTenant)
    for (const location of ['file:///etc/passwd', 'javascript:1', 'http://', 'ftp://a b'])
      expect((await call('POST', charger, '', { kind: 'diagnostics', location })).status, location).toBe(422)
  })

  // This is the last test, because the change of the clock ends the logins.
  it('is rejected when it is invalid or expired', async () => {
    const { station, fileId, location } = await requestUpload()
    expect((await send('PUT', `${api.url}/api/ocpp/uploads/invented`, Buffer.from('x'))).status).toBe(404)
    api.clock.advance(CHARGER_FILE_WAIT_MS + 1)
    expect((await send('PUT', location, Buffer.from('x'))).status).toBe(404)
    await clearFiles(api.deps)
    const { rows } = await api.deps.database.pool.query('select state from charger_file where id = $1', [
      fileId,
    ])
    expect(rows).toEqual([{ state: 'expired' }])
    await station.end()
  })
})

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepFirmware } from '../../../src/areas/updates/firmware/index.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { firmwareForm, sha256Of, upload } from '../../support/updates/firmware.ts'
import { waitFor } from '../../support/wait-for.ts'

const keys = generateKeyPairSync('ed25519')
const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
const signatureOf = (bytes: Buffer): string =>
  sign(null, Buffer.from(sha256Of(bytes), 'hex'), keys.privateKey).toString('base64')

const VERSIONS = '/api/firmware/versions'
const BYTES_MAX = 1024 * 1024

let dataDir: string
let api: TestApi
let ownTenant: TestTenant

beforeAll(async () => {
  dataDir = await makeDataFolder('firmware')
  const config = { dataDir, firmwareMaxBytes: BYTES_MAX, firmwarePublicKeys: [publicKey] }
  api = await startApi({ config })
  ownTenant = await createTenant(api)
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  api.call(method, path, { token: ownTenant.admin.token, ...(body !== undefined && { body }) })

let count = 0
function nextVersion(): string {
  count += 1
  return `1.${count}.0`
}

async function draft(bytes = randomBytes(1000), more: Record<string, string> = {}): Promise<ApiResponse> {
  return upload(
    api,
    ownTenant,
    firmwareForm(bytes, { version: nextVersion(), device_model: 'EM-1', ...more }),
  )
}
const fileNames = async (): Promise<string[]> =>
  (await readdir(join(dataDir, 'firmware'), { recursive: true }).catch(() => [])).filter((name) =>
    /\.(bin|part)$/.test(name),
  )

describe('firmware upload', () => {
  it('is a draft with the hash and the size of its file', async () => {
    const bytes = randomBytes(300_000)
    const version = nextVersion()
    const form = firmwareForm(
      bytes,
      { version, device_model: 'EM-1', release_notes: 'a note' },
      '../a/ölçer.bin',
    )
    const created = await upload(api, ownTenant, form)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      version,
      device_model: 'EM-1',
      file_name: 'ölçer.bin',
      size_bytes: 300_000,
      sha256: sha256Of(bytes),
      signature: null,
      release_notes: 'a note',
      status: 'draft',
      released_at: null,
    })
    const { id } = created.body
    expect((await call('GET', `${VERSIONS}/${id}`)).body).toEqual(created.body)
    const listed = await call('GET', `${VERSIONS}?version=${version}`)
    expect(listed.body).toMatchObject({ total: 1, items: [{ id }] })
    const again = await upload(api, ownTenant, firmwareForm(bytes, { version, device_model: 'EM-1' }))
    expect([again.status, again.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    const other = await upload(api, ownTenant, firmwareForm(bytes, { version, device_model: 'EM-2' }))
    expect(other.status).toBe(201)
  })

  it.each([
    ['an invalid version', { version: '1.2', device_model: 'X' }, 422],
    ['a version with a leading v', { version: 'v1.2.3', device_model: 'X' }, 422],
    ['no model', { version: '1.2.3' }, 422],
    [
      'a signature of other content',
      { version: '1.2.3', device_model: 'X', signature: signatureOf(Buffer.from('x')) },
      422,
    ],
  ])('is rejected with %s and leaves no file', async (_name, fields, status) => {
    const before = await fileNames()
    const response = await upload(api, ownTenant, firmwareForm(randomBytes(10), fields))
    expect(response.status).toBe(status)
    await waitFor(async () => (await fileNames()).length === before.length)
    expect(await fileNames()).toEqual(before)
  })

  it('is rejected as JSON, without a file, when empty and when too large', async () => {
    const before = await fileNames()
    const bare = new FormData()
    bare.append('version', '1.2.3')
    bare.append('device_model', 'X')
    expect((await upload(api, ownTenant, bare)).status).toBe(422)
    expect((await call('POST', VERSIONS, { version: '1.2.3' })).status).toBe(415)
    expect((await draft(Buffer.alloc(0))).status).toBe(422)
    expect((await draft(randomBytes(BYTES_MAX))).status).toBe(201)
    const large = await draft(randomBytes(BYTES_MAX + 1))
    expect([large.status, large.body.error_code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    await waitFor(async () => (await fileNames()).length === before.length + 1)
  })

  it('may have a file without a name', async () => {
    const field = (name: string, text: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n${text}\r\n`
    const body =
      field('version', `\r\n${nextVersion()}`) +
      field('device_model', '\r\nEM-1') +
      field('file', 'content-type: application/octet-stream\r\n\r\nabc')
    const headers = {
      authorization: `Bearer ${ownTenant.admin.token}`,
      'content-type': 'multipart/form-data; boundary=x',
    }
    const response = await fetch(api.url + VERSIONS, { method: 'POST', headers, body: `${body}--x--\r\n` })
    expect([response.status, await response.json()]).toMatchObject([201, { file_name: 'firmware.bin' }])
  })

  it('rejects text that cannot be stored unchanged', async () => {
    for (const release_notes of ['a\0b', '𝄞'.repeat(20_001)])
      expect((await draft(randomBytes(10), { release_notes })).status).toBe(422)
    expect((await draft(randomBytes(10), { release_notes: '𝄞'.repeat(20_000) })).status).toBe(201)
  })

  it('requires the permission', async () => {
    const form = firmwareForm(randomBytes(10), { version: nextVersion(), device_model: 'X' })
    const response = await api.call('POST', VERSIONS, { token: ownTenant.operator.token, body: form })
    expect(response.status).toBe(403)
    expect((await api.call('GET', VERSIONS, { token: ownTenant.viewer.token })).status).toBe(200)
  })

  it('that is aborted leaves neither a row nor a file', async () => {
    const before = [await fileNames(), (await call('GET', VERSIONS)).body.total]
    const boundary = 'x'
    const outgoing = request(`${api.url}${VERSIONS}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ownTenant.admin.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    })
    outgoing.on('error', () => {})
    outgoing.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`)
    outgoing.write(randomBytes(200_000))
    await waitFor(async () => (await fileNames()).some((name) => name.endsWith('.part')))
    outgoing.destroy()
    await waitFor(async () => !(await fileNames()).some((name) => name.endsWith('.part')))
    expect([await fileNames(), (await call('GET', VERSIONS)).body.total]).toEqual(before)
  })
})

describe('firmware sweep', () => {
  it('deletes what a crash left behind, and neither recent files nor files with a row', async () => {
    const stored = (await draft()).body.id
    const folder = join(dataDir, 'firmware')
    const young = join(folder, 'young.part')
    const old = join(folder, 'old.part')
    const orphan = join(
      folder,
      String(ownTenant.id),
      `${stored.replace(/^./, (c: string) => (c === '0' ? '1' : '0'))}.bin`,
    )
    for (const path of [young, old, orphan]) await writeFile(path, 'x')
    const owned = join(folder, String(ownTenant.id), `${stored}.bin`)
    for (const path of [old, orphan, owned]) await utimes(path, 1000, 1000)
    await sweepFirmware(api.deps, 1_000_000_000)
    const names = (await fileNames()).map((name) => join(folder, name))
    expect([young, owned].every((path) => names.includes(path))).toBe(true)
    expect([old, orphan].some((path) => names.includes(path))).toBe(false)
    await rm(young)
  })
})

describe('firmware release', () => {
  it('requires a signed draft and is permanent', async () => {
    const bytes = randomBytes(500)
    const { id } = (await draft(bytes)).body
    const unsigned = await call('POST', `${VERSIONS}/${id}/release`)
    expect([unsigned.status, unsigned.body.error_code]).toEqual([422, 'FIRMWARE_SIGNATURE_INVALID'])
    const wrong = await call('PATCH', `${VERSIONS}/${id}`, { signature: signatureOf(Buffer.from('other')) })
    expect(wrong.status).toBe(422)
    const changed = await call('PATCH', `${VERSIONS}/${id}`, {
      signature: signatureOf(bytes),
      release_notes: 'better',
    })
    expect(changed.body).toMatchObject({ release_notes: 'better', status: 'draft' })
    expect((await call('POST', `${VERSIONS}/${id}/deprecate`)).status).toBe(409)
    const released = await call('POST', `${VERSIONS}/${id}/release`)
    expect(released.body).toMatchObject({ status: 'released', released_at: '2026-11-20T09:30:00.000Z' })
    expect((await call('POST', `${VERSIONS}/${id}/release`)).status).toBe(409)
    expect((await call('PATCH', `${VERSIONS}/${id}`, { release_notes: 'late' })).status).toBe(409)
    const deprecated = await call('POST', `${VERSIONS}/${id}/deprecate`)
    expect(deprecated.body.status).toBe('deprecated')
    expect((await call('POST', `${VERSIONS}/${id}/deprecate`)).status).toBe(409)
    expect((await call('POST', `${VERSIONS}/${id}/release`)).status).toBe(409)
  })

  it('is rejected when the stored file differs from the uploaded one or is missing', async () => {
    const bytes = randomBytes(500)
    const { id } = (await draft(bytes, { signature: signatureOf(bytes) })).body
    const path = join(dataDir, 'firmware', String(ownTenant.id), `${id}.bin`)
    await writeFile(path, randomBytes(500))
    const tampered = await call('POST', `${VERSIONS}/${id}/release`)
    expect([tampered.status, tampered.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await rm(path)
    expect((await call('POST', `${VERSIONS}/${id}/release`)).status).toBe(409)
    expect((await call('GET', `${VERSIONS}/${id}/download`)).status).toBe(409)
    expect((await call('GET', `${VERSIONS}/${id}`)).body.status).toBe('draft')
  })
})

describe('firmware download', () => {
  const bytes = randomBytes(100_000)
  let path: string
  let etag: string
  beforeAll(async () => {
    const { id, sha256 } = (await draft(bytes)).body
    path = `${VERSIONS}/${id}/download`
    etag = `"${sha256}"`
  })

  async function get(headers: Record<string, string> = {}, method = 'GET') {
    const authorization = `Bearer ${ownTenant.viewer.token}`
    const response = await fetch(api.url + path, { method, headers: { authorization, ...headers } })
    return { answer: response, body: Buffer.from(await response.arrayBuffer()) }
  }

  it('returns the file with a strong ETag', async () => {
    const { answer: response, body } = await get()
    expect(response.status).toBe(200)
    expect(body.equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'content-length': '100000',
      'content-type': 'application/octet-stream',
    })
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="firmware.bin"')
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=-5', 99_995, 99_999],
    ['bytes=5-1000000', 5, 99_999],
  ])('with %s returns that part', async (range, start, end) => {
    const { answer: response, body } = await get({ range, 'if-range': etag })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/100000`)
    expect(body.equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  it('returns the whole file when the ETag of the client is of another one', async () => {
    const { answer: response, body } = await get({ range: 'bytes=10-', 'if-range': '"another"' })
    expect([response.status, body.length]).toEqual([200, 100_000])
  })

  it('is 416 beyond the end and 304 for a client that has the file', async () => {
    const beyond = await get({ range: 'bytes=100000-' })
    expect([beyond.answer.status, beyond.answer.headers.get('content-range')]).toEqual([
      416,
      'bytes */100000',
    ])
    const known = await get({ 'if-none-match': etag })
    expect([known.answer.status, known.body.length]).toEqual([304, 0])
  })

  it('answers HEAD without the file', async () => {
    const { answer: response, body } = await get({ range: 'bytes=0-1' }, 'HEAD')
    expect([response.status, body.length, response.headers.get('content-length')]).toEqual([200, 0, '100000'])
    expect(response.headers.get('etag')).toBe(etag)
  })
})

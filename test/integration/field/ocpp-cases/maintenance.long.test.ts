import { createSign, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../../support/field/certificates.ts'
import { makeDataFolder } from '../../../support/folder.ts'
import {
  firmwareForm,
  releaseFirmware,
  sha256Of,
  type TestFirmware,
  upload,
} from '../../../support/updates/firmware.ts'
import { ACCEPTED, type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
let dataDir: string
beforeAll(async () => {
  dataDir = await makeDataFolder('cases')
  operator = await startCases({ config: { dataDir } })
  Object.assign(operator.api.deps.config, { publicBaseUrl: operator.api.url })
})
afterAll(async () => {
  await operator.close()
  await rm(dataDir, { recursive: true, force: true })
})

const http = (method: string, path: string, body?: object) =>
  operator.api.call(method, path, { token: operator.tenant.admin.token, ...(body && { body }) })
const updateOf = async (id: string) => (await http('GET', `/api/ota/updates/${id}`)).body

/** Starts an update of a station; resolves with the update once the station has received the request. */
async function update(
  setup: StationFixture,
  firmware: Pick<TestFirmware, 'id'>,
  action: string,
): Promise<string> {
  const order = { device_id: setup.charger.device_id, firmware_version_id: firmware.id }
  const { status, body } = await http('POST', '/api/ota/updates', order)
  expect(status).toBe(201)
  const { items } = await operator.get(`${setup.path}/commands`)
  expect((await setup.awaitCommandEnd(items[0])).state).toBe('accepted')
  expect(setup.callsReceived(action)).toHaveLength(1)
  return body.id
}

const eventsOf = async (setup: StationFixture, type: string) =>
  (await setup.readEvents(type)).map(({ status }) => status).toSorted()

describe('firmware update', () => {
  /** A station that received the location of its new firmware. */
  async function startUpdate(model: string) {
    const setup = await operator.openStation({ model })
    const firmware = await releaseFirmware(operator.api, operator.tenant, { version: '2.0.0', model })
    setup.respondTo('UpdateFirmware', {})
    const id = await update(setup, firmware, 'UpdateFirmware')
    const [{ location, ...rest }] = setup.callsReceived('UpdateFirmware')
    expect(rest).toMatchObject({ retrieveDate: setup.now() })
    const sendStatus = async (status: string, shown: string) => {
      expect(await setup.call('FirmwareStatusNotification', { status })).toEqual({})
      expect((await updateOf(id)).status).toBe(shown)
    }
    return { world: setup, firmware, id, location, sendStatus }
  }

  it('TC_044_1: Firmware Update, Download And Install', async () => {
    const { world: setup, firmware, location, sendStatus } = await startUpdate('AC-044-1')
    await sendStatus('Downloading', 'downloading')
    const file = await fetch(location)
    expect(sha256Of(Buffer.from(await file.arrayBuffer()))).toBe(firmware.sha256)
    await sendStatus('Downloaded', 'downloaded')
    await setup.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await setup.reboot({ firmwareVersion: '2.0.0' })
    await sendStatus('Installed', 'succeeded')
    expect(await setup.readCharger()).toMatchObject({ firmware_version: '2.0.0', status: 'Available' })
    const expected = ['Downloaded', 'Downloading', 'Installed', 'Installing']
    expect(await eventsOf(setup, 'firmware_status')).toEqual(expected)
  })

  it('TC_044_2: Firmware Update, Download Failed', async () => {
    const { id, sendStatus } = await startUpdate('AC-044-2')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('DownloadFailed', 'failed')
    expect((await updateOf(id)).error).toBe('the download failed')
  })

  it('TC_044_3: Firmware Update, Installation Failed', async () => {
    const { world: setup, id, sendStatus } = await startUpdate('AC-044-3')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('Downloaded', 'downloaded')
    await setup.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await sendStatus('InstallationFailed', 'failed')
    await setup.status('Available')
    expect((await updateOf(id)).error).toBe('the installation failed')
  })
})

describe('signed firmware update', () => {
  /** A station that received a request for firmware signed by its manufacturer. */
  async function startUpdate(model: string) {
    const maker = await createTestAuthority('Maker')
    const bytes = randomBytes(500)
    const signature = createSign('sha256').update(bytes).sign(maker.key).toString('base64')
    const form = firmwareForm(bytes, {
      version: '3.0.0',
      device_model: model,
      signing_certificate: maker.cert,
      certificate_signature: signature,
    })
    const { body: firmware } = await upload(operator.api, operator.tenant, form)
    await http('POST', `/api/firmware/versions/${firmware.id}/release`)
    const setup = await operator.openStation({ model })
    setup.respondTo('SignedUpdateFirmware', ACCEPTED)
    const id = await update(setup, firmware, 'SignedUpdateFirmware')
    const [{ requestId, firmware: sent }] = setup.callsReceived('SignedUpdateFirmware')
    expect(sent).toMatchObject({ signature, location: expect.stringMatching(/^http/) })
    // A multipart form ends its lines with CRLF, as HTTP does.
    expect(sent.signingCertificate.replaceAll('\r\n', '\n')).toBe(maker.cert)
    const sendStatus = async (status: string, shown: string) => {
      expect(await setup.call('SignedFirmwareStatusNotification', { status, requestId })).toEqual({})
      expect((await updateOf(id)).status).toBe(shown)
    }
    const secure = async (type: string) => {
      const event = { type, timestamp: setup.now() }
      expect(await setup.call('SecurityEventNotification', event)).toEqual({})
      expect(await setup.readEvents('security')).toEqual([{ type }])
    }
    return { world: setup, id, sendStatus, secure }
  }

  it('TC_080: Secure Firmware Update', async () => {
    const { world: setup, sendStatus, secure } = await startUpdate('AC-080')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('Downloaded', 'downloaded')
    await sendStatus('SignatureVerified', 'downloaded')
    await setup.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await sendStatus('InstallRebooting', 'installing')
    await setup.reboot({ firmwareVersion: '3.0.0' })
    await secure('FirmwareUpdated')
    await sendStatus('Installed', 'succeeded')
    expect(await setup.readCharger()).toMatchObject({ firmware_version: '3.0.0', status: 'Available' })
  })

  it('TC_081: Secure Firmware Update Invalid Signature', async () => {
    const { id, sendStatus, secure } = await startUpdate('AC-081')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('Downloaded', 'downloaded')
    await sendStatus('InvalidSignature', 'failed')
    await secure('InvalidFirmwareSignature')
    expect((await updateOf(id)).error).toBe('the charging station did not accept the signature')
  })
})

describe('file upload of a station', () => {
  /** A station that accepts the request for a file; with the file as the API shows it. */
  async function requestFile(kind: string, action: string, response: object) {
    const setup = await operator.openStation()
    setup.respondTo(action, response)
    const { command, file_id } = await operator.post(`${setup.path}/files`, { kind }, 202)
    expect((await setup.awaitCommandEnd(command)).state).toBe('accepted')
    const file = () => operator.get(`${setup.path}/files/${file_id}`)
    expect((await file()).state).toBe('waiting')
    return { world: setup, file, heard: setup.callsReceived(action)[0] }
  }
  const diagnostics = () => requestFile('diagnostics', 'GetDiagnostics', { fileName: 'diagnostics.zip' })
  const send = async (location: string, bytes: Buffer) => {
    const { status } = await fetch(location, { method: 'PUT', body: new Uint8Array(bytes) })
    expect(status).toBe(204)
  }

  it('TC_045_1: Get Diagnostics', async () => {
    const { world: setup, file, heard: received } = await diagnostics()
    const sendStatus = async (status: string) =>
      expect(await setup.call('DiagnosticsStatusNotification', { status })).toEqual({})
    const bytes = randomBytes(1_000)
    await sendStatus('Uploading')
    await send(received.location, bytes)
    await sendStatus('Uploaded')
    expect(await file()).toMatchObject({
      state: 'received',
      file_name: 'diagnostics.zip',
      sha256: sha256Of(bytes),
    })
    expect(await eventsOf(setup, 'file_upload')).toEqual(['Uploaded', 'Uploading'])
  })

  it('TC_045_2: Get Diagnostics, Upload Failed', async () => {
    const { world: setup, file } = await diagnostics()
    for (const status of ['Uploading', 'UploadFailed'])
      expect(await setup.call('DiagnosticsStatusNotification', { status })).toEqual({})
    expect((await file()).state).toBe('failed')
  })

  it('TC_079: Get Security Log', async () => {
    const response = { ...ACCEPTED, filename: 'security.log' }
    const { world: setup, file, heard: received } = await requestFile('security', 'GetLog', response)
    expect(received).toMatchObject({ logType: 'SecurityLog', requestId: expect.any(Number) })
    const { requestId, log } = received
    const sendStatus = async (status: string) =>
      expect(await setup.call('LogStatusNotification', { status, requestId })).toEqual({})
    const bytes = randomBytes(1_000)
    await sendStatus('Uploading')
    await send(log.remoteLocation, bytes)
    await sendStatus('Uploaded')
    expect(await file()).toMatchObject({
      state: 'received',
      file_name: 'security.log',
      sha256: sha256Of(bytes),
    })
  })
})

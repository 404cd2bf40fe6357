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
  world: StationFixture,
  firmware: Pick<TestFirmware, 'id'>,
  action: string,
): Promise<string> {
  const order = { device_id: world.charger.device_id, firmware_version_id: firmware.id }
  const { status, body } = await http('POST', '/api/ota/updates', order)
  expect(status).toBe(201)
  const { items } = await operator.get(`${world.path}/commands`)
  expect((await world.awaitCommandEnd(items[0])).state).toBe('accepted')
  expect(world.callsReceived(action)).toHaveLength(1)
  return body.id
}

const eventsOf = async (world: StationFixture, type: string) =>
  (await world.readEvents(type)).map(({ status }) => status).toSorted()

describe('firmware update', () => {
  /** A station that received the location of its new firmware. */
  async function startUpdate(model: string) {
    const world = await operator.openStation({ model })
    const firmware = await releaseFirmware(operator.api, operator.tenant, { version: '2.0.0', model })
    world.respondTo('UpdateFirmware', {})
    const id = await update(world, firmware, 'UpdateFirmware')
    const [{ location, ...rest }] = world.callsReceived('UpdateFirmware')
    expect(rest).toMatchObject({ retrieveDate: world.now() })
    const sendStatus = async (status: string, shown: string) => {
      expect(await world.call('FirmwareStatusNotification', { status })).toEqual({})
      expect((await updateOf(id)).status).toBe(shown)
    }
    return { world, firmware, id, location, sendStatus: sendStatus }
  }

  it('TC_044_1: Firmware Update, Download And Install', async () => {
    const { world, firmware, location, sendStatus } = await startUpdate('AC-044-1')
    await sendStatus('Downloading', 'downloading')
    const file = await fetch(location)
    expect(sha256Of(Buffer.from(await file.arrayBuffer()))).toBe(firmware.sha256)
    await sendStatus('Downloaded', 'downloaded')
    await world.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await world.reboot({ firmwareVersion: '2.0.0' })
    await sendStatus('Installed', 'succeeded')
    expect(await world.readCharger()).toMatchObject({ firmware_version: '2.0.0', status: 'Available' })
    const said = ['Downloaded', 'Downloading', 'Installed', 'Installing']
    expect(await eventsOf(world, 'firmware_status')).toEqual(said)
  })

  it('TC_044_2: Firmware Update, Download Failed', async () => {
    const { id, sendStatus } = await startUpdate('AC-044-2')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('DownloadFailed', 'failed')
    expect((await updateOf(id)).error).toBe('the download failed')
  })

  it('TC_044_3: Firmware Update, Installation Failed', async () => {
    const { world, id, sendStatus } = await startUpdate('AC-044-3')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('Downloaded', 'downloaded')
    await world.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await sendStatus('InstallationFailed', 'failed')
    await world.status('Available')
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
    const world = await operator.openStation({ model })
    world.respondTo('SignedUpdateFirmware', ACCEPTED)
    const id = await update(world, firmware, 'SignedUpdateFirmware')
    const [{ requestId, firmware: sent }] = world.callsReceived('SignedUpdateFirmware')
    expect(sent).toMatchObject({ signature, location: expect.stringMatching(/^http/) })
    // A multipart form ends its lines with CRLF, as HTTP does.
    expect(sent.signingCertificate.replaceAll('\r\n', '\n')).toBe(maker.cert)
    const sendStatus = async (status: string, shown: string) => {
      expect(await world.call('SignedFirmwareStatusNotification', { status, requestId })).toEqual({})
      expect((await updateOf(id)).status).toBe(shown)
    }
    const secure = async (type: string) => {
      const event = { type, timestamp: world.now() }
      expect(await world.call('SecurityEventNotification', event)).toEqual({})
      expect(await world.readEvents('security')).toEqual([{ type }])
    }
    return { world, id, sendStatus: sendStatus, secure }
  }

  it('TC_080: Secure Firmware Update', async () => {
    const { world, sendStatus, secure } = await startUpdate('AC-080')
    await sendStatus('Downloading', 'downloading')
    await sendStatus('Downloaded', 'downloaded')
    await sendStatus('SignatureVerified', 'downloaded')
    await world.status('Unavailable')
    await sendStatus('Installing', 'installing')
    await sendStatus('InstallRebooting', 'installing')
    await world.reboot({ firmwareVersion: '3.0.0' })
    await secure('FirmwareUpdated')
    await sendStatus('Installed', 'succeeded')
    expect(await world.readCharger()).toMatchObject({ firmware_version: '3.0.0', status: 'Available' })
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
  async function asked(kind: string, action: string, answer: object) {
    const world = await operator.openStation()
    world.respondTo(action, answer)
    const { command, file_id } = await operator.post(`${world.path}/files`, { kind }, 202)
    expect((await world.awaitCommandEnd(command)).state).toBe('accepted')
    const file = () => operator.get(`${world.path}/files/${file_id}`)
    expect((await file()).state).toBe('waiting')
    return { world, file, heard: world.callsReceived(action)[0] }
  }
  const diagnostics = () => asked('diagnostics', 'GetDiagnostics', { fileName: 'diagnostics.zip' })
  const send = async (location: string, bytes: Buffer) => {
    const { status } = await fetch(location, { method: 'PUT', body: new Uint8Array(bytes) })
    expect(status).toBe(204)
  }

  it('TC_045_1: Get Diagnostics', async () => {
    const { world, file, heard } = await diagnostics()
    const sendStatus = async (status: string) =>
      expect(await world.call('DiagnosticsStatusNotification', { status })).toEqual({})
    const bytes = randomBytes(1_000)
    await sendStatus('Uploading')
    await send(heard.location, bytes)
    await sendStatus('Uploaded')
    expect(await file()).toMatchObject({
      state: 'received',
      file_name: 'diagnostics.zip',
      sha256: sha256Of(bytes),
    })
    expect(await eventsOf(world, 'file_upload')).toEqual(['Uploaded', 'Uploading'])
  })

  it('TC_045_2: Get Diagnostics, Upload Failed', async () => {
    const { world, file } = await diagnostics()
    for (const status of ['Uploading', 'UploadFailed'])
      expect(await world.call('DiagnosticsStatusNotification', { status })).toEqual({})
    expect((await file()).state).toBe('failed')
  })

  it('TC_079: Get Security Log', async () => {
    const answer = { ...ACCEPTED, filename: 'security.log' }
    const { world, file, heard } = await asked('security', 'GetLog', answer)
    expect(heard).toMatchObject({ logType: 'SecurityLog', requestId: expect.any(Number) })
    const { requestId, log } = heard
    const sendStatus = async (status: string) =>
      expect(await world.call('LogStatusNotification', { status, requestId })).toEqual({})
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

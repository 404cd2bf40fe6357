// Must be imported before @peculiar/x509.
import 'reflect-metadata'
import { createSign, randomBytes, webcrypto } from 'node:crypto'
import { X509CertificateGenerator } from '@peculiar/x509'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCommandQueue } from '../../../src/areas/charging/stations.ts'
import type { OcppVersion } from '../../../src/kernel/ocpp.ts'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startFilesApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import {
  firmwareForm,
  releaseFirmware,
  sha256Of,
  type TestFirmware,
  upload,
} from '../../support/updates/firmware.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let ownTenant: TestTenant
beforeAll(async () => {
  api = await startFilesApi()
  ownTenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: ownTenant.admin.token, ...(body && { body }) })
const order = ({ device_id }: TestCharger, { id }: Pick<TestFirmware, 'id'>, more: object = {}) =>
  call('POST', '/api/ota/updates', { device_id, firmware_version_id: id, ...more })
const updateOf = async (id: string) => (await call('GET', `/api/ota/updates/${id}`)).body

let number = 0
/** A model of its own, so that only this test affects it. */
async function stationWithFirmware(version: OcppVersion) {
  number += 1
  const model = `AC-22-${number}`
  const charger = await createCharger(api, ownTenant, { model })
  const firmware = await releaseFirmware(api, ownTenant, { version: '2.0.0', model })
  const station = await connectStation(api, charger, { version })
  return { charger, firmware, station, model }
}

/** Per protocol version: the request that the station receives, and the status messages that it sends. */
const DIALECTS = {
  '1.6': {
    yes: {},
    locationOf: (payload: { location: string }) => payload.location,
    sendStatus: (station: TestStation, status: string) =>
      station.call('FirmwareStatusNotification', { status }),
  },
  '2.0.1': {
    yes: { status: 'Accepted' },
    locationOf: (payload: { firmware: { location: string } }) => payload.firmware.location,
    sendStatus: (station: TestStation, status: string) =>
      station.call('FirmwareStatusNotification', { status, requestId: lastOrder(station).requestId }),
  },
} as const

const orders = (station: TestStation) => station.called.filter(({ action }) => action === 'UpdateFirmware')
const lastOrder = (station: TestStation) => orders(station).at(-1)?.payload
const hasOrders = (station: TestStation, times: number) => waitFor(() => orders(station).length === times)

describe.each(['1.6', '2.0.1'] as const)('charging station firmware (OCPP %s)', (version) => {
  const { yes, locationOf, sendStatus } = DIALECTS[version]

  it('is downloaded by its link and installed, and each step appears in the update', async () => {
    const { charger, firmware, station } = await stationWithFirmware(version)
    station.onCall('UpdateFirmware', () => yes)
    const { status, body: update } = await order(charger, firmware)
    expect([status, update.status]).toEqual([201, 'notified'])
    await hasOrders(station, 1)
    const file = await fetch(locationOf(lastOrder(station)))
    expect(sha256Of(Buffer.from(await file.arrayBuffer()))).toBe(firmware.sha256)
    for (const [word, shown] of [
      ['Downloading', 'downloading'],
      ['Downloaded', 'downloaded'],
      ['Idle', 'downloaded'],
      ['Installing', 'installing'],
      ['Installed', 'succeeded'],
      ['Downloading', 'succeeded'],
    ] as const) {
      await sendStatus(station, word)
      expect((await updateOf(update.id)).status, word).toBe(shown)
    }
    const commands = await call('GET', `/api/ocpp/chargers/${charger.id}/commands`)
    expect(commands.body.items).toMatchObject([{ action: 'update_firmware', state: 'accepted' }])
    const events = await call('GET', `/api/ocpp/chargers/${charger.id}/events?event_type=firmware_status`)
    expect(events.body.total).toBe(5)
    await station.end()
  })

  it('is requested again after a failure, and a late status of the first attempt has no effect', async () => {
    const { charger, firmware, station } = await stationWithFirmware(version)
    station.onCall('UpdateFirmware', () => yes)
    const { id } = (await order(charger, firmware)).body
    await hasOrders(station, 1)
    const first = lastOrder(station)
    await sendStatus(station, 'DownloadFailed')
    expect(await updateOf(id)).toMatchObject({ status: 'failed', error: 'the download failed' })
    expect((await call('POST', `/api/ota/updates/${id}/retry`)).status).toBe(200)
    await hasOrders(station, 2)
    if (version === '2.0.1') {
      await station.call('FirmwareStatusNotification', {
        status: 'DownloadFailed',
        requestId: first.requestId,
      })
      expect((await updateOf(id)).status).toBe('notified')
    }
    expect((await fetch(locationOf(first))).status).toBe(404)
    await sendStatus(station, 'Installing')
    await sendStatus(station, 'InstallationFailed')
    expect(await updateOf(id)).toMatchObject({
      status: 'failed',
      attempt: 2,
      error: 'the installation failed',
    })
    await station.end()
  })

  it('is sent to a station after it reconnects and counts as installed after its boot', async () => {
    const { charger, firmware, station } = await stationWithFirmware(version)
    await station.end()
    const { id } = (await order(charger, firmware)).body
    const again = await connectStation(api, charger, { version, responses: { UpdateFirmware: () => yes } })
    await hasOrders(again, 1)
    await sendStatus(again, 'Downloaded')
    await sendStatus(again, 'Installing')
    const booted = { vendor: 'V', model: 'M', firmware: firmware.version }
    await again.call(
      'BootNotification',
      version === '1.6'
        ? {
            chargePointVendor: booted.vendor,
            chargePointModel: booted.model,
            firmwareVersion: booted.firmware,
          }
        : {
            reason: 'FirmwareUpdate',
            chargingStation: {
              vendorName: booted.vendor,
              model: booted.model,
              firmwareVersion: booted.firmware,
            },
          },
    )
    expect((await updateOf(id)).status).toBe('succeeded')
    await again.end()
  })

  it('is not sent any more after the cancellation', async () => {
    const { charger, firmware, station } = await stationWithFirmware(version)
    await station.end()
    const { id } = (await order(charger, firmware)).body
    expect((await call('POST', `/api/ota/updates/${id}/cancel`)).body.status).toBe('cancelled')
    const { items } = (await call('GET', `/api/ocpp/chargers/${charger.id}/commands`)).body
    expect(items).toMatchObject([{ action: 'update_firmware', state: 'cancelled' }])
  })
})

describe('firmware update that cannot be sent', () => {
  it('fails with the reason that the station gives', async () => {
    const { charger, firmware, station } = await stationWithFirmware('2.0.1')
    station.onCall('UpdateFirmware', () => ({ status: 'Rejected' }))
    const { id } = (await order(charger, firmware)).body
    await waitFor(async () => (await updateOf(id)).status === 'failed')
    expect((await updateOf(id)).error).toBe('the charging station refused the update')
    await station.end()
  })

  it('fails with the reason of the service in the language of its reader', async () => {
    const { charger, firmware, station } = await stationWithFirmware('2.0.1')
    station.onCall('UpdateFirmware', () => new Promise(() => {}))
    const { id } = (await order(charger, firmware)).body
    await hasOrders(station, 1)
    const { items } = (await call('GET', `/api/ocpp/chargers/${charger.id}/commands`)).body
    // JSON of a station may have a number that JavaScript reads as infinity (1e999); the test station cannot send one.
    const response = { status: 'Rejected', customData: Number.POSITIVE_INFINITY }
    const command = { tenantId: ownTenant.id, id: items[0].id }
    await openCommandQueue(api.deps).finish(command, { transition: 'reject', response })
    await station.end()
    await waitFor(async () => (await updateOf(id)).status === 'failed')
    expect((await updateOf(id)).error).toBe(
      'the answer cannot be kept: it must not contain a number beyond 1.8e308',
    )
    const inTurkish = await api.call('GET', `/api/ota/updates/${id}`, {
      token: ownTenant.admin.token,
      headers: { 'accept-language': 'tr' },
    })
    expect(inTurkish.body.error).toBe(
      'şarj istasyonu komutu başarısız oldu: yanıt saklanamıyor: 1,8e308 değerini aşan bir sayı içermemeli',
    )
  })

  it('is rejected with 409 under a lockout', async () => {
    const { charger, firmware, station } = await stationWithFirmware('1.6')
    const setup = await setUpLoto(api, ownTenant)
    const point = await createPoint(setup, { device_id: charger.device_id })
    await lotoCalls(setup).inStatus('applied', [point])
    const response = await order(charger, firmware)
    expect([response.status, response.body.error_code]).toEqual([409, 'LOTO_LOCKED_OUT'])
    await station.end()
  })

  it('is rejected with 409 without a public address and with 422 for another model', async () => {
    const { charger, firmware, station } = await stationWithFirmware('1.6')
    const other = await releaseFirmware(api, ownTenant, { version: '2.0.0', model: 'another' })
    expect((await order(charger, other)).status).toBe(422)
    Object.assign(api.deps.config, { publicBaseUrl: undefined })
    try {
      expect((await order(charger, firmware)).status).toBe(409)
    } finally {
      Object.assign(api.deps.config, { publicBaseUrl: api.url })
    }
    await station.end()
  })
})

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A manufacturer: a certificate, and signatures made with its key. */
async function manufacturer() {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Maker',
    notBefore: new Date(now),
    notAfter: new Date(now + 86_400_000),
    keys,
    signingAlgorithm: EC,
  })
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const pem = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----`
  const sign = (bytes: Buffer) => createSign('sha256').update(bytes).sign(pem).toString('base64')
  return { certificate: certificate.toString('pem'), sign }
}

describe('signed firmware', () => {
  it('is verified against its certificate at the upload', async () => {
    const { certificate, sign } = await manufacturer()
    const bytes = randomBytes(500)
    const send = (version: string, fields: Record<string, string>) =>
      upload(api, ownTenant, firmwareForm(bytes, { version, device_model: 'signed', ...fields }))
    const good = { signing_certificate: certificate, certificate_signature: sign(bytes) }
    expect((await send('1.0.0', good)).status).toBe(201)
    for (const wrong of [
      { ...good, certificate_signature: sign(randomBytes(500)) },
      { ...good, signing_certificate: (await manufacturer()).certificate },
      { ...good, signing_certificate: 'no certificate' },
      { signing_certificate: certificate },
      { certificate_signature: good.certificate_signature },
    ]) {
      const response = await send('1.0.1', wrong)
      expect([response.status, response.body.detail?.error_code ?? response.body.error_code]).toEqual([
        422,
        'FIRMWARE_SIGNATURE_INVALID',
      ])
    }
  })

  it('is sent with certificate and signature, and a station that rejects them ends the update', async () => {
    const { certificate, sign } = await manufacturer()
    const model = 'AC-SIGNED'
    const bytes = randomBytes(700)
    const form = firmwareForm(bytes, {
      version: '3.0.0',
      device_model: model,
      signing_certificate: certificate,
      certificate_signature: sign(bytes),
    })
    const firmware = (await upload(api, ownTenant, form)).body
    await call('POST', `/api/firmware/versions/${firmware.id}/release`)
    const charger = await createCharger(api, ownTenant, { model })
    const station = await connectStation(api, charger)
    station.onCall('SignedUpdateFirmware', () => ({ status: 'Accepted' }))
    const { id } = (await order(charger, firmware)).body
    await waitFor(() => station.called.length === 1)
    const { requestId, firmware: sent } = station.called[0]?.payload ?? {}
    // A multipart form ends its lines with CRLF, as HTTP does.
    expect(sent.signingCertificate.replaceAll('\r\n', '\n')).toBe(certificate)
    const sendStatus = (status: string) =>
      station.call('SignedFirmwareStatusNotification', { status, requestId })
    await sendStatus('Downloading')
    await sendStatus('Downloaded')
    expect((await updateOf(id)).status).toBe('downloaded')
    await sendStatus('InvalidSignature')
    expect(await updateOf(id)).toMatchObject({
      status: 'failed',
      error: 'the charging station did not accept the signature',
    })
    await station.end()
  })
})

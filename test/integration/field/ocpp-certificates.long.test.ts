import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { createSigningRequest } from '../../support/field/certificates.ts'
import { connectStation, createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { newCredentialKey } from '../../support/netting/market-accounts.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const key = newCredentialKey()
let api: TestApi
let ownTenant: TestTenant
beforeAll(async () => {
  api = await startOcppApi({ config: { credentialEncryptionKey: key } })
  ownTenant = await createTenant(api)
})
afterAll(() => api.close())

const get = (path: string) => api.call('GET', `/api/ocpp${path}`, { token: ownTenant.viewer.token })
const post = ({ id }: TestCharger, path: string, body: object) =>
  api.call('POST', `/api/ocpp/chargers/${id}/certificates/${path}`, { token: ownTenant.operator.token, body })

async function connected(version: '1.6' | '2.0.1' = '1.6') {
  const charger = await createCharger(api, ownTenant)
  const station = await connectStation(api, charger, { version })
  station.onCall('CertificateSigned', () => ({ status: 'Accepted' }))
  return { charger, station }
}

describe.each(['1.6', '2.0.1'] as const)('station certificate (OCPP %s)', (version) => {
  it.each(['ECDSA', 'RSA'] as const)('is issued for a key of %s and sent', async (kind) => {
    const { charger, station } = await connected(version)
    const csr = await createSigningRequest(charger.cpid, kind)
    expect(await station.call('SignCertificate', { csr })).toEqual({ status: 'Accepted' })
    await waitFor(() => station.called.length === 1)
    const certificate = new X509Certificate(station.called[0]?.payload.certificateChain)
    const authority = (await get('/authority')).body
    expect(certificate.subject).toBe(`CN=${charger.cpid}`)
    expect(certificate.verify(new X509Certificate(authority.certificate_pem).publicKey)).toBe(true)
    expect(authority.sha256).toMatch(/^[0-9a-f]{64}$/)
    const listed = (await get(`/chargers/${charger.id}/certificates`)).body
    expect(listed).toMatchObject({
      total: 1,
      items: [
        { serial: certificate.serialNumber.toLowerCase(), certificate_pem: certificate.toString().trim() },
      ],
    })
    // The same request again, from the station or a replayed log, has no effect.
    await waitFor(async () => {
      const { items } = (await get(`/chargers/${charger.id}/commands`)).body
      return items[0].state === 'accepted'
    })
    expect(await station.call('SignCertificate', { csr })).toEqual({ status: 'Accepted' })
    expect((await get(`/chargers/${charger.id}/certificates`)).body.total).toBe(1)
    expect((await get(`/chargers/${charger.id}/commands`)).body.total).toBe(1)
    await station.end()
  })
})

describe('rejected certificate signing request', () => {
  it.each([
    ['for another station', async () => createSigningRequest('CP-OF-ANOTHER'), 'it names another station'],
    ['that is malformed', async () => 'no request', 'it cannot be read'],
  ])('%s is recorded with its reason among the events', async (_, csr, reason) => {
    const { charger, station } = await connected()
    expect(await station.call('SignCertificate', { csr: await csr() })).toEqual({ status: 'Rejected' })
    const { items } = (await get(`/chargers/${charger.id}/events?event_type=certificate_refused`)).body
    expect(items).toMatchObject([{ details: { reason } }])
    expect((await get(`/chargers/${charger.id}/certificates`)).body.total).toBe(0)
    await station.end()
  })

  it('is rejected without a key to encrypt the authority key, and accepted with one', async () => {
    const { charger, station } = await connected()
    const csr = await createSigningRequest(charger.cpid)
    Object.assign(api.deps.config, { credentialEncryptionKey: undefined })
    try {
      expect(await station.call('SignCertificate', { csr })).toEqual({ status: 'Rejected' })
    } finally {
      Object.assign(api.deps.config, { credentialEncryptionKey: key })
    }
    expect(await station.call('SignCertificate', { csr })).toEqual({ status: 'Accepted' })
    await station.end()
  })
})

describe('root certificates of a station', () => {
  it('are installed, listed and deleted by commands that record the responses', async () => {
    const { charger, station } = await connected()
    await station.call('SignCertificate', { csr: await createSigningRequest(charger.cpid) })
    const { certificate_pem } = (await get('/authority')).body
    const hash = {
      hashAlgorithm: 'SHA256',
      issuerNameHash: 'ab12',
      issuerKeyHash: 'cd34',
      serialNumber: '01',
    }
    station.onCall('InstallCertificate', () => ({ status: 'Accepted' }))
    station.onCall('GetInstalledCertificateIds', () => ({ status: 'Accepted', certificateHashData: [hash] }))
    station.onCall('DeleteCertificate', () => ({ status: 'NotFound' }))
    const use = 'central_system_root'
    expect((await post(charger, 'install', { use, certificate_pem })).status).toBe(202)
    expect((await post(charger, 'installed', { use })).status).toBe(202)
    const named = {
      hash_algorithm: 'SHA256',
      issuer_name_hash: 'ab12',
      issuer_key_hash: 'cd34',
      serial: '01',
    }
    expect((await post(charger, 'delete', named)).status).toBe(202)
    const ended = async () =>
      (await get(`/chargers/${charger.id}/commands?sort_by=number&sort_order=asc`)).body.items.map(
        ({ action, state }: { action: string; state: string }) => `${action} ${state}`,
      )
    await waitFor(
      async () => !(await ended()).join().includes('pending') && !(await ended()).join().includes('sent'),
    )
    expect(await ended()).toEqual([
      'sign_certificate_answer accepted',
      'install_certificate accepted',
      'list_certificates accepted',
      'delete_certificate rejected',
    ])
    expect(station.called.slice(1)).toEqual([
      {
        action: 'InstallCertificate',
        payload: { certificateType: 'CentralSystemRootCertificate', certificate: certificate_pem },
      },
      {
        action: 'GetInstalledCertificateIds',
        payload: { certificateType: 'CentralSystemRootCertificate' },
      },
      { action: 'DeleteCertificate', payload: { certificateHashData: hash } },
    ])
    await station.end()
  })

  it('that are invalid are rejected with the field', async () => {
    const charger = await createCharger(api, ownTenant)
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    for (const certificate_pem of ['text', pem]) {
      const response = await post(charger, 'install', { use: 'manufacturer_root', certificate_pem })
      expect([response.status, response.text]).toEqual([422, expect.stringContaining('certificate_pem')])
    }
  })
})

describe('security event', () => {
  it('is stored once, at its own time', async () => {
    const { charger, station } = await connected()
    const event = {
      type: 'InvalidCentralSystemCertificate',
      timestamp: '2026-10-05T08:30:00Z',
      techInfo: 'the chain ends nowhere',
    }
    for (let times = 0; times < 3; times++)
      expect(await station.call('SecurityEventNotification', event)).toEqual({})
    expect((await get(`/chargers/${charger.id}/events?event_type=security`)).body).toMatchObject({
      total: 1,
      items: [
        {
          occurred_at: '2026-10-05T08:30:00.000Z',
          details: { type: 'InvalidCentralSystemCertificate', tech_info: 'the chain ends nowhere' },
        },
      ],
    })
    await station.end()
  })
})

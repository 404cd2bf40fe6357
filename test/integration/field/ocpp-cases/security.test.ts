import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSigningRequest, createTestAuthority } from '../../../support/field/certificates.ts'
import { newCredentialKey } from '../../../support/netting/market-accounts.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { ACCEPTED, type Operator, REJECTED, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases({ config: { credentialEncryptionKey: newCredentialKey() } })
})
afterAll(() => operator.close())

describe('authentication of a station', () => {
  it('TC_073: Update Charge Point Password For Http Basic Auth', async () => {
    const setup = await operator.openStation()
    await setup.boot()
    setup.respondTo('ChangeConfiguration', ACCEPTED)
    const { password, command } = await operator.post(`${setup.path}/password`, { push: true }, 200)
    expect((await setup.awaitCommandEnd(command)).state).toBe('accepted')
    expect(setup.callsReceived('ChangeConfiguration')).toEqual([{ key: 'AuthorizationKey', value: password }])
    await setup.disconnect()
    await expect(setup.connect()).rejects.toMatchObject({ code: 401 })
    await setup.reboot({}, { password: Buffer.from(password, 'hex') })
    expect((await setup.readCharger()).has_pending_password).toBe(false)
  })

  it('TC_085: Basic Authentication Valid Credentials', async () => {
    const setup = await operator.createStation()
    await expect(setup.connect({ password: 'wrong-wrong-wrong' })).rejects.toMatchObject({ code: 401 })
    await setup.connect()
    await setup.boot()
    expect(await setup.readCharger()).toMatchObject({ is_online: true, security_profile: 1 })
  })

  it('TC_088: Web Socket Subprotocol Negotiation', async () => {
    const setup = await operator.createStation()
    await expect(setup.connect({ protocols: ['ocpp2.0.1'] })).rejects.toThrow(/subprotocol/i)
    expect(await setup.readCharger()).toMatchObject({ is_online: false, connected_at: null })
    await setup.connect({ protocols: ['ocpp2.0.1', 'ocpp1.6'] })
    expect(setup.socket.client.protocol).toBe('ocpp1.6')
    await setup.boot()
    expect(await setup.readCharger()).toMatchObject({ is_online: true, ocpp_version: '1.6' })
  })
})

describe('certificate of a station', () => {
  /**
   * Asks the station to request a certificate, which it does; the station responds to the certificate as
   * given.
   */
  async function sign(setup: StationFixture, kind: 'ECDSA' | 'RSA', status: string) {
    const message = 'sign_charging_station_certificate'
    const order = { action: 'extended_trigger_message', message }
    const { state, heard: received } = await setup.sendCommand(order, ['ExtendedTriggerMessage', ACCEPTED])
    expect([state, received]).toEqual(['accepted', { requestedMessage: 'SignChargePointCertificate' }])
    setup.respondTo('CertificateSigned', { status })
    const csr = await createSigningRequest(setup.charger.cpid, kind)
    expect(await setup.call('SignCertificate', { csr })).toEqual(ACCEPTED)
    await waitFor(() => setup.callsReceived('CertificateSigned').length === 1)
    const { items } = await operator.get(`${setup.path}/commands?action=sign_certificate_answer`)
    const command = await setup.awaitCommandEnd(items[0])
    return {
      command,
      certificate: new X509Certificate(setup.callsReceived('CertificateSigned')[0].certificateChain),
    }
  }

  async function signed(kind: 'ECDSA' | 'RSA', keyType: string) {
    const setup = await operator.openStation()
    const { command, certificate } = await sign(setup, kind, 'Accepted')
    expect(command.state).toBe('accepted')
    expect([certificate.subject, certificate.publicKey.asymmetricKeyType]).toEqual([
      `CN=${setup.charger.cpid}`,
      keyType,
    ])
    const authority = new X509Certificate((await operator.get('/authority')).certificate_pem)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    const { items } = await operator.get(`${setup.path}/certificates`)
    expect(items).toMatchObject([{ serial: certificate.serialNumber.toLowerCase() }])
  }

  it('TC_074: Sign Certificate Request Accepted, ECDSA', () => signed('ECDSA', 'ec'))

  it('TC_074: Sign Certificate Request Accepted, RSA', () => signed('RSA', 'rsa'))

  it('TC_077: Invalid Charge Point Certificate Security Event', async () => {
    const setup = await operator.openStation()
    const { command } = await sign(setup, 'ECDSA', 'Rejected')
    expect(command).toMatchObject({ state: 'rejected', answer: REJECTED })
    const event = { type: 'InvalidChargePointCertificate', timestamp: setup.now(), techInfo: 'not mine' }
    expect(await setup.call('SecurityEventNotification', event)).toEqual({})
    expect(await setup.readEvents('security')).toEqual([{ type: event.type, tech_info: 'not mine' }])
  })
})

describe('root certificates', () => {
  const HASH = {
    hashAlgorithm: 'SHA256',
    issuerNameHash: 'ab12',
    issuerKeyHash: 'cd34',
    serialNumber: '01',
  }
  const ask = async (setup: StationFixture, kind: string, body: object) =>
    setup.awaitCommandEnd(await operator.post(`${setup.path}/certificates/${kind}`, body, 202))

  /** The station has a certificate of this use installed, and reports it. */
  async function installed(use: string, certificateType: string): Promise<StationFixture> {
    const setup = await operator.openStation()
    const { cert: certificate_pem } = await createTestAuthority('Root')
    setup.respondTo('InstallCertificate', ACCEPTED)
    expect((await ask(setup, 'install', { use, certificate_pem })).state).toBe('accepted')
    expect(setup.callsReceived('InstallCertificate')).toEqual([
      { certificateType, certificate: certificate_pem },
    ])
    const response = { ...ACCEPTED, certificateHashData: [HASH] }
    setup.respondTo('GetInstalledCertificateIds', response)
    expect(await ask(setup, 'installed', { use })).toMatchObject({ state: 'accepted', answer: response })
    expect(setup.callsReceived('GetInstalledCertificateIds')).toEqual([{ certificateType }])
    return setup
  }

  it('TC_075_1: Install Manufacturer Root Certificate', async () => {
    await installed('manufacturer_root', 'ManufacturerRootCertificate')
  })

  it('TC_075_2: Install Central System Root Certificate', async () => {
    await installed('central_system_root', 'CentralSystemRootCertificate')
  })

  it('TC_076: Delete Specific Installed Certificate', async () => {
    const setup = await installed('central_system_root', 'CentralSystemRootCertificate')
    setup.respondTo('DeleteCertificate', ACCEPTED)
    const named = {
      hash_algorithm: 'SHA256',
      issuer_name_hash: 'ab12',
      issuer_key_hash: 'cd34',
      serial: '01',
    }
    expect((await ask(setup, 'delete', named)).state).toBe('accepted')
    expect(setup.callsReceived('DeleteCertificate')).toEqual([{ certificateHashData: HASH }])
    const response = { status: 'NotFound' }
    setup.respondTo('GetInstalledCertificateIds', response)
    const left = await ask(setup, 'installed', { use: 'central_system_root' })
    expect(left).toMatchObject({ state: 'accepted', answer: response })
  })
})

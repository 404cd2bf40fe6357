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
    const world = await operator.openStation()
    await world.boot()
    world.respondTo('ChangeConfiguration', ACCEPTED)
    const { password, command } = await operator.post(`${world.path}/password`, { push: true }, 200)
    expect((await world.awaitCommandEnd(command)).state).toBe('accepted')
    expect(world.callsReceived('ChangeConfiguration')).toEqual([{ key: 'AuthorizationKey', value: password }])
    await world.disconnect()
    await expect(world.connect()).rejects.toMatchObject({ code: 401 })
    await world.reboot({}, { password: Buffer.from(password, 'hex') })
    expect((await world.readCharger()).has_pending_password).toBe(false)
  })

  it('TC_085: Basic Authentication Valid Credentials', async () => {
    const world = await operator.createStation()
    await expect(world.connect({ password: 'wrong-wrong-wrong' })).rejects.toMatchObject({ code: 401 })
    await world.connect()
    await world.boot()
    expect(await world.readCharger()).toMatchObject({ is_online: true, security_profile: 1 })
  })

  it('TC_088: Web Socket Subprotocol Negotiation', async () => {
    const world = await operator.createStation()
    await expect(world.connect({ protocols: ['ocpp2.0.1'] })).rejects.toThrow(/subprotocol/i)
    expect(await world.readCharger()).toMatchObject({ is_online: false, connected_at: null })
    await world.connect({ protocols: ['ocpp2.0.1', 'ocpp1.6'] })
    expect(world.socket.client.protocol).toBe('ocpp1.6')
    await world.boot()
    expect(await world.readCharger()).toMatchObject({ is_online: true, ocpp_version: '1.6' })
  })
})

describe('certificate of a station', () => {
  /**
   * Asks the station to request a certificate, which it does; the station responds to the certificate as
   * given.
   */
  async function sign(world: StationFixture, kind: 'ECDSA' | 'RSA', status: string) {
    const message = 'sign_charging_station_certificate'
    const order = { action: 'extended_trigger_message', message }
    const { state, heard } = await world.sendCommand(order, ['ExtendedTriggerMessage', ACCEPTED])
    expect([state, heard]).toEqual(['accepted', { requestedMessage: 'SignChargePointCertificate' }])
    world.respondTo('CertificateSigned', { status })
    const csr = await createSigningRequest(world.charger.cpid, kind)
    expect(await world.call('SignCertificate', { csr })).toEqual(ACCEPTED)
    await waitFor(() => world.callsReceived('CertificateSigned').length === 1)
    const { items } = await operator.get(`${world.path}/commands?action=sign_certificate_answer`)
    const command = await world.awaitCommandEnd(items[0])
    return {
      command,
      certificate: new X509Certificate(world.callsReceived('CertificateSigned')[0].certificateChain),
    }
  }

  async function signed(kind: 'ECDSA' | 'RSA', keyType: string) {
    const world = await operator.openStation()
    const { command, certificate } = await sign(world, kind, 'Accepted')
    expect(command.state).toBe('accepted')
    expect([certificate.subject, certificate.publicKey.asymmetricKeyType]).toEqual([
      `CN=${world.charger.cpid}`,
      keyType,
    ])
    const authority = new X509Certificate((await operator.get('/authority')).certificate_pem)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    const { items } = await operator.get(`${world.path}/certificates`)
    expect(items).toMatchObject([{ serial: certificate.serialNumber.toLowerCase() }])
  }

  it('TC_074: Sign Certificate Request Accepted, ECDSA', () => signed('ECDSA', 'ec'))

  it('TC_074: Sign Certificate Request Accepted, RSA', () => signed('RSA', 'rsa'))

  it('TC_077: Invalid Charge Point Certificate Security Event', async () => {
    const world = await operator.openStation()
    const { command } = await sign(world, 'ECDSA', 'Rejected')
    expect(command).toMatchObject({ state: 'rejected', answer: REJECTED })
    const event = { type: 'InvalidChargePointCertificate', timestamp: world.now(), techInfo: 'not mine' }
    expect(await world.call('SecurityEventNotification', event)).toEqual({})
    expect(await world.readEvents('security')).toEqual([{ type: event.type, tech_info: 'not mine' }])
  })
})

describe('root certificates', () => {
  const HASH = {
    hashAlgorithm: 'SHA256',
    issuerNameHash: 'ab12',
    issuerKeyHash: 'cd34',
    serialNumber: '01',
  }
  const ask = async (world: StationFixture, what: string, body: object) =>
    world.awaitCommandEnd(await operator.post(`${world.path}/certificates/${what}`, body, 202))

  /** The station has a certificate of this use installed, and reports it. */
  async function installed(use: string, certificateType: string): Promise<StationFixture> {
    const world = await operator.openStation()
    const { cert: certificate_pem } = await createTestAuthority('Root')
    world.respondTo('InstallCertificate', ACCEPTED)
    expect((await ask(world, 'install', { use, certificate_pem })).state).toBe('accepted')
    expect(world.callsReceived('InstallCertificate')).toEqual([
      { certificateType, certificate: certificate_pem },
    ])
    const answer = { ...ACCEPTED, certificateHashData: [HASH] }
    world.respondTo('GetInstalledCertificateIds', answer)
    expect(await ask(world, 'installed', { use })).toMatchObject({ state: 'accepted', answer })
    expect(world.callsReceived('GetInstalledCertificateIds')).toEqual([{ certificateType }])
    return world
  }

  it('TC_075_1: Install Manufacturer Root Certificate', async () => {
    await installed('manufacturer_root', 'ManufacturerRootCertificate')
  })

  it('TC_075_2: Install Central System Root Certificate', async () => {
    await installed('central_system_root', 'CentralSystemRootCertificate')
  })

  it('TC_076: Delete Specific Installed Certificate', async () => {
    const world = await installed('central_system_root', 'CentralSystemRootCertificate')
    world.respondTo('DeleteCertificate', ACCEPTED)
    const named = {
      hash_algorithm: 'SHA256',
      issuer_name_hash: 'ab12',
      issuer_key_hash: 'cd34',
      serial: '01',
    }
    expect((await ask(world, 'delete', named)).state).toBe('accepted')
    expect(world.callsReceived('DeleteCertificate')).toEqual([{ certificateHashData: HASH }])
    const answer = { status: 'NotFound' }
    world.respondTo('GetInstalledCertificateIds', answer)
    const left = await ask(world, 'installed', { use: 'central_system_root' })
    expect(left).toMatchObject({ state: 'accepted', answer })
  })
})

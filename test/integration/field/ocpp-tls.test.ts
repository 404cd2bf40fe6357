// Must be imported before @peculiar/x509.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OcppSettings } from '../../../src/field/ocpp/settings.ts'
import { makeTlsListener } from '../../../src/field/ocpp/tls.ts'
import type { TestApi } from '../../support/api.ts'
import {
  createTestAuthority,
  type TestAuthority,
  type TestCertificate,
} from '../../support/field/certificates.ts'
import {
  connectStation,
  createCharger,
  type StationOptions,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { newCredentialKey } from '../../support/netting/market-accounts.ts'
import { startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

let api: TestApi
let tenant: TestTenant
let folder: string
let settings: OcppSettings
let port: number
let servers: TestAuthority
let clients: TestAuthority
const stations: TestStation[] = []

beforeAll(async () => {
  folder = await makeDataFolder('ocpp-tls')
  servers = await createTestAuthority('Servers')
  clients = await createTestAuthority('Stations')
  const own = await servers.issue('localhost', [{ type: 'dns', value: 'localhost' }])
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  settings = {
    heartbeatSeconds: 300,
    tlsPort: 0,
    tlsCert: await write('cert.pem', own.cert),
    tlsKey: await write('key.pem', own.key),
    tlsClientCa: await write('ca.pem', clients.cert),
  }
  api = await startOcppApi({
    config: { roles: ['api', 'ocpp'], ocpp: settings },
    onOcppTls: (open) => {
      port = open
    },
  })
  tenant = await createTenant(api)
})
afterEach(async () => {
  for (const station of stations.splice(0)) await station.end()
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

interface Secured extends StationOptions {
  readonly certificate?: TestCertificate
  /** TLS versions that the station supports. */
  readonly only?: 'TLSv1.2' | 'TLSv1.3'
}

/** 101 when the handshake succeeds, else the status of the rejection; over TLS. */
async function statusOf(
  charger: TestCharger,
  { certificate, only, ...options }: Secured = {},
): Promise<number> {
  const versions = only && { minVersion: only, maxVersion: only }
  try {
    const station = await connectStation(api, charger, {
      url: `https://localhost:${port}`,
      wsOpts: { ca: servers.cert, ...versions, ...certificate },
      ...options,
    })
    stations.push(station)
    return 101
  } catch (error) {
    return (error as { code?: number }).code ?? 0
  }
}

const profileOf = async ({ id }: TestCharger): Promise<number> =>
  (await api.call('GET', `/api/ocpp/chargers/${id}`, { token: tenant.viewer.token })).body.security_profile
const withoutPassword = (charger: TestCharger) => ({ ...charger, password: undefined as unknown as string })

describe('TLS listener for stations', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('accepts a station with its password over %s', async (only) => {
    const charger = await createCharger(api, tenant)
    expect(await statusOf(charger, { only })).toBe(101)
    expect(await stations[0]?.call('Heartbeat')).toHaveProperty('currentTime')
    expect(await statusOf(charger, { only, password: 'wrong-wrong-wrong' })).toBe(401)
    await waitFor(async () => (await profileOf(charger)) === 2)
    // A station that has used TLS is not accepted without it.
    expect(await statusOf(charger, { url: api.url })).toBe(403)
  })

  it('rejects older TLS versions', async () => {
    const socket = connectTls({
      port,
      host: 'localhost',
      ca: servers.cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
    })
    const [error] = await new Promise<[Error]>((resolve) =>
      socket.once('error', (reason) => resolve([reason])),
    )
    expect(error).toBeInstanceOf(Error)
  })

  it('serves no other path', async () => {
    const sent = request(`https://localhost:${port}/health`, { ca: servers.cert })
    sent.end()
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(404)
    response.resume()
  })
})

describe('client certificate', () => {
  it('authenticates the station, and from then on nothing weaker is accepted', async () => {
    const charger = await createCharger(api, tenant)
    const certificate = await clients.issue(charger.cpid)
    expect(await statusOf(withoutPassword(charger), { certificate })).toBe(101)
    await waitFor(async () => (await profileOf(charger)) === 3)
    expect(await statusOf(charger)).toBe(403)
    expect(await statusOf(charger, { url: api.url })).toBe(403)
    expect(await statusOf(charger, { password: 'wrong-wrong-wrong' })).toBe(401)
    expect(await statusOf(charger, { certificate })).toBe(101)
    expect(await stations.at(-1)?.call('Heartbeat')).toHaveProperty('currentTime')
  })

  it('may name the station in a subject alternative name', async () => {
    const charger = await createCharger(api, tenant)
    const certificate = await clients.issue('Some vendor', [{ type: 'dns', value: charger.cpid }])
    expect(await statusOf(withoutPassword(charger), { certificate })).toBe(101)
  })

  it('of another station, of another authority, or with an embedded list of names is rejected', async () => {
    const charger = await createCharger(api, tenant)
    const otherAuthority = await createTestAuthority('Strangers')
    const commonName = `x, DNS:${charger.cpid}, DNS:y`
    for (const certificate of [
      await clients.issue('CP-other'),
      await otherAuthority.issue(charger.cpid),
      await servers.issue(charger.cpid),
      await clients.issue('Some vendor', [{ type: 'dns', value: commonName }]),
    ]) {
      expect(await statusOf(withoutPassword(charger), { certificate })).toBe(401)
    }
    expect(await profileOf(charger)).toBe(0)
    // The password is right, so the certificate does not matter.
    expect(await statusOf(charger, { certificate: await clients.issue('CP-other') })).toBe(101)
  })

  it('without a charger authenticates nobody', async () => {
    const certificate = await clients.issue('CP-unknown')
    const nobody = { id: '', device_id: '', cpid: 'CP-unknown', password: '' }
    expect(await statusOf(withoutPassword(nobody), { certificate })).toBe(401)
  })
})

describe("certificate of the service's own authority", () => {
  it('that a station requested authenticates it at the next connect (TC_074, TC_087)', async () => {
    // TLS uses the clock of the machine.
    const now = new Date().toISOString()
    const issuing = await startOcppApi({ now, config: { credentialEncryptionKey: newCredentialKey() } })
    const owner = await createTenant(issuing)
    const charger = await createCharger(issuing, owner)
    const station = await connectStation(issuing, charger)
    station.onCall('CertificateSigned', () => ({ status: 'Accepted' }))
    const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
    const csr = await Pkcs10CertificateRequestGenerator.create({
      name: [{ CN: [charger.cpid] }],
      keys,
      signingAlgorithm: EC,
    })
    expect(await station.call('SignCertificate', { csr: csr.toString('pem') })).toEqual({
      status: 'Accepted',
    })
    await waitFor(() => station.called.length === 1)
    await station.end()
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    const certificate = {
      cert: station.called[0]?.payload.certificateChain as string,
      key: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    }
    let own = 0
    const next = await startSecondProcess(
      issuing,
      { ocpp: { ...settings, tlsClientCa: undefined } },
      issuing.deps.broker,
      (open) => {
        own = open
      },
    )
    const url = `https://localhost:${own}`
    expect(
      await statusOf(withoutPassword(charger), { url, wsOpts: { ca: servers.cert, ...certificate } }),
    ).toBe(101)
    expect(await stations.at(-1)?.call('Heartbeat')).toHaveProperty('currentTime')
    const strange = await clients.issue(charger.cpid)
    expect(await statusOf(withoutPassword(charger), { url, wsOpts: { ca: servers.cert, ...strange } })).toBe(
      401,
    )
    // A later charger of the same name belongs to another owner.
    const { token } = owner.admin
    expect((await issuing.call('DELETE', `/api/ocpp/chargers/${charger.id}`, { token })).status).toBe(204)
    const later = await createCharger(issuing, await createTenant(issuing), { cpid: charger.cpid })
    expect(
      await statusOf(withoutPassword(later), { url, wsOpts: { ca: servers.cert, ...certificate } }),
    ).toBe(401)
    expect(await statusOf(later, { url })).toBe(101)
    await next.close()
    await issuing.close()
  })
})

describe('start of the listener', () => {
  const listen = (changed: Partial<OcppSettings>) =>
    makeTlsListener({
      ...api.deps,
      config: { ...api.deps.config, ocpp: { ...settings, ...changed } },
    }).listen()

  it('reports which file is unreadable or invalid, and that the port is in use', async () => {
    await expect(listen({ tlsCert: join(folder, 'none') })).rejects.toThrow(
      /^OCPP_TLS_CERT: .*cannot be read/,
    )
    await expect(listen({ tlsKey: join(folder, 'ca.pem') })).rejects.toThrow(/^OCPP_TLS_CERT, OCPP_TLS_KEY: /)
    await expect(listen({ tlsPort: port })).rejects.toThrow(/^OCPP_TLS_PORT \d+ on 127.0.0.1 cannot be used/)
  })
})

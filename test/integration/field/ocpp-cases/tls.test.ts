import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTlsListener } from '../../../../src/field/ocpp/tls.ts'
import {
  createTestAuthority,
  type TestAuthority,
  type TestCertificate,
} from '../../../support/field/certificates.ts'
import type { StationOptions } from '../../../support/field/ocpp.ts'
import { makeDataFolder } from '../../../support/folder.ts'
import { ACCEPTED, type Operator, startCases } from './station-fixture.ts'

let operator: Operator
let folder: string
let port: number
let servers: TestAuthority
let clients: TestAuthority

beforeAll(async () => {
  folder = await makeDataFolder('cases-tls')
  servers = await createTestAuthority('Servers')
  clients = await createTestAuthority('Stations')
  const ocpp = await settings('own', await issue('ECDSA'))
  operator = await startCases({
    config: { ocpp },
    onOcppTls: (open) => {
      port = open
    },
  })
})
afterAll(async () => {
  await operator.close()
  await rm(folder, { recursive: true, force: true })
})

/** The cipher suites that a key of each kind must support by the security whitepaper. */
const CIPHERS = [
  ['ECDSA', ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384']],
  ['RSA', ['AES128-GCM-SHA256', 'AES256-GCM-SHA384']],
] as const

const issue = (kind: 'ECDSA' | 'RSA') =>
  servers.issue('localhost', [{ type: 'dns', value: 'localhost' }], kind)

async function settings(name: string, { cert, key }: TestCertificate) {
  const write = async (part: string, text: string) => {
    const path = join(folder, `${name}-${part}.pem`)
    await writeFile(path, text)
    return path
  }
  return {
    heartbeatSeconds: 300,
    tlsPort: 0,
    tlsCert: await write('cert', cert),
    tlsKey: await write('key', key),
    tlsClientCa: await write('ca', clients.cert),
  }
}

/** Another listener of the service, with this certificate. */
async function listen(certificate: TestCertificate) {
  const { deps } = operator.api
  const ocpp = await settings('more', certificate)
  const listener = makeTlsListener({ ...deps, config: { ...deps.config, ocpp } })
  return { at: await listener.listen(), close: () => listener.close() }
}

/** Connection options of a station that trusts this authority, with its own certificate if it has one. */
const secured = (authority: TestAuthority = servers, own?: TestCertificate): StationOptions => ({
  url: `https://localhost:${port}`,
  wsOpts: { ca: authority.cert, ...own },
})

describe('station over TLS', () => {
  it('TC_086: TLS, Server Side Certificate, Valid Certificate', async () => {
    for (const [kind, ciphers] of CIPHERS) {
      const { at, close } = await listen(await issue(kind))
      for (const cipher of ciphers) {
        const tls = { ca: servers.cert, maxVersion: 'TLSv1.2', ciphers: cipher } as const
        const socket = connect({ port: at, host: 'localhost', ...tls })
        await once(socket, 'secureConnect')
        const agreed = [socket.authorized, socket.getProtocol(), socket.getCipher().name]
        expect(agreed).toEqual([true, 'TLSv1.2', cipher])
        socket.destroy()
      }
      await close()
    }
    const setup = await operator.createStation()
    await setup.connect(secured())
    await setup.boot()
    expect(await setup.readCharger()).toMatchObject({ is_online: true, security_profile: 2 })
  })

  it('TC_087: TLS, Client Side Certificate, Valid Certificate', async () => {
    const setup = await operator.createStation()
    const { cpid } = setup.charger
    const own = await clients.issue(cpid)
    await setup.connect(secured(servers, own), { cpid, password: undefined as unknown as string })
    await setup.boot()
    expect(await setup.readCharger()).toMatchObject({ is_online: true, security_profile: 3 })
  })
})

describe('upgrade of the security profile', () => {
  it('TC_078: Invalid Central System Certificate Security Event', async () => {
    const setup = await operator.createStation()
    const others = await createTestAuthority('Others')
    // The station does not trust our certificate: the failure is known only from its later event.
    await expect(setup.connect(secured(others))).rejects.toThrow(/certificate/)
    await setup.connect(secured())
    const event = { type: 'InvalidCentralSystemCertificate', timestamp: '2026-11-20T09:29:00Z' }
    expect(await setup.call('SecurityEventNotification', event)).toEqual({})
    const { items } = await operator.get(`${setup.path}/events?event_type=security`)
    expect(items).toMatchObject([{ occurred_at: '2026-11-20T09:29:00.000Z', details: { type: event.type } }])
  })

  it('TC_083: Upgrade Charge Point Security Profile Accepted', async () => {
    const setup = await operator.openStation()
    await setup.boot()
    expect((await setup.readCharger()).security_profile).toBe(1)
    const upgrade = { action: 'set_configuration', key: 'SecurityProfile', value: '2' }
    const { state, heard: received } = await setup.sendCommand(upgrade, ['ChangeConfiguration', ACCEPTED])
    expect([state, received]).toEqual(['accepted', { key: 'SecurityProfile', value: '2' }])
    expect((await setup.sendCommand({ action: 'reset', type: 'hard' }, ['Reset', ACCEPTED])).state).toBe(
      'accepted',
    )
    await setup.reboot({}, secured())
    expect((await setup.readCharger()).security_profile).toBe(2)
    // The profile can never be lowered again.
    await expect(setup.connect()).rejects.toMatchObject({ code: 403 })
  })
})

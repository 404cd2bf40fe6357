import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import type { MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenTls } from '../../../src/field/mqtt/embedded-source.ts'
import type { EmbeddedBroker } from '../../../src/platform/mqtt/broker-hooks.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import type { TestCertificate } from '../../support/field/certificates.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { makeTlsFiles, type TlsFiles } from '../../support/field/tls-files.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let files: TlsFiles
let tenant: TestTenant
let port: number
let gateway: TestGateway
let device: string
const clients: MqttClient[] = []

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

beforeAll(async () => {
  files = await makeTlsFiles('mqtt-tls')
  port = await freePort()
  api = await startApi({ mqtt: true, config: { mqttTls: { ...files.settings, port } } })
  tenant = await createTenant(api)
})
beforeEach(async () => {
  gateway = await createGateway(api, tenant, randomUUID())
  device = await createDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true)
})
afterAll(async () => {
  await api.close()
  await files.remove()
})

type Options = NonNullable<Parameters<typeof connectGateway>[2]> & {
  readonly minVersion?: SecureVersion
  readonly maxVersion?: SecureVersion
}

async function connectTls(
  login: Parameters<typeof connectGateway>[1],
  options: Options = {},
): Promise<MqttClient> {
  const address = { protocol: 'mqtts', host: 'localhost', port, ca: files.servers.cert } as const
  const client = await connectGateway(port, login, { ...address, ...options })
  clients.push(client)
  return client
}
const withCertificate = ({ cert, key }: TestCertificate): Options => ({ cert, key })

let sent = 0
async function publish(client: MqttClient, energy: number): Promise<void> {
  sent += 1
  const points = [{ ts: api.clock.now() - 3_600_000 + sent * 1000, v: { import_energy: energy } }]
  await client.publishAsync('telemetry', telemetry('meter', points), { qos: 1 })
}
async function storedEnergies(): Promise<number[]> {
  const path = `/api/measurements/devices/${device}/samples?from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z&limit=2000`
  const { body } = await api.call('GET', path, { token: tenant.viewer.token })
  return body.flatMap(({ values }: { values: Record<string, number> }) => Object.values(values))
}
const notes = async (): Promise<string> =>
  (await api.deps.readiness.runChecks(() => {})).notes.filter((note) => note.includes('MQTT_TLS')).join('\n')
async function metricOf(name: string): Promise<number> {
  const line = (await api.call('GET', '/metrics')).text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}
const refusals = (reason: string): Promise<number> =>
  metricOf(`netsaat_mqtt_refused_connections_total{reason="${reason}"}`)

/** The serial number of the certificate that the listener presents now. */
async function servedSerial(): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: files.servers.cert, servername: 'localhost' })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}
const serialOf = (client: MqttClient): string =>
  (client.stream as unknown as TLSSocket).getPeerCertificate().serialNumber

describe('MQTT over TLS', () => {
  it.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])('stores a sample exactly over %s', async (version) => {
    const client = await connectTls(gateway, { minVersion: version, maxVersion: version })
    await publish(client, 1234.567)
    expect(await storedEnergies()).toEqual([1234.567])
  })

  it('refuses older versions of TLS, connections without TLS and wrong passwords', async () => {
    const before = await refusals('tls_handshake')
    await expect(connectTls(gateway, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow()
    await expect(connectGateway(port, gateway)).rejects.toThrow()
    await expect(connectTls({ ...gateway, password: 'wrong' })).rejects.toMatchObject({ code: 4 })
    await waitFor(async () => (await refusals('tls_handshake')) >= before + 2)
  })

  it('is open beside the listener without TLS', async () => {
    clients.push(await connectGateway(api.mqttPort, gateway))
  })

  it('names its port in the responses that create logins', async () => {
    const { token } = tenant.admin
    const issued = await api.call('POST', `/api/gateways/${gateway.id}/credentials`, { token })
    expect(issued.body.tls_port).toBe(port)
    const body = { gateway_name: 'bridge' }
    const claim = await api.call('POST', '/api/v1/zigbee/claims/generate', { token, body })
    const redeemed = await api.call('POST', '/api/v1/zigbee/claims/redeem', {
      body: { code: claim.body.code },
    })
    expect(redeemed.body.mqtt.tls_port).toBe(port)
  })

  it.runIf(existsSync('/usr/bin/mosquitto_pub'))('accepts mosquitto_pub', async () => {
    const broker = ['-h', 'localhost', '-p', String(port), '--cafile', files.caFile, '-q', '1']
    const message = telemetry('meter', [{ ts: api.clock.now(), v: { import_energy: 7.001 } }])
    const login = ['-u', gateway.username, '-P', gateway.password]
    await promisify(execFile)('mosquitto_pub', [...broker, ...login, '-t', 'telemetry', '-m', message])
    expect(await storedEnergies()).toEqual([7.001])
  })
})

describe('renewed certificates', () => {
  const check = () => api.mqttTls?.certificates.check()

  it('hold for new connections while open ones continue', async () => {
    const old = await connectTls(gateway, { clientId: 'old' })
    await files.replace(await files.issue())
    await check()
    const next = await connectTls(gateway, { clientId: 'next' })
    expect(serialOf(next)).not.toBe(serialOf(old))
    await publish(old, 1)
    await publish(next, 2)
    expect(await storedEnergies()).toEqual([1, 2])
    expect(old.connected).toBe(true)
    expect(await metricOf('netsaat_tls_certificate_expires_days{listener="mqtt"}')).toBeGreaterThan(0)
  })

  it.each<[string, () => Promise<TestCertificate>]>([
    ['is not PEM', async () => ({ ...(await files.issue()), cert: 'nonsense' })],
    [
      'does not belong to the key',
      async () => ({ ...(await files.issue()), key: (await files.issue()).key }),
    ],
    ['is empty', async () => ({ cert: '', key: '' })],
  ])(
    'are not used when the certificate %s, and are reported until they are corrected',
    async (_what, make) => {
      const serial = await servedSerial()
      const old = await connectTls(gateway)
      await files.replace(await make())
      await check()
      expect(await servedSerial()).toBe(serial)
      expect(await notes()).toContain('the renewed files of MQTT_TLS_CERT cannot be used')
      await publish(old, 3)
      expect(await storedEnergies()).toEqual([3])
      await files.replace(await files.issue())
      await check()
      expect(await servedSerial()).not.toBe(serial)
      expect(await notes()).not.toContain('cannot be used')
    },
  )

  it('are not used when the file of the authorities has no certificate', async () => {
    const path = join(files.folder, 'clients.pem')
    await writeFile(path, '')
    await check()
    expect(await notes()).toContain('cannot be used')
    const certificate = await files.clients.issue(gateway.id)
    await connectTls({}, withCertificate(certificate))
    await writeFile(path, files.clients.cert)
    await check()
    expect(await notes()).not.toContain('cannot be used')
  })

  it('are reported before they expire', async () => {
    // The certificates of the test are valid for a day.
    expect(await notes()).toMatch(/the certificate of MQTT_TLS_CERT expires in \d days/)
  })
})

describe('a listener that requires client certificates', () => {
  it('ends the handshake without one, and of an unknown authority', async () => {
    const config = { ...api.deps.config, mqttTls: { ...files.settings, requiresClientCert: true } }
    const listener = await listenTls({ ...api.deps, config }, api.deps.broker as EmbeddedBroker)
    const strict = { port: listener?.port ?? 0 }
    const strange = withCertificate(await files.servers.issue(gateway.id))
    await expect(connectTls(gateway, strict)).rejects.toThrow()
    await expect(connectTls(gateway, { ...strict, ...strange })).rejects.toThrow()
    const trusted = withCertificate(await files.clients.issue(gateway.id))
    await publish(await connectTls({}, { ...strict, ...trusted }), 9)
    expect(await storedEnergies()).toEqual([9])
    listener?.certificates.stop()
  })
})

describe('client certificate', () => {
  const issue = (name = gateway.id, names: string[] = []) =>
    files.clients.issue(
      name,
      names.map((value) => ({ type: 'dns', value })),
    )

  it('that names the gateway replaces the password', async () => {
    for (const username of [undefined, gateway.id]) {
      const client = await connectTls(username ? { username } : {}, withCertificate(await issue()))
      await publish(client, 5)
    }
    expect(await storedEnergies()).toEqual([5, 5])
    await connectTls({}, withCertificate(await issue('a vendor', [gateway.id])))
  })

  it('is refused with the name or the password of another gateway', async () => {
    const other = await createGateway(api, tenant, randomUUID())
    const certificate = withCertificate(await issue())
    for (const login of [{ username: other.id }, other, { username: gateway.id, password: 'wrong' }])
      await expect(connectTls(login, certificate)).rejects.toMatchObject({ code: 4 })
    await connectTls(gateway, certificate)
  })

  it('with the ids of several gateways needs a user name', async () => {
    const other = await createGateway(api, tenant, randomUUID())
    const certificate = withCertificate(await issue(gateway.id, [other.id]))
    await expect(connectTls({}, certificate)).rejects.toMatchObject({ code: 4 })
    await connectTls({ username: other.id }, certificate)
  })

  it('of an unknown authority proves nothing', async () => {
    const certificate = withCertificate(await files.servers.issue(gateway.id))
    await expect(connectTls({}, certificate)).rejects.toMatchObject({ code: 4 })
    await expect(connectTls({ username: gateway.id }, certificate)).rejects.toMatchObject({ code: 4 })
    await connectTls(gateway, certificate)
  })

  it('that names no gateway needs the password', async () => {
    const certificate = withCertificate(await issue('the fleet of a vendor'))
    await expect(connectTls({ username: gateway.id }, certificate)).rejects.toMatchObject({ code: 4 })
    await connectTls(gateway, certificate)
  })

  it('is not accepted on the listener without TLS', async () => {
    await expect(connectGateway(api.mqttPort, { username: gateway.id })).rejects.toMatchObject({ code: 4 })
  })

  it.each([
    ['the login of its gateway is revoked', () => `/api/gateways/${gateway.id}/credentials`],
    ['its gateway is deleted', () => `/api/gateways/${gateway.id}`],
  ])('ends when %s', async (_what, path) => {
    await api.call('DELETE', `/api/devices/${device}`, { token: tenant.admin.token })
    const certificate = withCertificate(await issue())
    const client = await connectTls({}, certificate)
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    expect((await api.call('DELETE', path(), { token: tenant.admin.token })).status).toBe(204)
    await closed
    await expect(connectTls({}, certificate)).rejects.toMatchObject({ code: 4 })
  })
})

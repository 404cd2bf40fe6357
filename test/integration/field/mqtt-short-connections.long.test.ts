import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, createGateway, type TestGateway, telemetry } from '../../support/field/mqtt.ts'
import { makeTlsFiles, type TlsFiles } from '../../support/field/tls-files.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let files: TlsFiles
let tenant: TestTenant
let gateway: TestGateway
let device: string
/** Each message has an instant of its own, so that lost messages can be counted. */
let sent = 0

beforeAll(async () => {
  files = await makeTlsFiles('mqtt-short')
  api = await startApi({ mqtt: true, config: { mqttTls: files.settings } })
  tenant = await createTenant(api)
})
beforeEach(async () => {
  sent = 0
  gateway = await createGateway(api, tenant, randomUUID())
  device = await createDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
})
afterAll(async () => {
  await api.close()
  await files.remove()
})

const next = (): string => {
  sent += 1
  return telemetry('meter', [{ ts: api.clock.now() - 3_600_000 + sent * 1000, v: { voltage: 230 } }])
}

async function countStored(): Promise<number> {
  const path = `/api/measurements/devices/${device}/samples?from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z&limit=2000`
  return (await api.call('GET', path, { token: tenant.viewer.token })).body.length
}
const allAreStored = (): Promise<void> => waitFor(async () => (await countStored()) === sent)

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}
/** A packet of MQTT 3.1.1 that is shorter than 16 KB. */
function makePacket(header: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7]
  return Buffer.concat([Buffer.from([header, ...length]), body])
}
/** Clean session, user name and password; keep-alive of a minute; no client id. */
const connectPacket = ({ username, password }: Pick<TestGateway, 'username' | 'password'> = gateway) =>
  makePacket(0x10, text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text(''), text(username), text(password))
const publishPacket = () => makePacket(0x30, text('telemetry'), Buffer.from(next()))
const disconnectPacket = makePacket(0xe0)

interface Connection {
  readonly socket: Socket
  /** The TCP connection, below TLS if there is TLS. */
  readonly tcp: Socket
}

async function openTcp(): Promise<Connection> {
  const tcp = connect(api.mqttPort, '127.0.0.1').setNoDelay(true)
  tcp.on('error', () => {})
  await new Promise((resolve) => tcp.once('connect', resolve))
  return { socket: tcp, tcp }
}
async function openTls(): Promise<Connection> {
  const tcp = connect(api.mqttTls?.port ?? 0, '127.0.0.1').setNoDelay(true)
  tcp.on('error', () => {})
  const socket = connectTls({ socket: tcp, host: 'localhost', ca: files.servers.cert })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  return { socket, tcp }
}
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

/** How a client closes its connection right after it has written everything. */
const ENDINGS: [what: string, end: (connection: Connection, bytes: Buffer) => void][] = [
  ['DISCONNECT and FIN', ({ socket }, bytes) => socket.end(Buffer.concat([bytes, disconnectPacket]))],
  ['a FIN', ({ socket }, bytes) => socket.end(bytes)],
  [
    'a reset as soon as the bytes are written',
    ({ socket, tcp }, bytes) => socket.write(bytes, () => tcp.resetAndDestroy()),
  ],
]

const ROUNDS = 25

describe.each([
  ['TCP', openTcp],
  ['TLS', openTls],
])('a QoS 0 message of a client that disconnects immediately, over %s', (transport, open) => {
  it.each(ENDINGS)('is stored when the connection ends with %s', async (_what, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const connection = await open()
      const { socket } = connection
      end(connection, Buffer.concat([connectPacket(), publishPacket(), publishPacket()]))
      socket.resume()
      await closed(socket)
    }
    await allAreStored()
  })

  it('is stored when its packets arrive in segments of their own', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { socket } = await open()
      for (const packet of [connectPacket(), publishPacket(), publishPacket(), disconnectPacket]) {
        await new Promise<void>((resolve) => socket.write(packet, () => setImmediate(resolve)))
      }
      socket.end().resume()
      await closed(socket)
    }
    await allAreStored()
  })

  it('is stored when many follow each other, more than the receive window takes', async () => {
    const { socket } = await open()
    socket.resume()
    socket.write(connectPacket())
    await new Promise((resolve) => socket.once('data', resolve))
    const messages = Array.from({ length: 1_200 }, () => publishPacket())
    socket.end(Buffer.concat([...messages, disconnectPacket]))
    await allAreStored()
  })

  it.runIf(existsSync('/usr/bin/mosquitto_pub'))('is stored when mosquitto_pub sends it', async () => {
    const login = ['-u', gateway.username, '-P', gateway.password]
    for (let round = 0; round < ROUNDS; round++) {
      const broker =
        transport === 'TCP'
          ? ['-h', '127.0.0.1', '-p', String(api.mqttPort)]
          : ['-h', 'localhost', '-p', String(api.mqttTls?.port), '--cafile', files.caFile]
      await promisify(execFile)('mosquitto_pub', [...broker, ...login, '-t', 'telemetry', '-m', next()])
    }
    await allAreStored()
  })

  it('is not stored when the login is wrong', async () => {
    const packets = [connectPacket({ ...gateway, password: 'wrong' }), publishPacket(), disconnectPacket]
    for (const packet of [Buffer.concat(packets), Buffer.concat([connectPacket(), publishPacket()])]) {
      const { socket } = await open()
      socket.end(packet).resume()
      await closed(socket)
    }
    await waitFor(async () => (await countStored()) > 0)
    expect(await countStored()).toBe(1)
  })
})

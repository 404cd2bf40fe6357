import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createGateway } from '../../support/field/mqtt.ts'
import { makeTlsFiles, type TlsFiles } from '../../support/field/tls-files.ts'
import { createTenant } from '../../support/tenants.ts'

const HANDSHAKE_TIMEOUT_MS = 1_000
const CONNECTIONS_MAX = 3

const LIMITS = {
  tlsHandshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
  connectTimeoutMs: 1_000,
}

let api: TestApi
let files: TlsFiles
let port: number

beforeAll(async () => {
  files = await makeTlsFiles('mqtt-silent')
  api = await startApi({ mqtt: LIMITS, config: { mqttTls: files.settings } })
  port = api.mqttTls?.port ?? 0
})
afterAll(async () => {
  await api.close()
  await files.remove()
})

const open = async (toPort = port): Promise<Socket> => {
  const socket = connect(toPort, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket.resume()
}
/** A TLS record that announces a ClientHello of 512 bytes, without its content. */
const beginning = Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc])

describe('a connection to the TLS listener', () => {
  it('ends when the client sends nothing', async () => {
    await once(await open(), 'close')
  })

  it('ends when the client sends its handshake byte by byte', async () => {
    const socket = await open()
    const closed = once(socket, 'close')
    socket.write(beginning)
    const dripping = setInterval(() => socket.write(Buffer.from([0])), HANDSHAKE_TIMEOUT_MS / 10)
    await closed
    clearInterval(dripping)
  })

  it('ends when the client completes the handshake and sends no CONNECT', async () => {
    const socket = connectTls({ port, host: 'localhost', ca: files.servers.cert })
    socket.on('error', () => {})
    await once(socket.resume(), 'close')
  })

  it('is closed at once beyond the largest number of connections, while the others stay', async () => {
    const other = await startApi({
      mqtt: { connectionsMax: CONNECTIONS_MAX },
      config: { mqttTls: files.settings },
    })
    const sockets = []
    for (let index = 0; index < CONNECTIONS_MAX; index++) sockets.push(await open(other.mqttTls?.port))
    await once(await open(other.mqttTls?.port), 'close')
    expect(sockets.filter((socket) => socket.readyState !== 'open')).toEqual([])
    await other.close()
  })

  it('does not delay the stop of the broker', async () => {
    const other = await startApi({ mqtt: LIMITS, config: { mqttTls: files.settings } })
    await createGateway(other, await createTenant(other), 'roof')
    const socket = connect(other.mqttTls?.port ?? 0, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket.resume(), 'connect')
    const closed = once(socket, 'close')
    await other.close()
    await closed
  })
})

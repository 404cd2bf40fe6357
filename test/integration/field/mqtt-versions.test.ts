import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dial } from '../../../src/platform/mqtt/outside.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createGateway, type TestGateway } from '../../support/field/mqtt.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
let gateway: TestGateway

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  gateway = await createGateway(api, await createTenant(api), 'roof')
})
afterAll(() => api.close())

async function countRefused(): Promise<number> {
  const { text } = await api.call('GET', '/metrics')
  return Number(/refused_connections_total\{reason="unsupported_version"\} (\d+)/.exec(text)?.[1] ?? 0)
}

/** CONNECT with a protocol name and level, clean session, keep-alive of a minute, and no client id. */
const connectPacket = (name: string, level: number): Buffer => {
  const properties = level === 5 ? [0] : []
  const rest = [0, name.length, ...Buffer.from(name), level, 2, 0, 60, ...properties, 0, 0]
  return Buffer.from([0x10, rest.length, ...rest])
}
async function answerTo(packet: Buffer): Promise<Buffer> {
  const socket = connect(api.mqttPort, '127.0.0.1')
  socket.write(packet)
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(chunk as Buffer)
  return Buffer.concat(received)
}

describe('a client of MQTT 5', () => {
  it('is refused with CONNACK and the reason code 0x84 in the format of MQTT 5', async () => {
    const before = await countRefused()
    expect(await answerTo(connectPacket('MQTT', 5))).toEqual(Buffer.from([0x20, 3, 0, 0x84, 0]))
    expect(await countRefused()).toBe(before + 1)
  })

  it('learns the reason from its library, whether its login is right or not', async () => {
    for (const login of [gateway, { ...gateway, password: 'wrong' }]) {
      const connecting = connectGateway(api.mqttPort, login, { protocolVersion: 5 })
      await expect(connecting).rejects.toMatchObject({ code: 0x84 })
    }
  })

  it('that falls back to MQTT 3.1.1 connects', async () => {
    const { username, password } = gateway
    const quiet = { warn() {}, info() {}, debug() {} }
    const client = dial({ url: `mqtt://127.0.0.1:${api.mqttPort}`, log: quiet }, { username, password })
    await new Promise((resolve) => client.once('connect', resolve))
    expect(client.options.protocolVersion).toBe(4)
    await client.endAsync(true)
  })

  it.runIf(existsSync('/usr/bin/mosquitto_pub'))('names the reason if it is mosquitto_pub', async () => {
    const broker = ['-h', '127.0.0.1', '-p', String(api.mqttPort), '-V', 'mqttv5']
    const login = ['-u', gateway.username, '-P', gateway.password]
    const sending = promisify(execFile)('mosquitto_pub', [...broker, ...login, '-t', 'a', '-m', 'b'])
    await expect(sending).rejects.toMatchObject({ stderr: expect.stringMatching(/unsupported protocol/i) })
  })
})

describe('a client of MQTT 3.1 or 3.1.1', () => {
  it('is refused in its own format if its login is wrong', async () => {
    for (const packet of [connectPacket('MQTT', 4), connectPacket('MQIsdp', 3)])
      expect(await answerTo(packet)).toEqual(Buffer.from([0x20, 2, 0, 4]))
  })
})

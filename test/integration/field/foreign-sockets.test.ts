import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { dumpTenant } from '../../support/dump.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { emitSamples, joinLive, openLive } from '../../support/metering/live.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/** One tenant with a device, a gateway, a station and a session, whose ids the other one uses on its sockets. */
interface Party {
  readonly tenant: TestTenant
  readonly gateway: TestGateway
  readonly deviceName: string
  readonly device: string
  readonly charging: ChargingFixture & { readonly tag: string }
  readonly transactionId: number
}

let api: TestApi
let victim: Party
let other: Party

beforeAll(async () => {
  api = await startOcppApi({ mqtt: true })
  victim = await createParty()
  other = await createParty()
})
afterAll(async () => {
  for (const { charging } of [victim, other]) await charging.station.end()
  await api.close()
})

async function createParty(): Promise<Party> {
  const tenant = await createTenant(api)
  const gateway = await createGateway(api, tenant, 'gateway')
  const deviceName = `meter ${randomUUID()}`
  const device = await createDevice(api, tenant, { name: deviceName, gatewayId: gateway.id })
  const samples = [{ device_id: device, timestamp: '2026-11-20T09:00:00Z', values: { voltage: 230 } }]
  await api.call('POST', '/api/measurements', { token: tenant.admin.token, body: { samples } })
  const charging = await openCharging(api, tenant)
  const { transactionId } = await charging.start()
  return { tenant, gateway, deviceName, device, charging, transactionId }
}

/** Runs the requests of the other tenant and checks that no row of the victim has changed. */
async function withoutChange(work: () => Promise<void>): Promise<void> {
  const before = await dumpTenant(api, victim.tenant.id)
  await work()
  await api.deps.background.drain()
  expect(await dumpTenant(api, victim.tenant.id)).toEqual(before)
}

describe('a live socket with a device of another tenant', () => {
  const join = () => joinLive(api.url, { token: other.tenant.admin.token, devices: [other.device] })
  /** The responses to a message on a new socket, without the id that was sent. */
  async function responsesTo(type: string, id: string, more: object = {}): Promise<string> {
    const client = await join()
    client.send({ type, devices: [id], ...more })
    await client.find((message) => message.type === `${type}d`)
    client.send('ping')
    await client.find((message) => message.type === 'pong')
    await client.end()
    return JSON.stringify(client.messages).replaceAll(id, '<id>')
  }

  it('gets the responses of an unknown one, also for earlier samples', async () => {
    await withoutChange(async () => {
      for (const more of [{}, { since: '2026-11-20T08:00:00Z' }])
        expect(await responsesTo('subscribe', victim.device, more)).toBe(
          await responsesTo('subscribe', randomUUID(), more),
        )
      expect(await responsesTo('unsubscribe', victim.device)).toBe(
        await responsesTo('unsubscribe', randomUUID()),
      )
    })
  })

  it('is closed as with an unknown one', async () => {
    const closes = []
    for (const devices of [[victim.device], [randomUUID()]]) {
      const since = '2026-11-20T08:00:00Z'
      const client = openLive(api.url, { token: other.tenant.admin.token, devices, since })
      closes.push([await client.closed(), client.messages])
    }
    expect(closes[0]).toEqual(closes[1])
  })

  it('receives none of its samples', async () => {
    const client = await join()
    client.send({ type: 'subscribe', devices: [victim.device] })
    await client.find(({ type }) => type === 'subscribed')
    const values = { voltage: 1 }
    emitSamples(api, victim.tenant.id, [{ deviceId: victim.device, at: 0, values }])
    emitSamples(api, other.tenant.id, [{ deviceId: other.device, at: 0, values }])
    await client.find(({ type }) => type === 'sample')
    expect(client.samples().map(({ device_id }) => device_id)).toEqual([other.device])
    await client.end()
  })
})

describe('a station with the identity of a charger of another tenant', () => {
  async function refusal(cpid: string, password: string, version = '1.6') {
    const sent = request(`${api.url}/ocpp/${version}/${encodeURIComponent(cpid)}`, {
      headers: {
        ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': `ocpp${version}`,
        authorization: `Basic ${Buffer.from(`${cpid}:${password}`).toString('base64')}`,
      },
    })
    sent.end()
    const [response] = (await once(sent, 'response')) as [
      { statusCode: number; headers: IncomingHttpHeaders; resume(): void },
    ]
    response.resume()
    return { status: response.statusCode, headers: { ...response.headers, date: '' } }
  }

  it('is refused like an unknown one, with the password of its own charger', async () => {
    const { password } = await createCharger(api, other.tenant)
    await withoutChange(async () => {
      for (const version of ['1.6', '2.0.1']) {
        const refused = await refusal(victim.charging.charger.cpid, password, version)
        expect(refused).toEqual(await refusal(`CP-${randomUUID()}`, password, version))
        expect(refused.status).toBe(401)
      }
    })
  })

  it('cannot use its tags and transactions over its own socket', async () => {
    const { station } = other.charging
    const unknownTag = randomBytes(10).toString('hex')
    const unknownTransaction = 2_000_000_000
    const at = '2026-11-20T09:20:00Z'
    const meterValue = [{ timestamp: at, sampledValue: [{ value: '1' }] }]
    const sendAll = async (idTag: string, transactionId: number) => [
      await station.call('Authorize', { idTag }),
      await station.call('MeterValues', { connectorId: 2, transactionId, meterValue }),
      await station.call('StopTransaction', { transactionId, idTag, timestamp: at, meterStop: 5 }),
    ]
    await withoutChange(async () => {
      const foreign = await sendAll(victim.charging.tag, victim.transactionId)
      expect(foreign).toEqual(await sendAll(unknownTag, unknownTransaction))
      expect(foreign[0]).toEqual({ idTagInfo: { status: 'Invalid' } })
    })
    expect(await victim.charging.session(victim.transactionId)).toMatchObject({ state: 'active' })
  })
})

describe('an MQTT client of another tenant', () => {
  const connect = (login = other.gateway) => connectGateway(api.mqttPort, login, { clientId: randomUUID() })

  const untilOffline = ({ gateway, tenant }: Party) =>
    waitFor(async () => {
      const { body } = await api.call('GET', `/api/gateways/${gateway.id}`, { token: tenant.admin.token })
      return body.is_online === false
    })

  it('receives nothing that is published below the root of the victim', async () => {
    const [spy, sender] = [await connect(), await connect(victim.gateway)]
    const received: string[] = []
    spy.on('message', (topic, payload) => received.push(`${topic} ${payload}`))
    const root = victim.gateway.root
    const secret = randomUUID()
    for (const filter of [
      `${root}#`,
      `${root}telemetry`,
      '#',
      '+/+/+/+/#',
      `$share/group/${root}#`,
      '$SYS/#',
      '/#',
    ])
      await spy.subscribeAsync(filter, { qos: 1 }).catch(() => {})
    for (let index = 0; index < 5; index += 1)
      await sender.publishAsync('status', JSON.stringify({ index, secret }), { qos: 1, retain: index === 0 })
    const message = telemetry(victim.device, [{ ts: api.clock.now(), v: { voltage: 231 } }])
    await sender.publishAsync('telemetry', message, { qos: 1 })
    // A message of its own arrives after those of the victim, which the broker has already forwarded.
    await spy.subscribeAsync('status')
    await spy.publishAsync('status', '{}', { qos: 1 })
    await waitFor(() => received.includes('status {}'))
    const isForeign = (text: string) => [root, secret, victim.device].some((part) => text.includes(part))
    expect(received.filter(isForeign)).toEqual([])
    await Promise.all([spy.endAsync(), sender.endAsync()])
    await untilOffline(victim)
  })

  it('reaches nothing of the victim by publishing, and its messages are dead letters like unknown ones', async () => {
    const client = await connect()
    const samples = (device: string) => telemetry(device, [{ ts: api.clock.now(), v: { voltage: 999 } }])
    const unknown = randomUUID()
    await withoutChange(async () => {
      for (const id of [victim.device, unknown])
        await client.publishAsync('telemetry', samples(id), { qos: 1 })
      for (const topic of [`${victim.gateway.root}telemetry`, `${victim.gateway.root}status`])
        await client.publishAsync(topic, samples(victim.device), { qos: 1 }).catch(() => {})
    })
    await client.endAsync()
    const { body } = await api.call('GET', '/api/gateways/dead-letters?limit=100', {
      token: other.tenant.admin.token,
    })
    const reasons = (id: string) =>
      body.items
        .filter((letter: { topic: string }) => !letter.topic.includes(victim.gateway.root))
        .filter((letter: object) => JSON.stringify(letter).includes(id))
        .map(({ reason, detail }: { reason: string; detail: string }) => [
          reason,
          detail.replaceAll(id, '<id>'),
        ])
    expect(reasons(victim.device).length).toBeGreaterThan(0)
    expect(reasons(victim.device)).toEqual(reasons(unknown))
  })

  it('cannot sign in as a gateway of the victim, and leaves no will there', async () => {
    await withoutChange(async () => {
      const { username } = victim.gateway
      await expect(connect({ ...other.gateway, username })).rejects.toThrow()
      const will = {
        topic: `${victim.gateway.root}telemetry`,
        payload: Buffer.from('{}'),
        qos: 1,
        retain: true,
      }
      const client = await connectGateway(api.mqttPort, other.gateway, {
        ...{ clientId: randomUUID(), will: { ...will, qos: 1 as const } },
      }).catch(() => undefined)
      client?.stream.destroy()
      await untilOffline(other)
    })
  })
})

import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  type StationOptions,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const LIMITED = { ocppPerSecond: 100, ocppFailures: 3 }

let api: TestApi
let tenant: TestTenant
/** The same service with rate limits, behind a trusted proxy. */
let limited: SecondProcess
const stations: TestStation[] = []

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  const rateLimits = { ...api.deps.config.rateLimits, ...LIMITED }
  limited = await startSecondProcess(api, { rateLimits, trustedProxies: ['127.0.0.1/32'] })
})
afterEach(async () => {
  for (const station of stations.splice(0)) await station.end()
})
afterAll(async () => {
  await limited.close()
  await api.close()
})

async function connect(charger: TestCharger, options: StationOptions = {}): Promise<TestStation> {
  const station = await connectStation(api, charger, options)
  stations.push(station)
  return station
}

const from = (address: string) => ({ url: limited.url, headers: { 'x-forwarded-for': address } })
/** 101 when the handshake succeeds, else the status of the rejection. */
const statusOf = (charger: TestCharger, options: StationOptions = {}): Promise<number> =>
  connect(charger, options).then(
    () => 101,
    (error: { code?: number }) => error.code ?? 0,
  )

/** The complete response to a rejected handshake. */
async function refusalOf(cpid: string, headers: Readonly<Record<string, string>> = {}, base = api.url) {
  const sent = request(`${base}/ocpp/1.6/${encodeURIComponent(cpid)}`, {
    headers: {
      ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'c2l4dGVlbiBieXRlcyEhIQ==', 'sec-websocket-protocol': 'ocpp1.6' },
      ...headers,
    },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [
    { statusCode: number; headers: IncomingHttpHeaders; rawHeaders: string[]; resume(): void },
  ]
  response.resume()
  return { status: response.statusCode, headers: response.rawHeaders }
}
const basic = (user: string, password: string | Buffer) => ({
  authorization: `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(password)]).toString('base64')}`,
})

const withoutPassword = (charger: TestCharger) =>
  api.deps.database.pool.query('update charger set password_hash = null where id = $1', [charger.id])

describe('accepted handshake', () => {
  it('with the generated password as text, and as the bytes that the text encodes', async () => {
    const charger = await createCharger(api, tenant)
    expect(await statusOf(charger)).toBe(101)
    expect(await statusOf(charger, { password: charger.password.toUpperCase() })).toBe(101)
    expect(await statusOf(charger, { password: Buffer.from(charger.password, 'hex') })).toBe(101)
    expect(await statusOf(charger, { version: '2.0.1' })).toBe(101)
  })

  it('with a password that an operator chose', async () => {
    const password = 'a-chosen-password-1'
    const charger = { ...(await createCharger(api, tenant, { password })), password }
    expect(await statusOf(charger)).toBe(101)
    expect(await statusOf(charger)).toBe(101)
    expect(await statusOf(charger, { password: `${password}2` })).toBe(401)
  })

  it('with an identity that contains colons and characters to be encoded', async () => {
    const charger = await createCharger(api, tenant, { cpid: `a:b?c#d%e:${tenant.uid.slice(0, 8)}` })
    const station = await connect(charger)
    expect(await station.call('Heartbeat')).toHaveProperty('currentTime')
  })

  it('is followed by a boot, and the charger is shown as online', async () => {
    const charger = await createCharger(api, tenant)
    const station = await connect(charger)
    const boot = await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    expect(boot).toEqual({ status: 'Accepted', currentTime: '2026-11-20T09:30:00Z', interval: 300 })
    await station.call('Heartbeat')
    const read = async () =>
      (await api.call('GET', `/api/ocpp/chargers/${charger.id}`, { token: tenant.viewer.token })).body
    await waitFor(async () => (await read()).last_heartbeat !== null)
    expect(await read()).toMatchObject({
      ...{ is_online: true, ocpp_version: '1.6', vendor: 'V', model: 'M', security_profile: 1 },
      last_heartbeat: '2026-11-20T09:30:00.000Z',
    })
    await station.end()
    await waitFor(async () => (await read()).is_online === false)
    expect(await read()).toMatchObject({ disconnected_at: '2026-11-20T09:30:00.000Z' })
  })

  it('from any origin, because native clients send none or arbitrary values', async () => {
    const charger = await createCharger(api, tenant)
    expect(await statusOf(charger, { headers: { origin: 'https://evil.example' } })).toBe(101)
  })
})

describe('rejected handshake', () => {
  it('has the same response for an unknown station, a wrong password and no password', async () => {
    const charger = await createCharger(api, tenant)
    const bare = await createCharger(api, tenant)
    await withoutPassword(bare)
    const unknown = await refusalOf('nobody', basic('nobody', 'x'.repeat(20)))
    expect(unknown).toEqual({
      status: 401,
      headers: [
        ...['WWW-Authenticate', 'Basic realm="ocpp", charset="UTF-8"'],
        ...['Connection', 'close', 'Content-Length', '0'],
      ],
    })
    const others = [
      refusalOf(charger.cpid, basic(charger.cpid, 'x'.repeat(20))),
      refusalOf(charger.cpid, basic('nobody', charger.password)),
      refusalOf(charger.cpid, { authorization: 'Bearer x' }),
      refusalOf(charger.cpid, { authorization: 'Basic !' }),
      refusalOf(charger.cpid),
      refusalOf(bare.cpid, basic(bare.cpid, bare.password)),
      refusalOf(bare.cpid, basic(bare.cpid, '')),
      refusalOf('nobody'),
      refusalOf('%E0%A4%A'),
      refusalOf('\0'),
      refusalOf('x'.repeat(2_000)),
    ]
    for (const other of await Promise.all(others)) expect(other).toEqual(unknown)
  })

  it('without a subprotocol of the path: connected without one, and closed', async () => {
    const charger = await createCharger(api, tenant)
    for (const offered of [['ocpp2.0.1'], ['ocpp1.5', 'ocpp1.2'], []]) {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}/ocpp/1.6/${charger.cpid}`, offered, {
        headers: basic(charger.cpid, charger.password),
      })
      // The client itself closes when it requested a protocol and received none.
      socket.on('error', () => {})
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      const [upgrade] = (await once(socket, 'upgrade')) as [{ headers: IncomingHttpHeaders }]
      expect(upgrade.headers).not.toHaveProperty('sec-websocket-protocol')
      expect(await closed).toBe(offered.length === 0 ? 1002 : 1006)
    }
    const mixed = await connect(charger, { protocols: ['ocpp2.0.1', 'ocpp1.6'] })
    expect(mixed.client.protocol).toBe('ocpp1.6')
  })

  it('on a path of an unsupported version', async () => {
    const charger = await createCharger(api, tenant)
    const path = `${api.url.replace('http', 'ws')}/ocpp/2.1/${charger.cpid}`
    const socket = new WebSocket(path, ['ocpp2.1'], { headers: basic(charger.cpid, charger.password) })
    const [, response] = await once(socket, 'unexpected-response')
    expect((response as { statusCode: number }).statusCode).toBe(404)
  })

  it('in a process without the role', async () => {
    const without = await startSecondProcess(api, { roles: ['api', 'realtime'] })
    const charger = await createCharger(api, tenant)
    expect(await statusOf(charger, { url: without.url })).toBe(404)
    await without.close()
  })

  it('with a lower security profile than before', async () => {
    const charger = await createCharger(api, tenant)
    const behindTls = { url: limited.url, headers: { 'x-forwarded-proto': 'https' } }
    expect(await statusOf(charger, { url: limited.url })).toBe(101)
    expect(await statusOf(charger, behindTls)).toBe(101)
    const path = `/api/ocpp/chargers/${charger.id}`
    const read = async () => (await api.call('GET', path, { token: tenant.viewer.token })).body
    await waitFor(async () => (await read()).security_profile === 2)
    expect(await statusOf(charger, { url: limited.url })).toBe(403)
    // Only a trusted proxy may state that the connection uses TLS.
    expect(await statusOf(charger, { headers: { 'x-forwarded-proto': 'https' } })).toBe(403)
    expect(await statusOf(charger, behindTls)).toBe(101)
  })
})

describe('a client that guesses passwords', () => {
  const wrong = (address: string) => ({ ...from(address), password: 'wrong-wrong-wrong' })

  it('is locked out temporarily without affecting the station at its own address', async () => {
    const charger = await createCharger(api, tenant)
    for (let guess = 0; guess < LIMITED.ocppFailures; guess += 1) {
      expect(await statusOf(charger, wrong('192.0.2.1'))).toBe(401)
    }
    // Even with the right password, and for an unknown station alike.
    expect(await statusOf(charger, from('192.0.2.1'))).toBe(429)
    expect(await statusOf(charger, from('192.0.2.2'))).toBe(101)
    const { status, headers } = await refusalOf(
      charger.cpid,
      { 'x-forwarded-for': '192.0.2.1', ...basic(charger.cpid, charger.password) },
      limited.url,
    )
    expect([status, headers.slice(0, 2)]).toEqual([429, ['Retry-After', '300']])
    api.clock.advance(300_000)
    expect(await statusOf(charger, from('192.0.2.1'))).toBe(101)
  })

  it('is locked out for all cpids of its address except those that succeeded there before', async () => {
    const [known, late] = [await createCharger(api, tenant), await createCharger(api, tenant)]
    expect(await statusOf(known, from('192.0.2.9'))).toBe(101)
    for (let guess = 0; guess < LIMITED.ocppFailures * 10; guess += 1) {
      const nobody = { ...known, cpid: `nobody-${guess}` }
      expect(await statusOf(nobody, wrong('192.0.2.9'))).toBe(401)
    }
    expect(await statusOf({ ...known, cpid: 'nobody' }, wrong('192.0.2.9'))).toBe(429)
    expect(await statusOf(late, from('192.0.2.9'))).toBe(429)
    expect(await statusOf(known, from('192.0.2.9'))).toBe(101)
    expect(await statusOf(late, from('192.0.2.10'))).toBe(101)
  })

  it('from changing addresses is locked out of the cpid, except at addresses that succeeded before', async () => {
    const charger = await createCharger(api, tenant)
    expect(await statusOf(charger, from('192.0.2.50'))).toBe(101)
    for (let guess = 0; guess < LIMITED.ocppFailures * 10; guess += 1) {
      expect(await statusOf(charger, wrong(`198.51.100.${guess}`))).toBe(401)
    }
    expect(await statusOf(charger, from('198.51.100.200'))).toBe(429)
    expect(await statusOf(charger, from('192.0.2.50'))).toBe(101)
  })

  it('cannot forge its address unless a trusted proxy states it', async () => {
    const charger = await createCharger(api, tenant)
    const rateLimits = { ...api.deps.config.rateLimits, ...LIMITED }
    const open = await startSecondProcess(api, { rateLimits })
    for (let guess = 0; guess < LIMITED.ocppFailures; guess += 1) {
      expect(await statusOf(charger, { ...wrong(`192.0.2.${guess}`), url: open.url })).toBe(401)
    }
    expect(await statusOf(charger, { ...from('192.0.2.77'), url: open.url })).toBe(429)
    await open.close()
  })

  it('that connects too often gets 429', async () => {
    const charger = await createCharger(api, tenant)
    const rateLimits = { ...api.deps.config.rateLimits, ocppPerSecond: 1 }
    const slow = await startSecondProcess(api, { rateLimits })
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await statusOf(charger, { url: slow.url })).toBe(101)
    expect(await statusOf(charger, { url: slow.url })).toBe(429)
    await slow.close()
  })
})

describe('the single socket of a station', () => {
  it('is the newest one, and the older one is closed', async () => {
    const charger = await createCharger(api, tenant)
    const older = await connect(charger)
    const newer = await connect(charger)
    expect(await older.closed()).toMatchObject({ code: 1008 })
    expect(await newer.call('Heartbeat')).toHaveProperty('currentTime')
  })

  it('is the newest one across processes', async () => {
    const charger = await createCharger(api, tenant)
    const older = await connect(charger)
    const newer = await connect(charger, { url: limited.url })
    expect(await older.closed()).toMatchObject({ code: 1008 })
    expect(await newer.call('Heartbeat')).toHaveProperty('currentTime')
    const { rows } = await api.deps.database.pool.query(
      'select connection_id is not null as held from charger where id = $1',
      [charger.id],
    )
    expect(rows).toEqual([{ held: true }])
  })
})

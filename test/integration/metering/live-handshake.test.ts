import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { emitSamples, joinLive, openLive } from '../../support/metering/live.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const ALLOWED = ['https://app.example.com', 'https://other.example.com']
const FORBIDDEN = { code: 4003, reason: 'Forbidden origin' }
const INVALID = { code: 4001, reason: 'Invalid token' }
const EXPIRED = { code: 4001, reason: 'Token expired' }
const MINUTE_MS = 60_000

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let meter: TestDevice
let foreign: TestDevice
/** The same service with an allow-list of origins. */
let listed: SecondProcess

beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  meter = await createDevice(api, ownTenant)
  foreign = await createDevice(api, otherTenant)
  listed = await startSecondProcess(api, { corsOrigins: ALLOWED })
})
afterAll(async () => {
  await listed.close()
  await api.close()
})

const withOrigin = (origin: string | undefined) =>
  origin === undefined ? {} : { options: { headers: { origin } } }
const greeted = async (url: string, origin: string | undefined) => {
  const client = await joinLive(url, {
    token: ownTenant.viewer.token,
    devices: [meter],
    ...withOrigin(origin),
  })
  await client.end()
}
const refused = (url: string, order: Parameters<typeof openLive>[1]) => openLive(url, order).closed()

describe('origin of a live socket', () => {
  it('in the list is accepted, and the token is checked next', async () => {
    await greeted(listed.url, 'https://app.example.com')
    expect(await refused(listed.url, withOrigin('https://app.example.com'))).toEqual(INVALID)
  })

  it.each(['https://app.example.com/', 'https://other.example.com/', '  https://app.example.com  '])(
    'with a trailing slash or white space is accepted: "%s"',
    async (origin) => {
      await greeted(listed.url, origin)
    },
  )

  it.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com//', 'null'])(
    'outside of the list closes with 4003: "%s"',
    async (origin) => {
      listed.logged.length = 0
      const order = { token: ownTenant.viewer.token, devices: [meter], ...withOrigin(origin) }
      expect(await refused(listed.url, order)).toEqual(FORBIDDEN)
      const { level: _level, time: _time, msg: _msg, ...fields } = listed.logged[0] ?? {}
      expect(fields).toEqual({
        event: 'websocket_origin_rejected',
        origin,
        endpoint: 'telemetry',
        allowed_count: 2,
      })
    },
  )

  it.each([undefined, ''])('absent or empty closes with 4003: %s', async (origin) => {
    const order = { token: ownTenant.viewer.token, devices: [meter], ...withOrigin(origin) }
    expect(await refused(listed.url, order)).toEqual(FORBIDDEN)
  })

  it('is checked before the token', async () => {
    expect(await refused(listed.url, withOrigin('https://evil.example.com'))).toEqual(FORBIDDEN)
  })

  it.each(['https://evil.example.com', 'null', '', undefined])(
    'is not checked without a list: %s',
    async (origin) => {
      await greeted(api.url, origin)
      expect(await refused(api.url, withOrigin(origin))).toEqual(INVALID)
    },
  )
})

describe('token of a live socket', () => {
  const tokens = () => makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
  const user = () => ({ id: ownTenant.viewer.id, tenantUid: ownTenant.uid })

  it.each(['', 'nonsense', 'a.b.c'])('"%s" closes with 4001', async (token) => {
    expect(await refused(api.url, { token, devices: [meter] })).toEqual(INVALID)
  })
  it('absent closes with 4001', async () => {
    expect(await refused(api.url, { devices: [meter] })).toEqual(INVALID)
  })
  it('of another key, of type refresh, or of an unknown user closes with 4001', async () => {
    const strange = makeTokens({ secretKey: 'another secret of the tests, long enough', clock: api.clock })
    const nobody = { id: meter.id, tenantUid: ownTenant.uid }
    for (const token of [
      strange.issue('access', user()),
      tokens().issue('refresh', user()),
      tokens().issue('access', nobody),
    ]) {
      expect(await refused(api.url, { token, devices: [meter] })).toEqual(INVALID)
    }
  })
  it('expired closes with 4001', async () => {
    const token = tokens().issue('access', user(), api.clock.now() - 30 * MINUTE_MS)
    expect(await refused(api.url, { token, devices: [meter] })).toEqual(EXPIRED)
  })
  it('of a user without read:measurement closes with 4003 and its own reason', async () => {
    const { id } = await api.deps.database.kysely
      .insertInto('app_user')
      .values({ tenant_id: ownTenant.id, email: 'nothing@example.test', password_hash: 'no login' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = tokens().issue('access', { id, tenantUid: ownTenant.uid })
    expect(await refused(api.url, { token, devices: [meter] })).toEqual({
      code: 4003,
      reason: 'Permission denied',
    })
  })
  it('closes an open socket with 4001 when it expires', async () => {
    const token = tokens().issue('access', user(), api.clock.now() - 29 * MINUTE_MS)
    const short = await joinLive(api.url, { token, devices: [meter] })
    const long = await joinLive(api.url, { token: ownTenant.viewer.token, devices: [meter] })
    api.clock.advance(MINUTE_MS + 1_000)
    expect(await short.closed()).toEqual(EXPIRED)
    expect(long.socket.readyState).toBe(long.socket.OPEN)
    api.clock.advance(-MINUTE_MS - 1_000)
    await long.end()
  })
  it('closes an open socket with 4001 when the user is deactivated', async () => {
    const users = api.deps.database.kysely.updateTable('app_user').where('id', '=', ownTenant.operator.id)
    const client = await joinLive(api.url, { token: ownTenant.operator.token, devices: [meter] })
    await users.set({ is_active: false }).execute()
    api.clock.advance(MINUTE_MS)
    expect(await client.closed()).toEqual(INVALID)
    api.clock.advance(-MINUTE_MS)
    await users.set({ is_active: true }).execute()
  })
})

describe('devices of a live socket', () => {
  const join = (devices: readonly (TestDevice | string)[]) =>
    joinLive(api.url, { token: ownTenant.viewer.token, devices })

  it('that are foreign, unknown or malformed are rejected alike; the rest is subscribed', async () => {
    const unknown = '0b1c2d3e-4f50-4a61-8b72-9c83ad94be05'
    const client = await join([meter, foreign, unknown, 'no-id'])
    expect(client.messages[0]).toMatchObject({
      type: 'hello',
      server_time: '2026-11-20T09:30:00.000Z',
      token_expires_at: '2026-11-20T10:00:00.000Z',
      devices: [meter.id],
      refused: [foreign.id, unknown, 'no-id'],
    })
    emitSamples(api, otherTenant.id, [{ deviceId: foreign.id, at: 0, values: { active_power: 1 } }])
    // Even an event of another tenant with the id of our device is not delivered across tenants.
    emitSamples(api, otherTenant.id, [{ deviceId: meter.id, at: 0, values: { active_power: 2 } }])
    emitSamples(api, ownTenant.id, [{ deviceId: meter.id, at: 0, values: { active_power: 3 } }])
    await client.find(({ type }) => type === 'sample')
    expect(client.samples().map(({ values }) => values)).toEqual([{ active_power: 3 }])
    await client.end()
  })
  it('of which none is valid close with 4004', async () => {
    for (const id of [foreign.id, '0b1c2d3e-4f50-4a61-8b72-9c83ad94be05', 'no-id']) {
      expect(await refused(api.url, { token: ownTenant.viewer.token, devices: [id] })).toEqual({
        code: 4004,
        reason: 'No such devices',
      })
    }
  })
  it('may be absent or empty at first', async () => {
    const client = await join([])
    expect(client.messages[0]).toMatchObject({ devices: [], refused: [] })
    await client.end()
  })
  it('in upper case and repeated count once', async () => {
    const client = await join([meter.id.toUpperCase(), meter])
    expect(client.messages[0]).toMatchObject({ devices: [meter.id], refused: [] })
    await client.end()
  })
  it('over the limit, and an invalid since, close with 4002', async () => {
    const { token } = ownTenant.viewer
    const tooMany = Array.from({ length: 1_001 }, () => 'x')
    const invalid = { code: 4002, reason: 'Invalid parameters' }
    expect(await refused(api.url, { token, devices: tooMany })).toEqual(invalid)
    expect(await refused(api.url, { token, devices: [meter], since: 'yesterday' })).toEqual(invalid)
  })
})

describe('HTTP server of the live socket', () => {
  /** The response to bytes written directly to the socket. */
  const exchange = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url)
      let response = ''
      const socket = connect(Number(port), hostname, () => socket.write(text))
      socket.on('data', (data) => {
        response += String(data)
      })
      socket.on('close', () => resolve(response)).on('error', reject)
    })
  const HANDSHAKE =
    'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

  it('answers 404 for an unknown socket path and closes the connection', async () => {
    expect(await exchange(`GET /ws/other HTTP/1.1\r\n${HANDSHAKE}`)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(await exchange(`GET /ws/telemetry/x HTTP/1.1\r\n${HANDSHAKE}`)).toMatch(/^HTTP\/1\.1 404 /)
  })
  it('answers 400 for an invalid handshake', async () => {
    const none = HANDSHAKE.replace('dGhlIHNhbXBsZSBub25jZQ==', 'short')
    expect(await exchange(`GET /ws/telemetry HTTP/1.1\r\n${none}`)).toMatch(/^HTTP\/1\.1 400 /)
  })
  it('ignores the upgrade to another protocol and serves the request', async () => {
    const reply = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify({ email: 'nobody@example.test', password: 'wrong' })
      const call = request(
        `${api.url}/api/auth/login`,
        {
          method: 'POST',
          headers: {
            connection: 'Upgrade, HTTP2-Settings',
            upgrade: 'h2c',
            'http2-settings': 'AAMAAABkAAQBAAAAAAIAAAAA',
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          let text = `${response.statusCode} `
          response.on('data', (data) => {
            text += String(data)
          })
          response.on('end', () => resolve(text))
        },
      )
      call.on('error', reject)
      call.end(body)
    })
    expect(reply).toContain('401')
    expect(reply).toContain('INVALID_CREDENTIALS')
  })
})

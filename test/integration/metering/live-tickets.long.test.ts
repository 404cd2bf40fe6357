import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearTickets } from '../../../src/areas/metering/live/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { emitSamples, openLive } from '../../support/metering/live.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const INVALID = { code: 4001, reason: 'Invalid ticket' }

let api: TestApi
let own: TestTenant
let meter: TestDevice
let other: SecondProcess

beforeAll(async () => {
  api = await startApi()
  own = await createTenant(api)
  meter = await createDevice(api, own)
  other = await startSecondProcess(api)
})
afterAll(async () => {
  await other.close()
  await api.close()
})

const createTicket = async (token: string): Promise<{ ticket: string; expires_at: string }> => {
  const { status, body } = await api.call('POST', '/api/live/tickets', { token })
  expect(status).toBe(201)
  return body
}
const open = (ticket: string, url = api.url) => openLive(url, { ticket, devices: [meter] })
const isHello = ({ type }: { type: string }) => type === 'hello'

describe('tickets of live sockets', () => {
  it('open one socket, in any process, until the token expires', async () => {
    const { ticket, expires_at } = await createTicket(own.viewer.token)
    expect(Date.parse(expires_at) - api.clock.now()).toBe(30_000)
    expect(ticket).toMatch(/^[0-9a-z]+\.[\w-]{43}$/)
    const client = open(ticket, other.url)
    const hello = await client.find(isHello)
    expect(hello.devices).toEqual([meter.id])
    expect(Date.parse(hello.token_expires_at)).toBeGreaterThan(Date.parse(expires_at))
    expect(await open(ticket).closed()).toEqual(INVALID)
    await client.end()
  })

  it('receive samples of the tenant', async () => {
    const { ticket } = await createTicket(own.viewer.token)
    const client = open(ticket)
    await client.find(isHello)
    const at = api.clock.now()
    emitSamples(api, own.id, [{ deviceId: meter.id, at, values: { active_power: 1 } }])
    await client.find(({ type }) => type === 'sample')
    await client.end()
  })

  it('are redeemed once when they are used at the same time', async () => {
    const { ticket } = await createTicket(own.viewer.token)
    const clients = [open(ticket), open(ticket, other.url), open(ticket)]
    const outcomes = await Promise.all(
      clients.map((client) =>
        client.find(isHello).then(
          () => 'hello',
          () => 'refused',
        ),
      ),
    )
    expect(outcomes.sort()).toEqual(['hello', 'refused', 'refused'])
    await Promise.all(clients.map((client) => client.end()))
  })

  it('expire after 30 seconds', async () => {
    const { ticket } = await createTicket(own.viewer.token)
    api.clock.advance(30_000)
    expect(await open(ticket).closed()).toEqual(INVALID)
  })

  it.each(['', 'x', 'A'.repeat(43), 'ç'.repeat(43)])(
    'that do not exist are refused: "%s"',
    async (ticket) => {
      const reason = ticket === '' ? 'Invalid token' : 'Invalid ticket'
      expect(await open(ticket).closed()).toEqual({ code: 4001, reason })
    },
  )

  it('carry the permissions of the token at the time of the connection', async () => {
    const { ticket } = await createTicket(own.viewer.token)
    await api.call('PUT', `/api/users/${own.viewer.id}`, {
      token: own.admin.token,
      body: { is_active: false },
    })
    expect(await open(ticket).closed()).toEqual({ code: 4001, reason: 'Invalid token' })
    await api.call('PUT', `/api/users/${own.viewer.id}`, {
      token: own.admin.token,
      body: { is_active: true },
    })
  })

  it('need the permission to read measurements', async () => {
    const { body } = await api.call('POST', '/api/api-keys', {
      token: own.admin.token,
      body: { name: 'devices', permissions: ['read:device'], expires_in_days: 1 },
    })
    expect((await api.call('POST', '/api/live/tickets', { token: body.key })).status).toBe(403)
    expect((await api.call('POST', '/api/live/tickets')).status).toBe(401)
  })

  it('are created with an API key too, and end with it', async () => {
    const created = await api.call('POST', '/api/api-keys', {
      token: own.admin.token,
      body: { name: 'display', permissions: ['read:measurement'], expires_in_days: 1 },
    })
    const first = open((await createTicket(created.body.key)).ticket)
    await first.find(isHello)
    const { ticket } = await createTicket(created.body.key)
    await api.call('DELETE', `/api/api-keys/${created.body.id}`, { token: own.admin.token })
    expect(await open(ticket).closed()).toEqual({ code: 4001, reason: 'Invalid token' })
    await first.end()
  })

  it('are limited to 100 unused ones of a user', async () => {
    const tenant = await createTenant(api)
    const token = tenant.viewer.token
    for (let count = 0; count < 100; count += 1) await createTicket(token)
    const refused = await api.call('POST', '/api/live/tickets', { token })
    expect(refused.status).toBe(429)
    expect(refused.body.error_code).toBe('RATE_LIMITED')
    expect(refused.headers.get('retry-after')).toBe('30')
    api.clock.advance(30_000)
    await createTicket(token)
  })

  it('are deleted by the hourly job when they were not used in time, also of an inactive tenant', async () => {
    const { pool } = api.deps.database
    const tenant = await createTenant(api)
    await createTicket(tenant.viewer.token)
    await pool.query('update tenant set is_active = false where id = $1', [tenant.id])
    const kept = async () =>
      (await pool.query('select 1 from live_ticket where tenant_id = $1', [tenant.id])).rowCount
    await clearTickets(api.deps)
    expect(await kept()).toBe(1)
    const start = api.clock.now()
    api.clock.advance(30_000)
    await clearTickets(api.deps)
    expect(await kept()).toBe(0)
    api.clock.set(start)
  })
})

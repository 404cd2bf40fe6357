import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markAllOffline } from '../../../src/areas/equipment/gateways/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant

beforeAll(async () => {
  api = await startApi({ config: { trustedProxies: ['127.0.0.0/8', '::1'] } })
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const now = () => api.clock.now()

async function createGateway(tenant: TestTenant, body: object = {}): Promise<string> {
  const response = await api.call('POST', '/api/gateways', {
    token: tenant.admin.token,
    body: { name: `gateway ${randomUUID()}`, gateway_type: 'mqtt', ...body },
  })
  expect(response.status).toBe(201)
  return response.body.id
}

type Kind = 'connected' | 'disconnected'
const callWebhook = (kind: Kind, body: unknown, headers = {}) =>
  api.call('POST', `/api/internal/gateway/${kind}`, { body, headers })

async function isOnline(id: string, tenant = tenantA): Promise<boolean> {
  const response = await api.call('GET', `/api/gateways/${id}`, { token: tenant.admin.token })
  return response.body.is_online
}

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((item, index) =>
        permutations(list.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
      )

describe('webhooks of the message broker', () => {
  it('accept EMQX 5, EMQX 4, VerneMQ and our own format, and return {}', async () => {
    const bodies: [Kind, (id: string) => [object, object?]][] = [
      [
        'connected',
        (id) => [{ event: 'client.connected', clientid: 'c', username: id, connected_at: now() }],
      ],
      [
        'connected',
        (id) => [{ action: 'client_connected', clientid: id, connected_at: Math.floor(now() / 1000) }],
      ],
      // One URL for all events: the event name in the body counts.
      ['disconnected', (id) => [{ action: 'client_connected', clientid: id, connected_at: now() }]],
      [
        'connected',
        (id) => [
          { client_id: 'c', username: id, mountpoint: '', peer_addr: '10.0.0.9', peer_port: 5000 },
          { 'vernemq-hook': 'on_register' },
        ],
      ],
      ['connected', (id) => [{ clientid: id, timestamp: new Date(now()).toISOString() }]],
    ]
    for (const [kind, make] of bodies) {
      const id = await createGateway(tenantA)
      const [body, headers] = make(id)
      const response = await callWebhook(kind, body, headers)
      expect([response.status, response.text]).toEqual([200, '{}'])
      expect(await isOnline(id)).toBe(true)
      const gone = { clientid: id, username: id, timestamp: now() + 1 }
      await callWebhook('disconnected', gone)
      expect(await isOnline(id)).toBe(false)
    }
  })

  it('identify the gateway by its client id unless several gateways have it', async () => {
    const client_id = `plc-${randomUUID()}`
    const own = await createGateway(tenantA, { client_id })
    await callWebhook('connected', { clientid: client_id, timestamp: now() })
    expect(await isOnline(own)).toBe(true)
    await createGateway(tenantB, { client_id })
    await callWebhook('disconnected', { clientid: client_id, timestamp: now() + 1 })
    expect(await isOnline(own)).toBe(true)
    // The user name, which the broker has verified, or the mountpoint identifies the gateway.
    await callWebhook('disconnected', { clientid: client_id, username: own, timestamp: now() + 1 })
    expect(await isOnline(own)).toBe(false)
    const mountpoint = `ems/v1/${tenantA.uid}/${own}/`
    await callWebhook('connected', { client_id, mountpoint, timestamp: now() + 2 })
    expect(await isOnline(own)).toBe(true)
  })

  it('never let an old session close a newer one, in whatever order the events come', async () => {
    const started = now()
    const at = (seconds: number) => started + seconds * 1000
    const events: [Kind, object][] = [
      ['connected', { event: 'client.connected', connected_at: at(0), node: 'emqx@a' }],
      [
        'disconnected',
        {
          event: 'client.disconnected',
          disconnected_at: at(31),
          node: 'emqx@a',
          reason: 'keepalive_timeout',
        },
      ],
      ['connected', { event: 'client.connected', connected_at: at(20), node: 'emqx@b' }],
    ]
    const end: [Kind, object] = [
      'disconnected',
      { event: 'client.disconnected', disconnected_at: at(40), node: 'emqx@b', reason: 'normal' },
    ]
    const play = async (order: readonly [Kind, object][]) => {
      const id = await createGateway(tenantA)
      for (const [kind, body] of order) await callWebhook(kind, { clientid: 'x', username: id, ...body })
      return isOnline(id)
    }
    const open = await Promise.all(permutations(events).map(play))
    expect(open).toEqual(open.map(() => true))
    const closed = await Promise.all(permutations([...events, end]).map(play))
    expect(closed).toEqual(closed.map(() => false))
  })

  it('find the gateway of a disconnection that names only a client id by its connection', async () => {
    const client_id = `auto-${randomUUID()}`
    const [first, second] = [await createGateway(tenantA), await createGateway(tenantB)]
    const register = { 'vernemq-hook': 'on_register' }
    await callWebhook('connected', { client_id, username: first, mountpoint: '' }, register)
    expect(await isOnline(first)).toBe(true)
    api.clock.advance(1000)
    await callWebhook('disconnected', { client_id, mountpoint: '' }, { 'vernemq-hook': 'on_client_gone' })
    expect(await isOnline(first)).toBe(false)
    // A client id belongs to the gateway that used it last below the same mountpoint.
    await callWebhook('connected', { client_id, username: first, mountpoint: '' }, register)
    api.clock.advance(1000)
    await callWebhook('connected', { client_id, username: second, mountpoint: '' }, register)
    await callWebhook('connected', { client_id, username: first, mountpoint: 'other' }, register)
    api.clock.advance(1000)
    await callWebhook('disconnected', { client_id, mountpoint: '' }, { 'vernemq-hook': 'on_client_offline' })
    expect([await isOnline(first), await isOnline(second, tenantB)]).toEqual([true, false])
  })

  it('count calls that match no gateway in /readiness, and not the clients of the service', async () => {
    const other = await startApi()
    const call = (body: object) => other.call('POST', '/api/internal/gateway/connected', { body })
    const notes = async (): Promise<string[]> =>
      (await other.call('GET', '/readiness')).body.notes.filter((note: string) => note.includes('no gateway'))
    expect((await call({ clientid: 'netsaat-link-1' })).status).toBe(200)
    expect(await notes()).toEqual([])
    await call({ clientid: 'nobody' })
    await call({ clientid: 'somebody', username: randomUUID() })
    expect(await notes()).toEqual([expect.stringMatching(/^2 webhook calls .* no gateway/)])
    other.clock.advance(2 * 3_600_000)
    expect(await notes()).toEqual([])
    await other.close()
  })

  it('accept unknown clients, and refuse calls from other networks', async () => {
    for (const body of [
      {},
      [],
      { clientid: 'nobody' },
      { action: 'message_publish' },
      { username: randomUUID() },
    ]) {
      expect((await callWebhook('connected', body)).status).toBe(200)
    }
    const response = await callWebhook('connected', {}, { 'x-forwarded-for': '203.0.113.7' })
    expect(response.status).toBe(404)
  })
})

describe('is_online of a gateway', () => {
  it('ends after silence, and returns with a message after the end of the session', async () => {
    const id = await createGateway(tenantA)
    expect(await isOnline(id)).toBe(false)
    const receivedAgo = (ms: number) =>
      api.deps.database.pool.query('update gateway set last_seen = $1 where id = $2', [
        new Date(now() - ms),
        id,
      ])
    await callWebhook('connected', { username: id, timestamp: now() })
    await receivedAgo(23 * 3600_000)
    expect(await isOnline(id)).toBe(true)
    await receivedAgo(25 * 3600_000)
    expect(await isOnline(id)).toBe(false)
    await callWebhook('disconnected', { username: id, timestamp: now() })
    await receivedAgo(0)
    expect(await isOnline(id)).toBe(false)
    await receivedAgo(-120_000)
    expect(await isOnline(id)).toBe(true)
  })

  it('ends with the process of its embedded broker', async () => {
    const id = await createGateway(tenantA)
    await callWebhook('connected', { username: id, timestamp: now() })
    await markAllOffline(api.deps.database, now())
    expect(await isOnline(id)).toBe(false)
  })

  it('filters both lists of gateways', async () => {
    const tenant = await createTenant(api)
    const token = tenant.viewer.token
    const [on, off] = [
      await createGateway(tenant, { name: 'on' }),
      await createGateway(tenant, { name: 'off' }),
    ]
    await createGateway(tenant, { name: 'bus', gateway_type: 'modbus' })
    await callWebhook('connected', { username: on, timestamp: now() })
    const light = await api.call('GET', '/api/gateways/mqtt', { token })
    expect(light.headers.get('x-total-count')).toBe('2')
    expect(
      light.body.map(({ id, is_online }: { id: string; is_online: boolean }) => [id, is_online]),
    ).toEqual([
      [off, false],
      [on, true],
    ])
    expect(Object.keys(light.body[0])).toEqual(
      expect.arrayContaining(['id', 'name', 'client_id', 'is_online', 'last_seen', 'subregion_id']),
    )
    const online = await api.call('GET', '/api/gateways/mqtt?is_online=true', { token })
    expect(online.body).toHaveLength(1)
    const list = await api.call('GET', '/api/gateways?is_online=true', { token })
    expect(list.body.items.map(({ id }: { id: string }) => id)).toEqual([on])
  })
})

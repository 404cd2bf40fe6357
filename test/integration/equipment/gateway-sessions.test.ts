import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markAllOffline } from '../../../src/areas/equipment/gateway-link/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ours: TestTenant
let theirs: TestTenant

beforeAll(async () => {
  api = await startApi({ config: { trustedProxies: ['127.0.0.0/8', '::1'] } })
  ours = await createTenant(api)
  theirs = await createTenant(api)
})
afterAll(() => api.close())

const now = () => api.clock.now()

async function createGateway(tenant: TestTenant, body: object = {}): Promise<string> {
  const answer = await api.call('POST', '/api/gateways', {
    token: tenant.admin.token,
    body: { name: `gateway ${randomUUID()}`, gateway_type: 'mqtt', ...body },
  })
  expect(answer.status).toBe(201)
  return answer.body.id
}

type Kind = 'connected' | 'disconnected'
const tell = (kind: Kind, body: unknown, headers = {}) =>
  api.call('POST', `/api/internal/gateway/${kind}`, { body, headers })

async function isOnline(id: string, tenant = ours): Promise<boolean> {
  const answer = await api.call('GET', `/api/gateways/${id}`, { token: tenant.admin.token })
  return answer.body.is_online
}

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((item, index) =>
        permutations(list.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
      )

describe('webhooks of the message broker', () => {
  it('are EMQX 5, EMQX 4, VerneMQ and our own, and answer {}', async () => {
    const bodies: [Kind, (id: string) => [object, object?]][] = [
      [
        'connected',
        (id) => [{ event: 'client.connected', clientid: 'c', username: id, connected_at: now() }],
      ],
      [
        'connected',
        (id) => [{ action: 'client_connected', clientid: id, connected_at: Math.floor(now() / 1000) }],
      ],
      // One address for all events: what the body calls itself counts.
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
      const id = await createGateway(ours)
      const [body, headers] = make(id)
      const answer = await tell(kind, body, headers)
      expect([answer.status, answer.text]).toEqual([200, '{}'])
      expect(await isOnline(id)).toBe(true)
      const gone = { clientid: id, username: id, timestamp: now() + 1 }
      await tell('disconnected', gone)
      expect(await isOnline(id)).toBe(false)
    }
  })

  it('find the gateway by its client id, but not by one that several gateways have', async () => {
    const client_id = `plc-${randomUUID()}`
    const own = await createGateway(ours, { client_id })
    await tell('connected', { clientid: client_id, timestamp: now() })
    expect(await isOnline(own)).toBe(true)
    await createGateway(theirs, { client_id })
    await tell('disconnected', { clientid: client_id, timestamp: now() + 1 })
    expect(await isOnline(own)).toBe(true)
    // Its user name, which the broker has checked, or its mountpoint, ends the doubt.
    await tell('disconnected', { clientid: client_id, username: own, timestamp: now() + 1 })
    expect(await isOnline(own)).toBe(false)
    const mountpoint = `ems/v1/${ours.uid}/${own}/`
    await tell('connected', { client_id, mountpoint, timestamp: now() + 2 })
    expect(await isOnline(own)).toBe(true)
  })

  it('never let an old session close a newer one, in whatever order the events come', async () => {
    const begun = now()
    const at = (seconds: number) => begun + seconds * 1000
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
      const id = await createGateway(ours)
      for (const [kind, body] of order) await tell(kind, { clientid: 'x', username: id, ...body })
      return isOnline(id)
    }
    const open = await Promise.all(permutations(events).map(play))
    expect(open).toEqual(open.map(() => true))
    const closed = await Promise.all(permutations([...events, end]).map(play))
    expect(closed).toEqual(closed.map(() => false))
  })

  it('are no error when nobody is meant, and nothing where they must not come from', async () => {
    for (const body of [
      {},
      [],
      { clientid: 'nobody' },
      { action: 'message_publish' },
      { username: randomUUID() },
    ]) {
      expect((await tell('connected', body)).status).toBe(200)
    }
    const answer = await tell('connected', {}, { 'x-forwarded-for': '203.0.113.7' })
    expect(answer.status).toBe(404)
  })
})

describe('is_online of a gateway', () => {
  it('ends with the silence, and begins again with a message after the end', async () => {
    const id = await createGateway(ours)
    expect(await isOnline(id)).toBe(false)
    const heardAgo = (ms: number) =>
      api.deps.database.pool.query('update gateway set last_seen = $1 where id = $2', [
        new Date(now() - ms),
        id,
      ])
    await tell('connected', { username: id, timestamp: now() })
    await heardAgo(23 * 3600_000)
    expect(await isOnline(id)).toBe(true)
    await heardAgo(25 * 3600_000)
    expect(await isOnline(id)).toBe(false)
    await tell('disconnected', { username: id, timestamp: now() })
    await heardAgo(0)
    expect(await isOnline(id)).toBe(false)
    await heardAgo(-120_000)
    expect(await isOnline(id)).toBe(true)
  })

  it('ends with the process whose broker it was on', async () => {
    const id = await createGateway(ours)
    await tell('connected', { username: id, timestamp: now() })
    await markAllOffline(api.deps.database, now())
    expect(await isOnline(id)).toBe(false)
  })

  it('filters the list, and the light one', async () => {
    const tenant = await createTenant(api)
    const token = tenant.viewer.token
    const [on, off] = [
      await createGateway(tenant, { name: 'on' }),
      await createGateway(tenant, { name: 'off' }),
    ]
    await createGateway(tenant, { name: 'bus', gateway_type: 'modbus' })
    await tell('connected', { username: on, timestamp: now() })
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

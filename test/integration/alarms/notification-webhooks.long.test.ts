import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeNotifier, type Notifier } from '../../../src/areas/alarms/notifications/index.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import {
  isGenuine,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/alarms/webhook-receiver.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const MINUTE = 60_000
const PATH = '/api/notification-webhooks'
const key = randomBytes(32).toString('base64')
let api: TestApi
let receiver: WebhookReceiver
let notifier: Notifier
let tenant: TestTenant
let policy: string
beforeAll(async () => {
  api = await startApi({ config: { credentialEncryptionKey: key, webhookAllowedNetworks: ['127.0.0.0/8'] } })
  receiver = await startWebhookReceiver()
  notifier = makeNotifier(api.deps, { callTimeoutMs: 5_000 })
})
afterAll(async () => {
  await notifier.stop()
  await receiver.close()
  await api.close()
})
beforeEach(async () => {
  api.clock.set(NOW)
  tenant = await createTenant(api)
  policy = await makePolicy(api, tenant, { notify: ['webhook'], name: 'hot' })
  receiver.delivered.length = 0
  receiver.answers.length = 0
})

const call = (method: string, path = '', body?: object, user = tenant.operator) =>
  api.call(method, PATH + path, { token: user.token, body })
const create = async (over: object = {}) =>
  (await call('POST', '', { name: 'to the office', url: `${receiver.url}/hook`, ...over })).body
const get = async (id: string) => (await call('GET', `/${id}`)).body
const open = (count = 1) => openIncidents(api, tenant, policy, { count })
const ids = () => receiver.delivered.map(({ id }) => id)
const events = () =>
  receiver.delivered.flatMap(({ body }) => body.data.events as { event_type: string; incident_id: string }[])

describe('notification webhook', () => {
  it('returns its secret once and stores it encrypted', async () => {
    const created = await create()
    expect(created).toMatchObject({
      ...{ name: 'to the office', min_severity: 'info', is_active: true, disabled_at: null },
      ...{ failures: 0, failing_since: null, last_error: null, last_success_at: null },
    })
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...rest } = created
    expect(await get(created.id)).toEqual(rest)
    expect((await call('GET')).body).toMatchObject({ items: [rest], total: 1 })
    const { rows } = await api.deps.database.pool.query('select * from notification_webhook')
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    const renewed = (await call('POST', `/${created.id}/secret`)).body
    expect(renewed.secret).not.toBe(secret)
    expect((await call('DELETE', `/${created.id}`)).status).toBe(204)
    expect((await call('GET', `/${created.id}`)).status).toBe(404)
  })

  it('shows its full address only to users who may change it', async () => {
    const { id, url } = await create({ url: `${receiver.url}/services/T0/secret?key=1` })
    const seen = async (user = tenant.operator) => [
      (await call('GET', `/${id}`, undefined, user)).body.url,
      (await call('GET', '', undefined, user)).body.items[0].url,
    ]
    expect(await seen()).toEqual([url, url])
    expect(await seen(tenant.viewer)).toEqual(Array(2).fill(`${receiver.url}/${'*'.repeat(8)}`))
    await call('PUT', `/${id}`, { url: receiver.url })
    expect(await seen(tenant.viewer)).toEqual([`${receiver.url}/`, `${receiver.url}/`])
  })

  it('is rejected with an address that may not be called', async () => {
    const bad = [
      ...['ftp://example.org/x', 'example.org', 'https://user:secret@example.org/', 'javascript:alert(1)'],
      ...[
        'http://10.0.0.1/',
        'http://169.254.169.254/latest',
        'http://168.63.129.16/',
        'http://[::1]/',
        'http://0x0a000001/',
      ],
      ...[
        'http://[::ffff:192.168.0.1]/',
        'http://100.64.0.1/',
        'http://0.0.0.0/',
        'http://[64:ff9b::a00:1]/',
        'http://[::10.0.0.1]/',
        'http://[::a9fe:a9fe]/',
      ],
    ]
    for (const url of bad) {
      const response = await call('POST', '', { name: 'x', url })
      expect([response.status, response.body.detail?.[0]?.loc], url).toEqual([422, ['body', 'url']])
    }
    await create()
    expect((await call('POST', '', { name: 'to the office', url: receiver.url })).status).toBe(409)
    expect((await call('POST', '', { name: 'y', url: receiver.url }, tenant.viewer)).status).toBe(403)
    for (let count = 1; count < 10; count += 1) await create({ name: `hook ${count}` })
    expect((await call('POST', '', { name: 'one more', url: receiver.url })).body.error_code).toBe(
      'STATE_CONFLICT',
    )
  })

  it('can be tested, and reports the result', async () => {
    const { id, secret } = await create()
    expect((await call('POST', `/${id}/test`)).body).toEqual({ ok: true, message: 'it answered 204' })
    const [sent] = receiver.delivered
    expect(sent?.body).toMatchObject({ type: 'test', data: { tenant_id: tenant.uid } })
    expect(sent && isGenuine(sent, secret, NOW)).toBe(true)
    receiver.answers.push(500, 302)
    expect((await call('POST', `/${id}/test`)).body).toEqual({ ok: false, message: 'it answered 500' })
    expect((await call('POST', `/${id}/test`)).body.message).toBe(
      'it answered 302; redirects are not followed',
    )
    expect(receiver.delivered.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook'])
    // At an address that is not public, no failure reveals whether a port is open.
    const banner = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    banner.listen(0, '127.0.0.1')
    await once(banner, 'listening')
    const own = new URL(api.url).port
    for (const port of ['9', (banner.address() as AddressInfo).port, own]) {
      await call('PUT', `/${id}`, { url: `http://127.0.0.1:${port}/` })
      const { message } = (await call('POST', `/${id}/test`)).body
      expect([port, message]).toEqual([port, 'the address does not answer as a webhook'])
    }
    banner.close()
    await call('PUT', `/${id}`, { url: 'http://nowhere.invalid/' })
    expect((await call('POST', `/${id}/test`)).body).toMatchObject({ ok: false })
  })
})

describe('webhook deliveries', () => {
  it('are signed and carry the incident events in order, filtered by policy and webhook', async () => {
    const { id, secret } = await create({ min_severity: 'critical' })
    const [incident = ''] = await open()
    await openIncidents(api, tenant, await makePolicy(api, tenant))
    await openIncidents(api, tenant, policy, { severity: 'warning' })
    const act = (transition: string) =>
      api.call('POST', `/api/alarms/incidents/${incident}/${transition}`, { token: tenant.operator.token })
    await act('ack')
    await notifier.work()
    await act('close')
    await notifier.work()
    expect(receiver.delivered).toHaveLength(2)
    for (const sent of receiver.delivered) expect(isGenuine(sent, secret, NOW)).toBe(true)
    expect(isGenuine({ ...receiver.delivered[0], text: '{}' } as never, secret, NOW)).toBe(false)
    expect(receiver.delivered[0]?.body).toMatchObject({
      type: 'alarm.events',
      timestamp: '2026-11-20T09:30:00.000Z',
      data: {
        tenant_id: tenant.uid,
        events: [
          { event_type: 'raised', severity: 'critical', title: 'hot', message: 'too hot', by_user: null },
          { event_type: 'acknowledged', by_user: tenant.operator.id },
        ],
      },
    })
    expect(events().map((event) => event.event_type)).toEqual(['raised', 'acknowledged', 'closed'])
    expect(events().every((event) => event.incident_id === incident)).toBe(true)
    expect(await get(id)).toMatchObject({ last_success_at: '2026-11-20T09:30:00.000Z', failures: 0 })
  })

  it('are retried with pauses and the same id before any later event, until they are accepted', async () => {
    const { id } = await create()
    receiver.answers.push(500, 'cut', 'hang', 302)
    const [first] = await open()
    await notifier.work()
    const [second] = await open()
    for (const pause of [9_999, 1, 20_000, 40_000]) {
      api.clock.advance(pause)
      await notifier.work()
    }
    expect(receiver.delivered).toHaveLength(4)
    expect(await get(id)).toMatchObject({
      ...{ failures: 4, failing_since: '2026-11-20T09:30:00.000Z', is_active: true },
      last_error: 'it answered 302; redirects are not followed',
    })
    api.clock.advance(80_000)
    await notifier.work()
    expect(new Set(ids().slice(0, 5)).size).toBe(1)
    expect(ids()).toHaveLength(6)
    expect(events().map((event) => event.incident_id)).toEqual([...Array(5).fill(first), second])
    expect(await get(id)).toMatchObject({ failures: 0, last_error: null })
  })

  it('are sent in batches, and a webhook that hangs does not delay the others', async () => {
    await create()
    const slow = await startWebhookReceiver()
    slow.answers.push('hang')
    await create({ name: 'slow', url: slow.url })
    await open(250)
    await notifier.work()
    expect(receiver.delivered.map(({ body }) => body.data.events.length)).toEqual([100, 100, 50])
    expect(new Set(events().map((event) => event.incident_id)).size).toBe(250)
    expect(slow.delivered).toHaveLength(1)
    await slow.close()
  })

  it('stop after too many failures, notify the tenant, and resume at the same position', async () => {
    const { id } = await create()
    await open()
    receiver.answers.push(503, 503, 503)
    await notifier.work()
    await api.deps.database.pool.query(
      'update notification_cursor set attempts = 28, due_at = $2 where webhook_id = $1',
      [id, new Date(NOW)],
    )
    await notifier.work()
    expect((await get(id)).is_active).toBe(true)
    api.clock.advance(60 * MINUTE - 1)
    await notifier.work()
    expect(receiver.delivered).toHaveLength(2)
    api.clock.advance(1)
    await notifier.work()
    api.clock.advance(60 * MINUTE)
    await notifier.work()
    expect(receiver.delivered).toHaveLength(3)
    api.clock.set(NOW)
    expect(await get(id)).toMatchObject({ is_active: false, disabled_at: '2026-11-20T10:30:00.000Z' })
    const notices = await api.deps.database.pool.query(
      'select event_type, title, message from notification where tenant_id = $1 and in_app',
      [tenant.id],
    )
    expect(notices.rows).toMatchObject([{ event_type: 'webhook_disabled', title: 'to the office' }])
    expect(notices.rows[0].message).toContain('it answered 503')
    expect((await call('PUT', `/${id}`, { is_active: true })).body).toMatchObject({
      ...{ is_active: true, disabled_at: null, failures: 0 },
    })
    await notifier.work()
    expect(new Set(ids()).size).toBe(1)
    expect(receiver.delivered).toHaveLength(4)
  })

  it('stop at once when the receiver answers that it is gone', async () => {
    const { id } = await create()
    await open()
    receiver.answers.push(410)
    await notifier.work()
    expect((await get(id)).is_active).toBe(false)
  })

  it('never go to a non-public address, also by name, unless the operator allows it', async () => {
    const { id } = await create({ url: receiver.url.replace('127.0.0.1', 'localhost') })
    await open()
    const { config } = api.deps
    const strict = makeNotifier({ ...api.deps, config: { ...config, webhookAllowedNetworks: [] } })
    await strict.work()
    expect(receiver.delivered).toEqual([])
    expect((await get(id)).last_error).toContain('the address is not a public one')
    await strict.stop()
  })
})

it('a delivery that was accepted but not recorded is repeated with the same id', async () => {
  await create({ url: `${receiver.url}/stopped` })
  const mine = () => receiver.delivered.filter(({ path }) => path === '/stopped')
  await open()
  receiver.answers.push('hang')
  const stopped = makeNotifier(api.deps)
  const working = stopped.work()
  await waitFor(() => mine().length > 0)
  await stopped.stop()
  await working
  await notifier.work()
  expect(mine()).toHaveLength(1)
  api.clock.advance(MINUTE)
  await notifier.work()
  expect(mine()).toHaveLength(2)
  const [taken, again] = mine()
  expect(again?.id).toBe(taken?.id)
  expect(again?.body.data).toEqual(taken?.body.data)
})

describe('a webhook that is changed during a delivery', () => {
  it('may get the delivery twice with the same id, and continues once after it', async () => {
    const created = await create()
    await open()
    receiver.answers.push('hang')
    const slow = makeNotifier(api.deps, { callTimeoutMs: 60_000 })
    const hanging = slow.work()
    await waitFor(() => receiver.delivered.length === 1)
    expect((await call('PUT', `/${created.id}`, { name: 'renamed', is_active: true })).status).toBe(200)
    await notifier.work()
    const [first, second] = ids()
    expect([first, receiver.delivered.length]).toEqual([second, 2])
    await slow.stop()
    await hanging
    await open()
    await notifier.work()
    expect(new Set(ids()).size).toBe(2)
    expect([receiver.delivered.length, await get(created.id)]).toMatchObject([
      3,
      { failures: 0, is_active: true },
    ])
  })
})

describe('notification metrics at /metrics', () => {
  it('count pending, sent and failed deliveries', async () => {
    const figures = async () => {
      const { text } = await api.call('GET', '/metrics')
      const of = (name: string, channel: string) =>
        Number(
          new RegExp(`^netsaat_notifications_${name}{channel="${channel}"} (\\d+)$`, 'm').exec(text)?.[1],
        )
      return {
        events: of('waiting', 'event'),
        waiting: of('waiting', 'webhook'),
        sent: of('sent_total', 'webhook'),
        failed: of('failed_total', 'webhook'),
        mails: of('sent_total', 'email'),
      }
    }
    await notifier.work()
    // Pending deliveries of the other tests.
    await api.deps.database.pool.query('update notification_cursor set due_at = null')
    const before = await figures()
    expect(Object.values(before).every(Number.isSafeInteger)).toBe(true)
    await create()
    await open(2)
    const newEvents = (await figures()).events - before.events
    receiver.answers.push(500)
    await notifier.work()
    const failed = await figures()
    api.clock.advance(MINUTE)
    await notifier.work()
    const sent = await figures()
    const change = (now: typeof before, field: keyof typeof before) => now[field] - before[field]
    expect([newEvents, change(failed, 'failed'), change(failed, 'waiting'), change(failed, 'sent')]).toEqual([
      ...[2, 1, 1, 0],
    ])
    expect([change(sent, 'sent'), change(sent, 'waiting'), change(sent, 'events')]).toEqual([1, 0, 0])
  })
})

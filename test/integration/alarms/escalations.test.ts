import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeNotifier, type Notifier } from '../../../src/areas/alarms/notifications/index.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/alarms/webhook-receiver.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const MINUTE = 60_000
const PATH = '/api/escalation-policies'
let api: TestApi
let platform: WebhookReceiver
let notifier: Notifier
let tenant: TestTenant
let channel: string
const mails: { to: string; text: string }[] = []
beforeAll(async () => {
  platform = await startWebhookReceiver()
  api = await startApi({
    config: {
      credentialEncryptionKey: randomBytes(32).toString('base64'),
      webhookAllowedNetworks: ['127.0.0.0/8'],
    },
  })
  const mail = { send: async (sent: { to: string; text: string }) => void mails.push(sent) }
  notifier = makeNotifier({ ...api.deps, mail: mail as never })
})
afterAll(async () => {
  await notifier.stop()
  await platform.close()
  await api.close()
})
beforeEach(async () => {
  api.clock.set(NOW)
  const { pool } = api.deps.database
  await pool.query('update notification_cursor set due_at = null')
  await pool.query('delete from incident_escalation')
  await pool.query('delete from escalation_message')
  tenant = await createTenant(api)
  const created = await call('POST', '/api/notification-channels', {
    ...{ name: 'ntfy', type: 'ntfy', server_url: platform.url, topic: 'shift', language: 'en' },
  })
  channel = created.body.id
  mails.length = 0
  platform.delivered.length = 0
  platform.answers.length = 0
})

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: tenant.operator.token, body })
const levels = () => [
  { delay_minutes: 5, recipients: [{ channel_id: channel }] },
  { delay_minutes: 10, recipients: [{ user_id: tenant.operator.id }, { email: 'Boss@example.test' }] },
]
const create = (over: object = {}) =>
  call('POST', PATH, { name: 'shift', levels: levels(), default_severities: ['critical'], ...over })
async function open(severity = 'critical'): Promise<string> {
  const [id = ''] = await openIncidents(api, tenant, await makePolicy(api, tenant, { name: 'hot' }), {
    severity,
  })
  await notifier.work()
  return id
}
async function advance(minutes: number): Promise<void> {
  api.clock.advance(minutes * MINUTE)
  await notifier.work()
}
const history = async (id: string) => (await call('GET', `/api/alarms/incidents/${id}/escalations`)).body
const counts = () => [platform.delivered.length, mails.length]

describe('an escalation policy', () => {
  it('is stored, changed and deleted, and checked', async () => {
    const created = await create()
    expect([created.status, created.text]).toEqual([201, expect.any(String)])
    const path = `${PATH}/${created.body.id}`
    expect((await call('GET', path)).body).toEqual(created.body)
    expect((await call('GET', PATH)).body).toMatchObject({ total: 1, items: [{ name: 'shift' }] })
    expect((await call('PUT', path, { repeat_count: 2 })).status).toBe(422)
    expect((await call('PUT', path, { repeat_count: 2, repeat_minutes: 15 })).body).toMatchObject({
      ...{ repeat_count: 2, repeat_minutes: 15, levels: created.body.levels },
    })
    expect((await create({ name: 'second' })).body.error_code).toBe('STATE_CONFLICT')
    expect((await create({ default_severities: [] })).body.error_code).toBe('DUPLICATE_ENTRY')
    const other = await createTenant(api)
    for (const recipient of [
      {},
      { user_id: tenant.admin.id, email: 'a@b.example' },
      { user_id: other.admin.id },
    ])
      expect((await create({ levels: [{ delay_minutes: 0, recipients: [recipient] }] })).status).toBe(422)
    const [first, second] = levels()
    expect((await create({ levels: [second, first] })).status).toBe(422)
    const alarm = await call('POST', '/api/alarms', {
      ...{ name: 'silent', alarm_type: 'offline', severity: 'info', escalation_policy_id: created.body.id },
    })
    expect(alarm.body.escalation_policy_id).toBe(created.body.id)
    expect((await call('DELETE', path)).body.error_code).toBe('STATE_CONFLICT')
    await call('PUT', `/api/alarms/${alarm.body.id}`, { escalation_policy_id: null })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  })
})

describe('an incident that is not acknowledged', () => {
  it('is not escalated while the tenant is deactivated, and afterwards again', async () => {
    await create()
    await open()
    const setActive = (isActive: boolean) =>
      api.deps.database.pool.query('update tenant set is_active = $2 where id = $1', [tenant.id, isActive])
    await setActive(false)
    await advance(6)
    expect(counts()).toEqual([0, 0])
    await setActive(true)
    await advance(0)
    expect(counts()).toEqual([1, 0])
  })

  it('is notified level by level, and the last level is repeated', async () => {
    await create({ repeat_count: 1, repeat_minutes: 30 })
    const id = await open()
    await advance(4)
    expect(counts()).toEqual([0, 0])
    await advance(1)
    expect(counts()).toEqual([1, 0])
    expect(platform.delivered[0]?.body).toMatchObject({
      topic: 'shift',
      title: 'Netsaat: [CRITICAL] hot',
      priority: 5,
    })
    await advance(5)
    await notifier.work()
    expect(counts()).toEqual([1, 2])
    expect(mails.map(({ to }) => to).sort()).toContain('boss@example.test')
    expect(mails[0]?.text).toContain('Alarm henüz onaylanmadı')
    await advance(29)
    expect(counts()).toEqual([1, 2])
    await advance(1)
    await advance(60)
    expect(counts()).toEqual([1, 4])
    api.clock.set(NOW)
    expect(
      (await history(id)).map((sent: { level: number; repetition: number; status: string }) => [
        ...[sent.level, sent.repetition, sent.status],
      ]),
    ).toEqual([
      ...[
        [1, 0, 'sent'],
        [2, 0, 'sent'],
        [2, 0, 'sent'],
        [2, 1, 'sent'],
        [2, 1, 'sent'],
      ],
    ])
  })

  it('is not notified further after an acknowledgement, a snooze or its end', async () => {
    await create()
    for (const [action, body] of [['ack'], ['close'], ['snooze', { minutes: 600 }]] as const) {
      const id = await open()
      await advance(5)
      const [before] = counts()
      expect((await call('POST', `/api/alarms/incidents/${id}/${action}`, body)).status).toBe(200)
      await advance(10)
      expect(counts()).toEqual([before, 0])
      api.clock.set(NOW)
    }
  })

  it('is escalated by the policy that its alarm policy names, else by the default for its severity', async () => {
    await create()
    await open('warning')
    await advance(60)
    expect(counts()).toEqual([0, 0])
  })

  it('reaches each recipient once when another process continues after a stop', async () => {
    await create()
    await open()
    const second = makeNotifier({ ...api.deps, mail: { send: async () => {} } })
    api.clock.advance(5 * MINUTE)
    await Promise.all([second.work(), notifier.work()])
    await second.stop()
    expect(counts()).toEqual([1, 0])
  })

  it('is not sent to a deactivated user, and a refused message is shown as failed', async () => {
    await create()
    const id = await open()
    const { pool } = api.deps.database
    platform.answers.push(503, 404)
    await advance(5)
    await advance(1)
    await pool.query('update app_user set is_active = false where tenant_id = $1 and id = $2', [
      ...[tenant.id, tenant.operator.id],
    ])
    await advance(4)
    expect(mails.map(({ to }) => to)).toEqual(['boss@example.test'])
    const read = async (language: string) => {
      const path = `/api/alarms/incidents/${id}/escalations`
      const headers = { 'accept-language': language }
      const { body } = await api.call('GET', path, { token: tenant.admin.token, headers })
      return body.map(({ level, status, error }: Record<string, unknown>) => [level, status, error]).sort()
    }
    expect(await read('en')).toEqual([
      [1, 'failed', 'it answered 404'],
      [2, 'sent', null],
      [2, 'skipped', 'the user is not active or may not get mails about alarms'],
    ])
    expect(await read('tr')).toEqual([
      [1, 'failed', 'alıcı 404 yanıtı verdi'],
      [2, 'sent', null],
      [2, 'skipped', 'kullanıcı etkin değil ya da alarm e-postası alamıyor'],
    ])
  })
})

describe('with open signup', () => {
  it('mails go to verified addresses of users only, also when the policy is older than the setting', async () => {
    const levelOf = (email: string) => [{ delay_minutes: 0, recipients: [{ email }] }]
    expect((await create({ levels: levelOf('stranger@example.test') })).status).toBe(201)
    const config = { ...api.deps.config, tenantSignupEnabled: true }
    const mail = { send: async (sent: { to: string; text: string }) => void mails.push(sent) }
    const strict = makeNotifier({ ...api.deps, config, mail: mail as never })
    const [id = ''] = await openIncidents(api, tenant, await makePolicy(api, tenant, { name: 'hot' }), {
      severity: 'critical',
    })
    await strict.work()
    await strict.stop()
    expect(mails).toEqual([])
    expect(await history(id)).toMatchObject([{ status: 'skipped' }])
  })

  it('an address of a policy must be the verified address of a user', async () => {
    const open = await startApi({
      config: {
        tenantSignupEnabled: true,
        credentialEncryptionKey: randomBytes(32).toString('base64'),
      },
    })
    const { operator, id } = await createTenant(open)
    const post = (email: string) =>
      open.call('POST', PATH, {
        token: operator.token,
        body: { name: email, levels: [{ delay_minutes: 0, recipients: [{ email }] }] },
      })
    const refused = await post('stranger@example.test')
    expect(refused.status).toBe(422)
    expect(refused.body.detail[0]).toMatchObject({
      loc: ['body', 'levels', 0, 'recipients', 0, 'email'],
      message_code: 'ESCALATION_ADDRESS_NOT_VERIFIED',
    })
    const { rows } = await open.deps.database.pool.query<{ email: string }>(
      'update app_user set is_email_verified = true where tenant_id = $1 and id = $2 returning email',
      [id, operator.id],
    )
    expect((await post(rows[0]?.email.toUpperCase() ?? '')).status).toBe(201)
    await open.close()
  })
})

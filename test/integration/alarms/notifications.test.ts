import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  clearNotifications,
  makeNotifier,
  type Notifier,
} from '../../../src/areas/alarms/notifications/index.ts'
import { makeSmtpMailer } from '../../../src/platform/mail/mail.ts'
import { createPolicy, startEvaluation } from '../../support/alarms/alarm-policies.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { crossTenantStatementsOf } from '../../support/routing/sent-statements.ts'
import { type SmtpServer, startSmtpServer, textOfMail } from '../../support/smtp-server.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const MINUTE = 60_000
let api: TestApi
let smtp: SmtpServer
let notifier: Notifier
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ config: { consoleUrl: 'https://netsaat.example' } })
  smtp = await startSmtpServer()
  const mail = makeSmtpMailer({ smtpUrl: smtp.url, from: 'netsaat@example.test' })
  notifier = makeNotifier({ ...api.deps, mail })
})
afterAll(async () => {
  await notifier.stop()
  await smtp.close()
  await api.close()
})
beforeEach(async () => {
  api.clock.set(NOW)
  tenant = await createTenant(api)
  smtp.mails.length = 0
})

const call = (method: string, path: string, user = tenant.operator, body?: object) =>
  api.call(method, path, { token: user.token, body })
const list = async (query = '', user = tenant.operator) =>
  (await call('GET', `/api/notifications?${query}`, user)).body
const settings = (body: object, user = tenant.operator) =>
  call('PUT', '/api/notifications/settings', user, body)
/** The mails of a user, after the interval in which the first one is delayed to collect more. */
const mailsTo = async (user = tenant.operator, after = 5_000) => {
  await notifier.work()
  api.clock.advance(after)
  await notifier.work()
  return smtp.mails.filter(({ to }) => to === user.email)
}
const byMail = { notify: ['in_app', 'email'] }

describe('a poll', () => {
  it('asks all tenants with one statement when nothing is due, and then the tenants that have work', async () => {
    await notifier.work()
    // One for the poll, and one that decides whether there is more.
    const due = expect.stringMatching(/^select due\.work, due\.tenant_id/)
    expect(await crossTenantStatementsOf(() => notifier.work())).toEqual([due, due])
    const policy = await makePolicy(api, tenant, { name: 'hot' })
    await openIncidents(api, tenant, policy, { count: 1 })
    const other = await createTenant(api)
    await openIncidents(api, other, await makePolicy(api, other, { name: 'cold' }), { count: 1 })
    const sent = new Set(await crossTenantStatementsOf(() => notifier.work()))
    expect([...sent]).toEqual([due])
    expect((await list()).total).toBe(1)
    expect((await list('', other.operator)).total).toBe(1)
  })
})

describe('in-app notifications', () => {
  it('have the titles of system policies in the language of the reader, besides their names', async () => {
    const titles = { en: 'Netting limit is used up', tr: 'Mahsup limiti tükendi' }
    const policy = await makePolicy(api, tenant, { name: 'netting_limit_exhausted' })
    await openIncidents(api, tenant, policy, { count: 1 })
    await notifier.work()
    for (const [language, title_text] of Object.entries(titles)) {
      const headers = { 'accept-language': language }
      const answer = await api.call('GET', '/api/notifications', { token: tenant.operator.token, headers })
      expect(answer.body.items).toMatchObject([{ title: 'netting_limit_exhausted', title_text }])
    }
  })

  it('reach every user with the permission once per event, with a read state for each user', async () => {
    const policy = await makePolicy(api, tenant, { name: 'hot' })
    const [first = '', second = ''] = await openIncidents(api, tenant, policy, { count: 2 })
    await Promise.all([notifier.work(), notifier.work()])
    await call('POST', `/api/alarms/incidents/${first}/ack`)
    await call('POST', `/api/alarms/incidents/${first}/close`)
    await call('POST', `/api/alarms/incidents/${second}/snooze`, tenant.operator, { minutes: 1 })
    await notifier.work()
    const { items, total } = await list('sort_order=asc')
    expect(total).toBe(3)
    expect(items.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      ...['raised', 'raised', 'closed'],
    ])
    expect(items[0]).toMatchObject({
      ...{ incident_id: first, device_id: null, severity: 'critical', title: 'hot', message: 'too hot 1' },
      ...{ occurred_at: '2026-11-20T09:30:00.000Z', is_read: false },
    })
    const read = await call('POST', `/api/notifications/${items[1].id}/read`)
    expect([read.status, read.body.is_read]).toEqual([200, true])
    expect((await call('GET', '/api/notifications/unread-count')).body).toEqual({ unread: 2 })
    expect((await list('unread=true')).total).toBe(2)
    expect((await list(`incident_id=${second}`, tenant.viewer)).items[0].is_read).toBe(false)
    expect((await call('POST', '/api/notifications/read-all')).body).toEqual({ unread: 0 })
    expect((await list('unread=false')).total).toBe(3)
    expect((await call('GET', '/api/notifications/unread-count', tenant.viewer)).body).toEqual({
      unread: 3,
    })
  })

  it('are sent again when a snooze ends', async () => {
    const [id] = await openIncidents(api, tenant, await makePolicy(api, tenant))
    await call('POST', `/api/alarms/incidents/${id}/snooze`, tenant.operator, { minutes: 1 })
    api.clock.advance(MINUTE)
    await call('POST', `/api/alarms/incidents/${id}/ack`)
    await notifier.work()
    expect(
      (await list('sort_order=asc')).items.map((item: { event_type: string }) => item.event_type),
    ).toEqual(['raised', 'woken'])
  })

  it('are pruned by age and number', async () => {
    await openIncidents(api, tenant, await makePolicy(api, tenant))
    await notifier.work()
    await clearNotifications(api.deps)
    expect((await list()).total).toBe(1)
    api.clock.advance(30 * 24 * 60 * MINUTE + 1)
    await clearNotifications(api.deps)
    expect(
      (await api.deps.database.pool.query('select from notification where tenant_id = $1', [tenant.id]))
        .rowCount,
    ).toBe(0)
  })
})

describe('notification of a device incident', () => {
  it('has the time of its samples, the text of its policy, and reports the end', async () => {
    const device = await createDevice(api, tenant)
    const evaluation = startEvaluation(api)
    await createPolicy(api, tenant, { name: 'Kompresör', notify: ['in_app', 'email'] })
    await settings({ language: 'en' })
    api.clock.advance(10 * MINUTE)
    await evaluation.send(tenant, device, [[NOW + 60_000, 12.5]])
    await evaluation.send(tenant, device, [[NOW + 120_000, 2]])
    const mails = await mailsTo()
    await evaluation.stop()
    const { items } = await list('sort_order=asc')
    expect(items).toMatchObject([
      { event_type: 'raised', title: 'Kompresör', severity: 'warning', device_id: device.id },
      { event_type: 'closed', occurred_at: '2026-11-20T09:32:00.000Z' },
    ])
    expect(items[0].occurred_at).toBe('2026-11-20T09:31:00.000Z')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.raw).toContain('2 alarm notifications, 0 critical')
    expect(mails[0]?.raw).toContain('Alarm closed')
    expect(textOfMail(mails[0])).toContain(`${items[0].message}\n`)
    const turkish = textOfMail(smtp.mails.find(({ to }) => to === tenant.admin.email))
    const { name } = (await call('GET', `/api/devices/${device.id}`)).body
    expect(turkish).toContain(
      `20.11.2026 12:31 · Alarm açıldı\nCihaz: ${name}\n${name}: aktif güç 12,5 kW (alarm sınırı: 10 kW üzeri)\n`,
    )
    expect(turkish).not.toContain('above')
  })
})

describe('notifications by e-mail', () => {
  it('go by default to users who manage alarms, from severity warning on, unless they changed it', async () => {
    await settings({ email_enabled: true, email_min_severity: 'info', language: 'en' }, tenant.viewer)
    await settings({ email_enabled: false }, tenant.admin)
    await openIncidents(api, tenant, await makePolicy(api, tenant, { ...byMail, severity: 'info' }), {
      severity: 'info',
    })
    await openIncidents(api, tenant, await makePolicy(api, tenant, { ...byMail, name: 'Trafo' }))
    await openIncidents(api, tenant, await makePolicy(api, tenant, { name: 'not by mail' }))
    expect(await mailsTo(tenant.admin)).toEqual([])
    const [operator, ...more] = await mailsTo()
    expect(more).toEqual([])
    const text = (operator?.raw ?? '').replaceAll('=\r\n', '')
    expect(text).toContain('https://netsaat.example/alarms/incidents/')
    const viewer = smtp.mails.find(({ to }) => to === tenant.viewer.email)?.raw
    expect(viewer).toContain('Subject: Netsaat: 2 alarm notifications, 1 critical')
    expect(viewer).not.toContain('not by mail')
    expect(smtp.mails).toHaveLength(3)
  })

  it('have settings with defaults', async () => {
    expect((await call('GET', '/api/notifications/settings')).body).toEqual({
      ...{ email_enabled: true, email_min_severity: 'warning', language: 'tr' },
      ...{ quiet_from: null, quiet_to: null },
    })
    expect((await call('GET', '/api/notifications/settings', tenant.viewer)).body.email_enabled).toBe(false)
    expect((await settings({ quiet_from: '22:00' })).status).toBe(422)
    expect((await settings({ quiet_from: '25:00', quiet_to: '07:00' })).status).toBe(422)
    expect((await settings({ language: 'de' })).status).toBe(422)
    const { body } = await settings({ quiet_from: '22:00', quiet_to: '07:00' })
    expect(body).toMatchObject({ quiet_from: '22:00', quiet_to: '07:00', email_enabled: true })
    expect((await settings({ quiet_from: null, quiet_to: null })).body.quiet_to).toBeNull()
  })

  it('combine a storm of 10,000 into one mail, and the next one follows a minute later', async () => {
    await settings({ language: 'en' })
    const policy = await makePolicy(api, tenant, byMail)
    // The statistics of a service without load mislead the query planner.
    await api.deps.database.pool.query('analyze')
    await openIncidents(api, tenant, policy, { count: 10_000 })
    const mails = await mailsTo()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.raw).toContain('10000 alarm notifications, 10000 critical')
    expect((await list('limit=1')).total).toBe(10_000)
    await openIncidents(api, tenant, policy, { count: 3 })
    expect(await mailsTo()).toHaveLength(1)
    expect(await mailsTo(tenant.operator, MINUTE)).toHaveLength(2)
    expect((await mailsTo()).at(-1)?.raw).toContain('3 alarm notifications')
  })

  it('that are not urgent wait for the end of quiet hours', async () => {
    await settings({ quiet_from: '12:00', quiet_to: '13:00', language: 'en' })
    const policy = await makePolicy(api, tenant, { ...byMail, severity: 'warning' })
    await openIncidents(api, tenant, policy, { severity: 'warning', message: 'can wait' })
    expect(await mailsTo()).toEqual([])
    api.clock.set('2026-11-20T13:00:00+03:00')
    expect(await mailsTo()).toHaveLength(1)
    api.clock.set('2026-11-21T12:30:00+03:00')
    await openIncidents(api, tenant, policy, { severity: 'warning', message: 'waits too' })
    expect(await mailsTo()).toHaveLength(1)
    await openIncidents(api, tenant, await makePolicy(api, tenant, byMail))
    api.clock.advance(20 * MINUTE)
    expect(await mailsTo()).toHaveLength(1)
    api.clock.set('2026-11-21T13:00:00+03:00')
    expect((await mailsTo()).at(-1)?.raw).toContain('2 alarm notifications, 1 critical')
  })

  it('survive an outage of the mail server; an unconfirmed mail is repeated with the same id', async () => {
    await settings({ email_enabled: false }, tenant.admin)
    await settings({ email_enabled: false }, tenant.superuser)
    const policy = await makePolicy(api, tenant, byMail)
    smtp.replies.push('451 try later', 'cut')
    await openIncidents(api, tenant, policy)
    expect(await mailsTo()).toEqual([])
    await openIncidents(api, tenant, policy)
    expect(await mailsTo(tenant.operator, 10_000)).toHaveLength(1)
    expect(await mailsTo(tenant.operator, 20_000)).toHaveLength(2)
    const [stored, again] = smtp.mails
    expect(stored?.messageId).toMatch(/^<[0-9a-f-]{36}@netsaat>$/)
    expect(again?.messageId).toBe(stored?.messageId)
    expect(await mailsTo(tenant.operator, MINUTE)).toHaveLength(3)
    expect(smtp.mails[2]?.messageId).not.toBe(stored?.messageId)
  })

  it('stop when the user may no longer see alarms, and old events are not mailed', async () => {
    await openIncidents(api, tenant, await makePolicy(api, tenant, byMail), { at: NOW - 25 * 60 * MINUTE })
    expect(await mailsTo()).toEqual([])
    await openIncidents(api, tenant, await makePolicy(api, tenant, byMail))
    await notifier.work()
    await api.deps.database.pool.query('update app_user set is_active = false where id = $1', [
      tenant.operator.id,
    ])
    expect(await mailsTo()).toEqual([])
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual([tenant.admin.email, tenant.superuser.email].sort())
  })

  it('are sent to verified addresses only when the service sends mails', async () => {
    const { pool } = api.deps.database
    await pool.query('update app_user set is_email_verified = false where id = $1', [tenant.operator.id])
    const mail = makeSmtpMailer({ smtpUrl: smtp.url, from: 'netsaat@example.test' })
    const config = { ...api.deps.config, smtpUrl: smtp.url }
    const sending = makeNotifier({ ...api.deps, config, mail })
    const work = async () => {
      await openIncidents(api, tenant, await makePolicy(api, tenant, byMail))
      await sending.work()
      api.clock.advance(2 * MINUTE)
      await sending.work()
    }
    await work()
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual([tenant.admin.email, tenant.superuser.email].sort())
    expect((await list()).items).not.toEqual([])
    await pool.query('update app_user set is_email_verified = true where id = $1', [tenant.operator.id])
    smtp.mails.length = 0
    await work()
    expect(smtp.mails.map(({ to }) => to)).toContain(tenant.operator.email)
    await sending.stop()
  })
})

it('without an encryption key no webhook secret can be stored', async () => {
  const response = await api.call('POST', '/api/notification-webhooks', {
    token: tenant.operator.token,
    body: { name: 'x', url: 'https://example.org/' },
  })
  expect([response.status, response.body.error_code]).toEqual([503, 'encryption_not_configured'])
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeNotifier, type Notifier } from '../../../src/areas/alarms/notifications/index.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/alarms/webhook-receiver.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const SECOND = 1_000
const MINUTE = 60_000
const PATH = '/api/notification-channels'
const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
const key = randomBytes(32).toString('base64')
let api: TestApi
let platform: WebhookReceiver
let notifier: Notifier
let tenant: TestTenant
let policy: string
beforeAll(async () => {
  platform = await startWebhookReceiver()
  api = await startApi({
    config: {
      credentialEncryptionKey: key,
      webhookAllowedNetworks: ['127.0.0.0/8'],
      telegramApiUrl: platform.url,
      consoleUrl: 'https://console.example',
    },
  })
  notifier = makeNotifier(api.deps, { callTimeoutMs: 5_000 })
})
afterAll(async () => {
  await notifier.stop()
  await platform.close()
  await api.close()
})
beforeEach(async () => {
  api.clock.set(NOW)
  await api.deps.database.pool.query('update notification_cursor set due_at = null')
  tenant = await createTenant(api)
  policy = await makePolicy(api, tenant, { notify: ['channel'], name: 'Trafo <b>1</b> & co' })
  platform.delivered.length = 0
  platform.answers.length = 0
})

const call = (method: string, path = '', body?: object, user = tenant.operator) =>
  api.call(method, PATH + path, { token: user.token, body })
const telegram = { name: 'shift', type: 'telegram', bot_token: TOKEN, chat_id: '-1001234567890' }
const slack = () => ({
  name: 'slack',
  type: 'slack',
  url: `${platform.url}/services/T0/B0/secret`,
  language: 'en',
})
const teams = () => ({
  name: 'teams',
  type: 'teams',
  url: `${platform.url}/workflows/1?sig=secret`,
  language: 'en',
})
const ntfy = () => ({
  ...{
    name: 'ntfy',
    type: 'ntfy',
    server_url: platform.url,
    topic: 'netsaat',
    token: 'tk_secret',
    language: 'en',
  },
})
async function create(body: object): Promise<{ id: string } & Record<string, unknown>> {
  const response = await call('POST', '', body)
  expect([response.status, response.text]).toEqual([201, expect.any(String)])
  return response.body
}
const get = async (id: string) => (await call('GET', `/${id}`)).body
const open = (spec: object = {}) =>
  openIncidents(api, tenant, policy, { message: '85 > 80 & rising', ...spec })
/** Sends what is due after the time in which notifications are collected. */
async function deliver(afterMs = 5 * SECOND) {
  await notifier.work()
  api.clock.advance(afterMs)
  await notifier.work()
}

describe('notification channel', () => {
  it('is stored with an encrypted secret, which is never returned', async () => {
    for (const [body, secret] of [
      [telegram, TOKEN],
      [slack(), '/services/T0/B0/secret'],
      [teams(), 'sig=secret'],
      [ntfy(), 'tk_secret'],
    ] as const) {
      const created = await create(body)
      expect(created).toMatchObject({
        ...{ name: body.name, type: body.type, has_secret: true, min_severity: 'info', is_active: true },
        ...{ disabled_at: null, failures: 0, failing_since: null, last_error: null, last_success_at: null },
      })
      expect(await get(created.id)).toEqual(created)
      const listed = await call('GET', `?type=${body.type}`)
      expect(listed.body).toMatchObject({ items: [created], total: 1 })
      const { rows } = await api.deps.database.pool.query('select * from notification_channel')
      expect(JSON.stringify([listed.body, created, rows])).not.toContain(secret)
    }
    const { id } = (await call('GET', '?type=ntfy')).body.items[0]
    expect((await call('GET', `/${id}`, undefined, tenant.viewer)).body).toMatchObject({ topic: null })
    expect((await call('POST', '', { ...telegram, name: 'x' }, tenant.viewer)).status).toBe(403)
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('POST', '', telegram)).body.error_code).toBe('DUPLICATE_ENTRY')
  })

  it('is rejected with fields that do not belong to its platform or an address that may not be called', async () => {
    for (const [body, field] of [
      [{ ...telegram, chat_id: undefined }, 'chat_id'],
      [{ ...telegram, bot_token: '../../x' }, 'bot_token'],
      [{ ...telegram, url: 'https://example.org' }, 'url'],
      [{ ...slack(), url: undefined }, 'url'],
      [{ ...slack(), url: 'http://169.254.169.254/latest' }, 'url'],
      [{ ...teams(), url: 'ftp://example.org/' }, 'url'],
      [{ ...ntfy(), topic: 'a/b' }, 'topic'],
      [{ ...ntfy(), server_url: 'http://10.0.0.1/' }, 'server_url'],
      [{ ...ntfy(), server_url: `${platform.url}/admin` }, 'server_url'],
      [{ ...ntfy(), type: 'irc' }, 'type'],
    ] as const) {
      const { status, body: fault } = await call('POST', '', body)
      expect([status, fault.detail?.[0]?.loc], JSON.stringify(body)).toEqual([422, ['body', field]])
    }
  })

  it('keeps its token from another server than the one for which it was entered', async () => {
    const { id } = await create(ntfy())
    const moved = await call('PUT', `/${id}`, { server_url: 'https://attacker.example' })
    expect([moved.status, moved.body.detail?.[0]?.loc]).toEqual([422, ['body', 'token']])
    const bare = await call('PUT', `/${id}`, { server_url: 'https://ntfy.example', token: null })
    expect(bare.body).toMatchObject({ server_url: 'https://ntfy.example/', has_secret: false })
    expect((await call('PUT', `/${id}`, { bot_token: TOKEN })).status).toBe(422)
  })

  it('is refused beyond the limit of a tenant', async () => {
    for (let count = 0; count < 20; count += 1) await create({ ...telegram, name: `channel ${count}` })
    expect((await call('POST', '', telegram)).body.error_code).toBe('STATE_CONFLICT')
  })

  it('can be tested, and reports the result without the secret', async () => {
    const { id } = await create(telegram)
    expect((await call('POST', `/${id}/test`)).body).toEqual({ ok: true, message: 'it answered 204' })
    expect(platform.delivered[0]).toMatchObject({
      path: `/bot${TOKEN}/sendMessage`,
      body: {
        chat_id: '-1001234567890',
        text: '<b>Netsaat deneme iletisi, kanal: shift</b>',
        parse_mode: 'HTML',
      },
    })
    platform.answers.push({ status: 401, body: '{"ok":false,"description":"Unauthorized"}' })
    expect((await call('POST', `/${id}/test`)).body).toEqual({ ok: false, message: 'it answered 401' })
    expect((await get(id)).is_active).toBe(true)
  })
})

describe('a message to a channel', () => {
  const TITLE = '[CRITICAL] Trafo <b>1</b> & co'
  const LINE = '2026-11-20 12:30 · Alarm raised'

  it('of Telegram is HTML with escaped names', async () => {
    await create({ ...telegram, language: 'tr' })
    const [incident] = await open()
    await deliver()
    expect(platform.delivered.map(({ path, body }) => [path, body])).toEqual([
      [
        `/bot${TOKEN}/sendMessage`,
        {
          chat_id: '-1001234567890',
          text:
            `<a href="https://console.example/alarms/incidents/${incident}">` +
            '<b>[KRİTİK] Trafo &lt;b&gt;1&lt;/b&gt; &amp; co</b></a>\n' +
            '20.11.2026 12:30 · Alarm açıldı\n85 &gt; 80 &amp; rising',
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
        },
      ],
    ])
  })

  it('of Slack consists of blocks with escaped names', async () => {
    await create(slack())
    const [incident] = await open()
    await deliver()
    const title = '[CRITICAL] Trafo &lt;b&gt;1&lt;/b&gt; &amp; co'
    const link = `https://console.example/alarms/incidents/${incident}`
    expect(platform.delivered.map(({ path, body }) => [path, body])).toEqual([
      [
        '/services/T0/B0/secret',
        {
          text: `Netsaat: ${title}`,
          blocks: [
            { type: 'header', text: { type: 'plain_text', text: `Netsaat: ${TITLE}`, emoji: false } },
            {
              type: 'section',
              text: { type: 'mrkdwn', text: `*<${link}|${title}>*\n${LINE}\n85 &gt; 80 &amp; rising` },
            },
          ],
        },
      ],
    ])
  })

  it('of Microsoft Teams is an Adaptive Card without Markdown', async () => {
    await create(teams())
    const [incident] = await open()
    await deliver()
    const url = `https://console.example/alarms/incidents/${incident}`
    const line = (text: string) => ({
      ...{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }], spacing: 'none' },
    })
    expect(platform.delivered.map(({ path, body }) => [path, body])).toEqual([
      [
        '/workflows/1?sig=secret',
        {
          type: 'message',
          attachments: [
            {
              contentType: 'application/vnd.microsoft.card.adaptive',
              contentUrl: null,
              content: {
                $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
                type: 'AdaptiveCard',
                version: '1.4',
                body: [
                  {
                    type: 'RichTextBlock',
                    inlines: [
                      { type: 'TextRun', text: `Netsaat: ${TITLE}`, size: 'medium', weight: 'bolder' },
                    ],
                  },
                  {
                    type: 'RichTextBlock',
                    inlines: [
                      {
                        ...{ type: 'TextRun', text: TITLE, weight: 'bolder', color: 'attention' },
                        selectAction: { type: 'Action.OpenUrl', url },
                      },
                    ],
                    spacing: 'medium',
                  },
                  line(LINE),
                  line('85 > 80 & rising'),
                ],
                actions: [
                  {
                    type: 'Action.OpenUrl',
                    title: 'All alarms',
                    url: 'https://console.example/alarms/incidents',
                  },
                ],
              },
            },
          ],
        },
      ],
    ])
  })

  it('of ntfy is JSON with the priority of its severity and the access token in a header', async () => {
    await create(ntfy())
    const [incident] = await open()
    await deliver()
    expect(platform.delivered.map(({ path, body }) => [path, body])).toEqual([
      [
        '/',
        {
          ...{ topic: 'netsaat', title: `Netsaat: ${TITLE}`, message: `${LINE}\n85 > 80 & rising` },
          ...{ priority: 5, tags: ['rotating_light'] },
          click: `https://console.example/alarms/incidents/${incident}`,
        },
      ],
    ])
    expect(platform.delivered[0]?.headers.authorization).toBe('Bearer tk_secret')
  })

  it('contains all waiting notifications, within the limits of the platforms', async () => {
    for (const body of [telegram, slack(), teams(), ntfy()]) await create(body)
    const message = '😀&'.repeat(1_000)
    await open({ count: 500, message })
    await deliver()
    expect(platform.delivered).toHaveLength(4)
    for (const { body, text } of platform.delivered) {
      expect(text).toContain('500')
      expect(text).not.toMatch(/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i)
      if (body.chat_id) expect(body.text.replaceAll('&amp;', '&').length).toBeLessThan(4_096)
      for (const block of body.blocks ?? []) expect(block.text.text.length).toBeLessThanOrEqual(3_000)
      if (body.topic) expect(Buffer.byteLength(body.message)).toBeLessThan(4_096)
      expect(Buffer.byteLength(text)).toBeLessThan(28_000)
    }
    // Ten seconds between two messages to a channel.
    await open()
    await deliver()
    expect(platform.delivered).toHaveLength(4)
    await deliver()
    expect(platform.delivered).toHaveLength(8)
  })

  it('is sent for the policies and severities that require it', async () => {
    await create({ ...telegram, min_severity: 'warning' })
    await open({ severity: 'info' })
    await openIncidents(
      api,
      tenant,
      await makePolicy(api, tenant, { notify: ['in_app', 'email', 'webhook'] }),
    )
    await deliver()
    expect(platform.delivered).toEqual([])
  })
})

describe('the delivery to a channel', () => {
  it('waits as long as the platform requests: Retry-After, or retry_after of Telegram', async () => {
    const { id } = await create(telegram)
    await open()
    platform.answers.push(
      { status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}' },
      { status: 429, headers: { 'retry-after': '120' } },
      { status: 429, body: '{' },
    )
    await deliver()
    for (const pause of [35, 120, 40]) {
      const { length } = platform.delivered
      await deliver(pause * SECOND - 1)
      expect(platform.delivered).toHaveLength(length)
      await deliver(1)
      expect(platform.delivered).toHaveLength(length + 1)
    }
    expect(new Set(platform.delivered.map(({ text }) => text)).size).toBe(1)
    expect(await get(id)).toMatchObject({ failures: 0, is_active: true })
  })

  it('is repeated after 5xx, a timeout and a cut connection', async () => {
    const { id } = await create(slack())
    const impatient = makeNotifier(api.deps, { callTimeoutMs: 300 })
    await open()
    platform.answers.push(503, 'hang', 'cut')
    await impatient.work()
    for (const pause of [5, 10, 20, 40]) {
      api.clock.advance(pause * SECOND)
      await impatient.work()
    }
    await impatient.stop()
    expect(platform.delivered).toHaveLength(4)
    expect(await get(id)).toMatchObject({ failures: 0, last_error: null })
  })

  it('stops at once when the platform refuses the message for good, and resumes after a correction', async () => {
    const { id } = await create(telegram)
    await open()
    platform.answers.push({ status: 400, body: '{"ok":false,"description":"Bad Request: chat not found"}' })
    await deliver()
    expect(await get(id)).toMatchObject({ is_active: false, last_error: 'it answered 400' })
    const turkish = { token: tenant.operator.token, headers: { 'accept-language': 'tr' } }
    const inTurkish = await api.call('GET', `${PATH}/${id}`, turkish)
    expect(inTurkish.body.last_error).toBe('alıcı 400 yanıtı verdi')
    expect(inTurkish.headers.get('content-language')).toBe('tr')
    const [listed] = (await api.call('GET', PATH, turkish)).body.items
    expect(listed.last_error).toBe('alıcı 400 yanıtı verdi')
    const notices = (await api.call('GET', '/api/notifications', { token: tenant.operator.token })).body.items
    expect(notices).toMatchObject([{ event_type: 'channel_disabled', title: 'shift' }])
    expect(notices[0].message).toMatch(/^Nothing is sent to this notification channel .*: it answered 400$/)
    const [notice] = (await api.call('GET', '/api/notifications', turkish)).body.items
    expect(notice.message).toMatch(/bir şey gönderilmiyor: alıcı 400 yanıtı verdi$/)
    await deliver(10 * MINUTE)
    expect(platform.delivered).toHaveLength(1)
    await call('PUT', `/${id}`, { is_active: true, chat_id: '-100999' })
    await notifier.work()
    expect(platform.delivered.map(({ body }) => body.chat_id)).toEqual(['-1001234567890', '-100999'])
    expect(await get(id)).toMatchObject({ disabled_at: null, failures: 0, is_active: true })
  })

  it('is repeated when it was accepted and not recorded: at least once', async () => {
    await create(slack())
    await open()
    await notifier.work()
    api.clock.advance(5 * SECOND)
    platform.answers.push('hang')
    const stopped = makeNotifier(api.deps)
    const working = stopped.work()
    await waitFor(() => platform.delivered.length > 0)
    await stopped.stop()
    await working
    await notifier.work()
    expect(platform.delivered).toHaveLength(1)
    api.clock.advance(MINUTE)
    await notifier.work()
    expect(platform.delivered).toHaveLength(2)
    expect(platform.delivered[1]?.text).toBe(platform.delivered[0]?.text)
  })

  it('never goes to an address that is not public, also by name, unless the operator allows it', async () => {
    const { id } = await create({ ...slack(), url: platform.url.replace('127.0.0.1', 'localhost') })
    await open()
    const strict = makeNotifier({ ...api.deps, config: { ...api.deps.config, webhookAllowedNetworks: [] } })
    await strict.work()
    api.clock.advance(5 * SECOND)
    await strict.work()
    await strict.stop()
    expect(platform.delivered).toEqual([])
    expect((await get(id)).last_error).toContain('the address is not a public one')
  })
})

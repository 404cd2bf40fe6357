import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { buildApp } from '../../../src/http/app.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { ACCOUNTS, marketConfig } from '../../support/netting/market-accounts.ts'
import {
  type Fault,
  type MarketPlatform,
  startMarketPlatform,
} from '../../support/netting/market-platform.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Secrets that occur nowhere else. */
const PASSWORD = 'Zürafa-7391 & co'
const OTHER = 'Kaplumbağa-5520'
const KEY = 'sub-Xq81ZpLm20'

let platform: MarketPlatform
let api: TestApi
let tenant: TestTenant
const seen: string[] = []
beforeAll(async () => {
  platform = await startMarketPlatform()
  platform.password = PASSWORD
  api = await startApi({ config: marketConfig(platform) })
  tenant = await createTenant(api)
})
afterAll(async () => {
  await api.close()
  await platform.close()
})

/** Every log line at the lowest level. */
const stream = new Writable({
  write(chunk, _encoding, done) {
    seen.push(String(chunk))
    done()
  },
})

const databaseText = async (): Promise<string> => {
  const { pool } = api.deps.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool
      .query(`select t::text as text from "${name}" t limit 10000`)
      .catch(() => ({ rows: [] }))
    texts.push(...rows.map(({ text }) => String(text)))
  }
  expect(texts.some((text) => text.includes('the hunted account'))).toBe(true)
  return texts.join('\n')
}

it('market secrets appear in no log line, response, error or database column, whatever fails', async () => {
  const log = makeLog('trace', stream)
  const metrics = makeMetrics()
  const deps = { ...api.deps, log, metrics, config: { ...api.deps.config, logLevel: 'trace' } }
  const app = await buildApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + ACCOUNTS + path, {
      method,
      headers: {
        authorization: `Bearer ${tenant.superuser.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    seen.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const account = {
    name: 'the hunted account',
    portal_username: platform.username,
    portal_password: PASSWORD,
  }
  const created = await call('POST', '', { ...account, subscription_key: KEY })
  expect(created.status).toBe(201)
  const path = `/${created.body.id}`
  // Request bodies that are rejected and contain secrets.
  expect(
    (await call('POST', '', { portal_password: PASSWORD, subscription_key: `${KEY}\r\nx: y` })).status,
  ).toBe(422)
  expect((await call('POST', '', `{"portal_password":"${PASSWORD}`)).status).toBe(400)
  expect((await call('PATCH', path, { portal_password: [PASSWORD], name: 7 })).status).toBe(422)
  expect((await call('PATCH', '/not-an-id', { portal_password: PASSWORD })).status).toBe(422)
  expect((await call('PATCH', path, { portal_password: OTHER })).status).toBe(200)
  Object.assign(deps.config, { credentialEncryptionKey: undefined })
  expect((await call('PATCH', path, { portal_password: OTHER })).status).toBe(503)
  Object.assign(deps.config, { credentialEncryptionKey: api.deps.config.credentialEncryptionKey })
  await api.deps.database.pool.query('alter table market_account rename to market_account_away')
  expect((await call('PATCH', path, { portal_password: OTHER })).status).toBe(500)
  expect((await call('POST', '', { ...account, subscription_key: KEY })).status).toBe(500)
  await api.deps.database.pool.query('alter table market_account_away rename to market_account')

  // The platform repeats the request in the text of each rejection.
  expect((await call('POST', `${path}/test-call`)).body).toMatchObject({ ok: false, failed_step: 'login' })
  await call('PATCH', path, { portal_password: PASSWORD })
  expect((await call('POST', `${path}/test-call`)).body.ok).toBe(true)
  await api.deps.database.pool.query(`update market_account set whitelist_status = 'active'`)
  const faults: readonly Fault[] = [
    ...[400, 401, 403, 404, 418, 429, 500].map((status) => ({ status })),
    ...(['cut', 'hang', 'garbage', 'half'] as const),
  ]
  const pulls = makeMarketPulls(deps)
  // The result of each case is the same with fewer retries.
  Object.assign(deps.config, { marketopTimeoutMs: 150 })
  for (const kind of ['login', 'call'] as const) {
    for (const fault of faults) {
      platform.failAlways(kind, fault)
      await call('POST', `${path}/test-call`)
      await api.deps.database.pool.query('update market_account set last_test_ok = true')
      const slot = api.clock.now()
      await pulls.tentative(slot, { signal: new AbortController().signal, partFailed: () => {} })
      seen.push(...pulls.statusLines())
    }
    platform.failAlways(kind, undefined)
  }
  for (const route of ['', path]) await call('GET', route)
  await app.close()

  const sent = platform.calls.filter(({ kind }) => kind === 'login').length
  expect(sent).toBeGreaterThan(20)
  expect(platform.tickets.length).toBeGreaterThan(0)
  const everything = [...seen, await databaseText()].join('\n')
  expect(everything).toContain('market prices could not be pulled')
  expect(everything).toContain('the hunted account')
  const secrets = [
    ...[PASSWORD, OTHER, KEY, api.deps.config.credentialEncryptionKey ?? 'none'],
    ...platform.tickets,
  ]
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    JSON.stringify(secret).slice(1, -1),
  ])
  expect(forms.filter((form) => everything.includes(form))).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WHITELIST_STATUSES } from '../../../src/areas/netting/market/whitelist.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import {
  ACCOUNTS,
  type AccountCalls,
  accountCalls,
  marketConfig,
} from '../../support/netting/market-accounts.ts'
import { type MarketPlatform, startMarketPlatform } from '../../support/netting/market-platform.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MASK = '********'
const SECRETS = { portal_password: 'kırmızı-p&ss=1', subscription_key: 'sub-key-0123456789' }
const code = ({ status, body }: ApiResponse) => [status, body.detail.code]

let platform: MarketPlatform
let api: TestApi
let tenant: TestTenant
let accounts: AccountCalls
beforeAll(async () => {
  platform = await startMarketPlatform()
  api = await startApi({
    config: { ...marketConfig(platform), marketopEnabled: false, marketopTimeoutMs: 800 },
  })
  tenant = await createTenant(api)
  accounts = accountCalls(api, tenant, platform)
})
afterAll(async () => {
  await api.close()
  await platform.close()
})
beforeEach(() => {
  for (const kind of ['login', 'call'] as const) platform.failAlways(kind, undefined)
  platform.subscriptionKey = undefined
  platform.calls.length = 0
})

/** Starts a second service over the same database with another credential key, or without one. */
async function withKey<T>(credentialEncryptionKey: string | undefined, work: (other: TestApi) => Promise<T>) {
  const { config } = api.deps
  const before = config.credentialEncryptionKey
  // The configuration is frozen at run time; here the change stands for a restart with another configuration.
  Object.assign(config, { credentialEncryptionKey })
  try {
    return await work(api)
  } finally {
    Object.assign(config, { credentialEncryptionKey: before })
  }
}

const storedRow = async (id: string) =>
  (await api.deps.database.pool.query('select * from market_account where id = $1', [id])).rows[0]

describe('market accounts', () => {
  it('creates, lists, reads and changes an account and masks its secrets', async () => {
    const created = await accounts.call('POST', '', {
      name: 'main',
      portal_username: 'prices@example.test',
      ...SECRETS,
      whitelist_status: 'active',
      last_test_ok: true,
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: created.body.id,
      name: 'main',
      portal_username: 'prices@example.test',
      portal_password: MASK,
      subscription_key: MASK,
      whitelist_status: 'not_started',
      last_test_at: null,
      last_test_ok: null,
      last_test_step: null,
      last_test_message: null,
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
    })
    const path = `/${created.body.id}`
    const read = await accounts.call('GET', path)
    expect(read.body).toEqual(created.body)
    const list = await accounts.call('GET', '?limit=200')
    expect(list.body).toMatchObject({ total: expect.any(Number), skip: 0, limit: 200 })
    expect(list.body.items).toContainEqual(created.body)
    const changed = await accounts.call('PATCH', path, { name: 'other', subscription_key: null })
    expect(changed.body).toMatchObject({ name: 'other', portal_password: MASK, subscription_key: null })
    for (const response of [created, read, list, changed])
      for (const secret of Object.values(SECRETS)) expect(response.text).not.toContain(secret)
    const row = await storedRow(created.body.id)
    expect(row.portal_password_sealed).toMatch(/^v1\.[0-9a-f]{8}\./)
    expect(row.subscription_key_sealed).toBeNull()
    expect(JSON.stringify(row)).not.toContain(SECRETS.portal_password)
  })

  it('keeps a secret that is sent back masked, and honours If-Match', async () => {
    const id = await accounts.create(SECRETS)
    const before = await storedRow(id)
    const read = await accounts.call('GET', `/${id}`)
    const whole = await accounts.call('PATCH', `/${id}`, { ...read.body, name: 'renamed' })
    expect(whole.body).toMatchObject({ name: 'renamed', portal_password: MASK, subscription_key: MASK })
    const row = await storedRow(id)
    expect([row.portal_password_sealed, row.subscription_key_sealed]).toEqual([
      before.portal_password_sealed,
      before.subscription_key_sealed,
    ])
    const stale = await api.call('PATCH', `${ACCOUNTS}/${id}`, {
      token: tenant.superuser.token,
      body: { name: 'lost' },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    })
    expect(code(stale)).toEqual([412, 'PRECONDITION_FAILED'])
  })

  it('answers 404, 403, 401 and 422 in the documented shapes and leaves the value out', async () => {
    for (const [method, path, body] of [
      ['GET', `/${randomUUID()}`],
      ['PATCH', `/${randomUUID()}`, { portal_password: 'x' }],
      ['POST', `/${randomUUID()}/transition`, { whitelist_status: 'blocked' }],
      ['POST', `/${randomUUID()}/test-call`],
    ] as const) {
      const response = await accounts.call(method, path, body)
      expect(response.body).toMatchObject({
        detail: { code: 'NOT_FOUND', message: 'market account not found' },
      })
      expect(response.status).toBe(404)
    }
    const forbidden = await api.call('GET', ACCOUNTS, { token: tenant.admin.token })
    expect(forbidden.status).toBe(403)
    expect(forbidden.body.detail).toMatchObject({
      error_code: 'SUPERUSER_REQUIRED',
      code: 'SUPERUSER_REQUIRED',
    })
    const unknown = await api.call('GET', ACCOUNTS)
    expect([unknown.status, unknown.body.error_code]).toEqual([401, 'INVALID_CREDENTIALS'])
    const long = 'secret'.repeat(100)
    for (const wrong of [
      { name: '' },
      { name: 'x', portal_password: long },
      { name: 'x', subscription_key: 'two\nlines' },
      { portal_username: 'no name' },
    ]) {
      const response = await accounts.call('POST', '', wrong)
      expect(response.status).toBe(422)
      expect(response.text).not.toContain(long)
      expect(response.text).not.toContain('two')
    }
    expect((await accounts.call('GET', '?sort_by=portal_password_sealed')).status).toBe(422)
  })

  it('answers 503 when an operation seals a secret and the credential key is missing', async () => {
    const id = await accounts.create()
    const calls = async () => ({
      create: code(await accounts.call('POST', '', { name: 'x', portal_password: 'secret' })),
      update: code(await accounts.call('PATCH', `/${id}`, { subscription_key: 'secret' })),
      plain: (await accounts.call('PATCH', `/${id}`, { name: 'renamed', portal_password: MASK })).status,
      cleared: (await accounts.call('PATCH', `/${id}`, { subscription_key: null })).status,
      without: (await accounts.call('POST', '', { name: 'no secrets yet' })).status,
      listed: (await accounts.call('GET', '')).status,
    })
    const fine = { plain: 200, cleared: 200, without: 201, listed: 200 }
    expect(await withKey(undefined, calls)).toEqual({
      create: [503, 'encryption_not_configured'],
      update: [503, 'encryption_not_configured'],
      ...fine,
    })
    expect(await withKey('too short', calls)).toEqual({
      create: [503, 'encryption_misconfigured'],
      update: [503, 'encryption_misconfigured'],
      ...fine,
    })
    const rows = await api.deps.database.pool.query(`select 1 from market_account where name = 'x'`)
    expect(rows.rows).toEqual([])
  })

  it('allows every documented status change and rejects every other one with 409', async () => {
    const id = await accounts.create()
    const transition = (whitelist_status: string) =>
      accounts.call('POST', `/${id}/transition`, { whitelist_status })
    for (const status of WHITELIST_STATUSES.slice(1)) {
      for (const wrong of WHITELIST_STATUSES) {
        if (wrong === status || wrong === 'blocked') continue
        expect([wrong, ...code(await transition(wrong))]).toEqual([
          wrong,
          409,
          'invalid_whitelist_transition',
        ])
      }
      const moved = await transition(status)
      expect([moved.status, moved.body.whitelist_status]).toEqual([200, status])
    }
    expect(code(await transition('blocked'))).toEqual([409, 'invalid_whitelist_transition'])
    expect((await transition('not_started')).body.whitelist_status).toBe('not_started')
    expect((await transition('approved')).status).toBe(422)
    expect((await accounts.call('POST', `/${id}/transition`, {})).status).toBe(422)
  })

  it('applies only one of two concurrent status changes', async () => {
    const id = await accounts.create()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        accounts.call('POST', `/${id}/transition`, { whitelist_status: 'spec_downloaded' }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })
})

describe('market account test-call', () => {
  const test = async (id: string) => {
    const response = await accounts.call('POST', `/${id}/test-call`)
    expect(response.status).toBe(200)
    return [response.body.ok, response.body.failed_step]
  }

  it('logs in, requests prices and records the result on the account', async () => {
    platform.prices.mcp.set(Date.parse('2026-11-20T10:00:00+03:00'), '2500.5')
    const id = await accounts.create()
    const response = await accounts.call('POST', `/${id}/test-call`)
    expect(response.body).toEqual({
      ok: true,
      tested_at: '2026-11-20T09:30:00.000Z',
      failed_step: null,
      message: 'the platform answered with 1 prices of 2026-11-20',
      prices: 1,
    })
    expect((await accounts.call('GET', `/${id}`)).body).toMatchObject({
      last_test_at: '2026-11-20T09:30:00.000Z',
      last_test_ok: true,
      last_test_step: null,
    })
  })

  it('reports which step failed and never answers 500', async () => {
    const id = await accounts.create()
    platform.fail('login', { status: 401 })
    expect(await test(id)).toEqual([false, 'login'])
    platform.fail('login', { status: 403 })
    expect(await test(id)).toEqual([false, 'whitelist'])
    platform.subscriptionKey = 'needed'
    expect(await test(id)).toEqual([false, 'subscription'])
    platform.subscriptionKey = undefined
    platform.failAlways('call', { status: 403 })
    expect(await test(id)).toEqual([false, 'login'])
    for (const fault of [
      'cut',
      'hang',
      'garbage',
      'half',
      { status: 500 },
      { status: 429 },
      { status: 404 },
    ] as const) {
      platform.failAlways('call', fault)
      const calls = platform.calls.length
      expect([fault, ...(await test(id))]).toEqual([fault, false, 'call'])
      expect(platform.calls.length - calls, 'the number of attempts').toBe(2)
    }
    const noted = (await accounts.call('GET', `/${id}`)).body
    expect(noted).toMatchObject({ last_test_ok: false, last_test_step: 'call' })
    expect(noted.last_test_message).toBe('the platform answers 404 and gives no prices')
    const inTurkish = (await accounts.call('GET', `/${id}`, undefined, 'tr')).body
    expect(inTurkish.last_test_message).toBe('platform 404 yanıtı veriyor ve fiyat göndermiyor')
    // A tag that was read in one language is valid for a write in the other.
    const { headers } = await accounts.call('GET', `/${id}`, undefined, 'tr')
    const renamed = await api.call('PATCH', `${ACCOUNTS}/${id}`, {
      token: tenant.superuser.token,
      body: { name: 'renamed' },
      headers: { 'if-match': headers.get('etag') ?? '', 'accept-language': 'en' },
    })
    expect([renamed.status, renamed.body.last_test_message]).toEqual([200, noted.last_test_message])
  })

  it('reports incomplete credentials and credentials that cannot be decrypted', async () => {
    const empty = (await accounts.call('POST', '', { name: 'empty' })).body.id
    expect(await test(empty)).toEqual([false, 'credentials'])
    const id = await accounts.create()
    expect(await withKey(undefined, () => test(id))).toEqual([false, 'credentials'])
    expect(await withKey('wrong', () => test(id))).toEqual([false, 'credentials'])
    expect(await withKey('A'.repeat(43), () => test(id))).toEqual([false, 'credentials'])
    const stolen = await accounts.create({ portal_password: 'another' })
    await api.deps.database.pool.query(
      `update market_account set portal_password_sealed =
         (select portal_password_sealed from market_account where id = $1) where id = $2`,
      [id, stolen],
    )
    expect(await test(stolen)).toEqual([false, 'credentials'])
    expect(platform.calls).toEqual([])
    expect(await test(id)).toEqual([true, null])
  })

  it('clears the result when the credentials change, and discards a result of replaced credentials', async () => {
    const id = await accounts.create()
    await test(id)
    expect((await accounts.call('PATCH', `/${id}`, { name: 'renamed' })).body.last_test_ok).toBe(true)
    const changed = await accounts.call('PATCH', `/${id}`, { portal_password: 'other' })
    expect(changed.body).toMatchObject({ last_test_at: null, last_test_ok: null })
    expect(await test(id)).toEqual([false, 'login'])
    await accounts.call('PATCH', `/${id}`, { portal_password: platform.password })
    platform.fail('call', 'hang')
    const calls = platform.calls.length
    const testing = test(id)
    await vi.waitFor(() => expect(platform.calls).toHaveLength(calls + 2))
    await accounts.call('PATCH', `/${id}`, { portal_username: 'somebody else' })
    await testing
    expect((await accounts.call('GET', `/${id}`)).body.last_test_ok).toBeNull()
  })
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/areas/charging/certificates/sealed-authority.ts'
import { runCli } from '../../src/cli/cli.ts'
import { makeSealer } from '../../src/platform/auth/sealer.ts'
import { startApi, type TestApi } from '../support/api.ts'
import {
  type AccountCalls,
  accountCalls,
  marketConfig,
  newCredentialKey,
} from '../support/netting/market-accounts.ts'
import { type MarketPlatform, startMarketPlatform } from '../support/netting/market-platform.ts'
import { createTenant } from '../support/tenants.ts'

const SEALED = 'secrets of 2 accounts were sealed anew, with the key'

let platform: MarketPlatform
let api: TestApi
let accounts: AccountCalls
let key: string
beforeAll(async () => {
  platform = await startMarketPlatform()
  platform.subscriptionKey = 'sub-key-1'
  const config = marketConfig(platform)
  key = config.credentialEncryptionKey ?? ''
  api = await startApi({ config })
  accounts = accountCalls(api, await createTenant(api), platform)
})
afterAll(async () => {
  await api.close()
  await platform.close()
})

const databaseUrl = async (): Promise<string> => {
  const { rows } = await api.deps.database.pool.query('select current_database() as name')
  const url = new URL(api.deps.database.pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  return url.href
}
async function rotate(newKey: string | undefined, oldKey: string) {
  const lines: string[] = []
  const line = (text: string) => void lines.push(text)
  const env = { DATABASE_URL: await databaseUrl(), CREDENTIAL_ENCRYPTION_KEY: newKey, LOG_LEVEL: 'silent' }
  const io = { out: line, err: line, readInput: async () => `${oldKey}\n`, now: api.clock.now }
  return { code: await runCli(['credentials', 'rotate'], env, io), text: lines.join('\n') }
}
const sealed = async () =>
  (
    await api.deps.database.pool.query(
      'select id, portal_password_sealed as password, subscription_key_sealed as key from market_account order by id',
    )
  ).rows
const testOf = async (id: string) => (await accounts.call('POST', `/${id}/test-call`)).body.ok

describe('netsaat credentials rotate', () => {
  it('encrypts every secret with the new key once, and reports the counts', async () => {
    const ids = [await accounts.create(), await accounts.create({ subscription_key: null })]
    expect(await testOf(ids[0] ?? '')).toBe(true)
    const next = newCredentialKey()
    const { keyId } = makeSealer(next)
    const done = await rotate(next, key)
    expect(done).toEqual({
      code: 0,
      text: [
        `3 ${SEALED} ${keyId}.`,
        'Restart the service with the new key; until then it cannot open them.',
      ].join('\n'),
    })
    const before = await sealed()
    const again = await rotate(next, key)
    expect(again).toEqual({
      code: 0,
      text: `0 ${SEALED} ${keyId}.\n3 had that key already.`,
    })
    expect(await sealed()).toEqual(before)
    expect(await testOf(ids[0] ?? '')).toBe(false)
    Object.assign(api.deps.config, { credentialEncryptionKey: next })
    expect(await testOf(ids[0] ?? '')).toBe(true)
    key = next
  })

  it('encrypts the secrets of webhooks', async () => {
    const tenant = await createTenant(api)
    const call = (path: string, body?: object) =>
      api.call('POST', `/api/notification-webhooks${path}`, { token: tenant.admin.token, body })
    const { id } = (await call('', { name: 'x', url: 'https://192.88.99.1.nip.invalid/' })).body
    const next = newCredentialKey()
    expect((await rotate(next, key)).text).toContain('So were the secrets of 1 webhooks.')
    expect((await call(`/${id}/test`)).status).toBe(503)
    Object.assign(api.deps.config, { credentialEncryptionKey: next })
    expect((await call(`/${id}/test`)).body.ok).toBe(false)
    key = next
  })

  it('encrypts the key of the authority of charging stations, which stays the same', async () => {
    const authority = await openAuthority(api.deps)
    const next = newCredentialKey()
    expect((await rotate(next, key)).text).toContain('So was the key of the certificate authority')
    await expect(openAuthority(api.deps)).rejects.toThrow('was sealed with the key')
    expect((await rotate(next, key)).code).toBe(0)
    Object.assign(api.deps.config, { credentialEncryptionKey: next })
    expect(await openAuthority(api.deps)).toEqual(authority)
    key = next
  })

  it('changes nothing when a secret cannot be decrypted', async () => {
    const before = await sealed()
    const strange = await rotate(newCredentialKey(), newCredentialKey())
    expect(strange.code).toBe(1)
    expect(strange.text).toMatch(
      /account "the account", portal_password: .* was sealed with the key .*; nothing was changed/,
    )
    const id = before.at(-1)?.id
    const damaged = `${before.at(-1)?.password.slice(0, -4)}AAAA`
    await api.deps.database.pool.query(
      'update market_account set portal_password_sealed = $1 where id = $2',
      [damaged, id],
    )
    const broken = await rotate(newCredentialKey(), key)
    expect(broken.code).toBe(1)
    expect(broken.text).toContain('nothing was changed')
    expect((await sealed()).map((row) => (row.id === id ? damaged : row.password))).toEqual(
      before.map((row) => (row.id === id ? damaged : row.password)),
    )
  })

  it('rejects malformed, equal or missing keys, and prints none of them', async () => {
    const other = newCredentialKey()
    const short = randomBytes(16).toString('base64')
    for (const [newKey, oldKey, message] of [
      [undefined, key, 'CREDENTIAL_ENCRYPTION_KEY is not set'],
      [short, key, 'CREDENTIAL_ENCRYPTION_KEY is not 32 bytes'],
      [other, short, 'The old key, from standard input, is not 32 bytes'],
      [other, '', 'nothing came'],
      [other, other, 'are the same'],
    ] as const) {
      const { code, text } = await rotate(newKey, oldKey)
      expect([code, text]).toEqual([2, expect.stringContaining(message)])
      for (const secret of [key, other, short]) expect(text).not.toContain(secret)
    }
  })
})

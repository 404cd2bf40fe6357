import { randomBytes } from 'node:crypto'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import type { Config } from '../../../src/platform/settings/config.ts'
import type { ApiResponse, TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import type { MarketPlatform } from './market-platform.ts'

export const ACCOUNTS = '/api/v1/admin/marketop-transparency/accounts'
export const newCredentialKey = (): string => randomBytes(32).toString('base64')

/** Settings of a service that pulls from a platform of the test. */
export const marketConfig = (platform: MarketPlatform): Partial<Config> => ({
  marketopEnabled: true,
  marketopAuthUrl: platform.authUrl,
  marketopApiUrl: platform.apiUrl,
  credentialEncryptionKey: newCredentialKey(),
})

const WAY = [
  'spec_downloaded',
  'spec_sent',
  'ip_whitelisted',
  'portal_account_created',
  'application_created',
  'subscribed',
  'active',
] as const

export interface AccountCalls {
  call(method: string, path: string, body?: object, language?: string): Promise<ApiResponse>
  /** An account with the platform's credentials; returns its id. */
  create(changes?: object): Promise<string>
  /** The same, with the status active and a successful test-call. */
  makeUsable(): Promise<string>
}

/** Functions of a superuser for accounts. */
export function accountCalls(
  api: Pick<TestApi, 'deps' | 'call'>,
  tenant: TestTenant,
  platform: MarketPlatform,
): AccountCalls {
  const { config, clock } = api.deps
  const tokens = makeTokens({ secretKey: config.secretKey, clock })
  // A fresh token each time, because the clock of these tests advances by months.
  const token = () => tokens.issue('access', { id: tenant.superuser.id, tenantUid: tenant.uid })
  const call: AccountCalls['call'] = (method, path, body, language) =>
    api.call(method, ACCOUNTS + path, {
      token: token(),
      body,
      ...(language !== undefined && { headers: { 'accept-language': language } }),
    })
  const create = async (changes: object = {}): Promise<string> => {
    const { username, password, subscriptionKey } = platform
    const body = {
      name: 'the account',
      portal_username: username,
      portal_password: password,
      subscription_key: subscriptionKey ?? null,
      ...changes,
    }
    const response = await call('POST', '', body)
    if (response.status !== 201) throw new Error(response.text)
    return response.body.id
  }
  return {
    call,
    create,
    async makeUsable() {
      const id = await create()
      for (const whitelist_status of WAY) await call('POST', `/${id}/transition`, { whitelist_status })
      const test = await call('POST', `/${id}/test-call`)
      if (!test.body.ok) throw new Error(test.text)
      return id
    },
  }
}

/** Deletes the prices, for which the owner regains the rights that it has revoked from itself. */
export const emptyPrices = ({ deps }: Pick<TestApi, 'deps'>) =>
  deps.database.owner.pool.query(`begin;
    grant truncate on market_price, market_price_change to current_user;
    truncate market_price, market_price_change;
    revoke truncate on market_price, market_price_change from current_user;
    commit`)

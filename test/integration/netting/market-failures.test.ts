import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import { at, type PullSetup, startPullSetup } from '../../support/netting/market-pulls.ts'
import { createTenant } from '../../support/tenants.ts'

let setup: PullSetup
let accountId: string
beforeAll(async () => {
  setup = await startPullSetup(at('2026-11-20T12:00:00'))
  accountId = await setup.accounts.makeUsable()
})
afterAll(() => setup.close())
beforeEach(() => setup.reset())

describe('market pull failures', () => {
  const slot = (day: number) => at(`2026-11-${day}T13:35:00`)
  const tomorrow = (day: number) => ({
    from: at(`2026-11-${day + 1}T00:00:00`),
    to: at(`2026-11-${day + 2}T00:00:00`),
  })

  it('open the matching alarm for the tenant of the superuser and close it after a successful pull', async () => {
    const other = await createTenant(setup.api)
    await setup.query('update app_user set is_superuser = false where tenant_id = $1', [other.id])
    setup.publish('interim-mcp', tomorrow(21), () => '1')
    // New pulls start with an empty ticket cache, so that the account logs in again.
    const steps = [
      ['login', { status: 403 }, 'marketop_portal_not_whitelisted'],
      ['login', { status: 401 }, 'marketop_api_auth_failed'],
      ['call', { status: 401, body: 'missing subscription key' }, 'marketop_subscription_missing'],
    ] as const
    for (const [kind, fault, policy] of steps) {
      setup.pulls = makeMarketPulls(setup.api.deps)
      setup.platform.failAlways(kind, fault)
      await setup.pull('pull-tentative-prices', slot(21))
      expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([policy])
      expect(await setup.statusOf('pull-tentative-prices')).toBe('partial')
      await setup.pull('pull-tentative-prices', slot(21))
      setup.platform.failAlways(kind, undefined)
    }
    setup.platform.failAlways('call', 'cut')
    await setup.pull('pull-tentative-prices', slot(21))
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([
      'marketop_fetch_failed',
      'marketop_subscription_missing',
    ])
    expect(setup.pulls.statusLines()).toEqual([expect.stringContaining('market prices could not be pulled')])
    setup.platform.failAlways('call', undefined)
    await setup.pull('pull-tentative-prices', slot(21))
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
    expect(setup.pulls.statusLines()).toEqual([])
    const all = await incidents(setup.api.deps, setup.tenant)
    expect(all.map(({ policy }) => policy)).toEqual([
      ...steps.map(([, , policy]) => policy),
      'marketop_fetch_failed',
    ])
    for (const { id, device_id, payload, cause } of all) {
      expect([device_id, cause]).toEqual([null, 'market platform'])
      expect(payload).toMatchObject({ account_id: accountId, account_name: 'the account' })
      expect(await trail(setup.api.deps, id)).toEqual(['raised', 'closed'])
    }
    expect(await incidents(setup.api.deps, other)).toEqual([])
    expect(await setup.counts()).toEqual({ 'ptf tentative': 24 })
  })

  it('open no alarm when the prices are not published yet', async () => {
    setup.platform.publishedUntil = '2026-11-22'
    await setup.pull('pull-tentative-prices', slot(22))
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
    expect(await setup.statusOf('pull-tentative-prices')).toBe('done')
    expect(await setup.counts()).toEqual({})
  })

  it('of an expired ticket are resolved by a single new login', async () => {
    setup.publish('interim-mcp', tomorrow(23), () => '1')
    await setup.pull('pull-tentative-prices', slot(22))
    setup.platform.endTickets()
    setup.platform.calls.length = 0
    setup.publish('interim-mcp', tomorrow(23), () => '2')
    await setup.pull('pull-tentative-prices', slot(22) + 60_000)
    await setup.pull('pull-tentative-prices', slot(23))
    expect(setup.platform.calls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'call 401',
      'login 201',
      'call 200',
      'login 201',
      'call 200',
    ])
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
  })

  it('of a missing encryption key open an alarm, which closes when the pull is switched off', async () => {
    const key = setup.api.deps.config.credentialEncryptionKey
    Object.assign(setup.api.deps.config, { credentialEncryptionKey: undefined })
    await setup.pull('pull-tentative-prices', slot(24))
    Object.assign(setup.api.deps.config, { credentialEncryptionKey: key })
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual(['marketop_fetch_failed'])
    expect(setup.pulls.statusLines()).toEqual([
      expect.stringContaining('CREDENTIAL_ENCRYPTION_KEY is not set'),
    ])
    Object.assign(setup.api.deps.config, { marketopEnabled: false })
    await setup.pull('pull-tentative-prices', slot(25))
    Object.assign(setup.api.deps.config, { marketopEnabled: true })
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
  })

  it('of the authentication are closed by a successful test-call before the next pull', async () => {
    setup.pulls = makeMarketPulls(setup.api.deps)
    setup.platform.failAlways('login', { status: 401 })
    await setup.pull('pull-tentative-prices', slot(26))
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual(['marketop_api_auth_failed'])
    setup.platform.failAlways('login', undefined)
    await setup.accounts.call('POST', `/${accountId}/test-call`)
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
  })

  it('of the own database fail the job and open no platform alarm', async () => {
    setup.publish('interim-mcp', tomorrow(27), () => '1')
    await setup.query('alter table market_price rename to market_price_away')
    await expect(setup.pull('pull-tentative-prices', slot(27))).rejects.toThrow()
    await setup.query('alter table market_price_away rename to market_price')
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
    expect(await setup.statusOf('pull-tentative-prices')).toBe('failed')
  })
})

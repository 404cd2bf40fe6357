import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import { at, type PullWorld, startPullWorld } from '../../support/netting/market-pulls.ts'
import { createTenant } from '../../support/tenants.ts'

let world: PullWorld
let accountId: string
beforeAll(async () => {
  world = await startPullWorld(at('2026-11-20T12:00:00'))
  accountId = await world.accounts.makeUsable()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

describe('what goes wrong with a pull', () => {
  const slot = (day: number) => at(`2026-11-${day}T13:35:00`)
  const tomorrow = (day: number) => ({
    from: at(`2026-11-${day + 1}T00:00:00`),
    to: at(`2026-11-${day + 2}T00:00:00`),
  })

  it('opens the alarm that fits, where a superuser looks, and closes it when it has passed', async () => {
    const other = await createTenant(world.api)
    await world.query('update app_user set is_superuser = false where tenant_id = $1', [other.id])
    world.publish('interim-mcp', tomorrow(21), () => '1')
    // A new key of the tickets' cache each time: the account logs in anew.
    const steps = [
      ['login', { status: 403 }, 'marketop_portal_not_whitelisted'],
      ['login', { status: 401 }, 'marketop_api_auth_failed'],
      ['call', { status: 401, body: 'missing subscription key' }, 'marketop_subscription_missing'],
    ] as const
    for (const [kind, fault, policy] of steps) {
      world.pulls = makeMarketPulls(world.api.deps)
      world.platform.failAlways(kind, fault)
      await world.pull('pull-tentative-prices', slot(21))
      expect(await openPolicies(world.api.deps, world.tenant)).toEqual([policy])
      expect(await world.outcomeOf('pull-tentative-prices')).toBe('partial')
      await world.pull('pull-tentative-prices', slot(21))
      world.platform.failAlways(kind, undefined)
    }
    world.platform.failAlways('call', 'cut')
    await world.pull('pull-tentative-prices', slot(21))
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([
      'marketop_fetch_failed',
      'marketop_subscription_missing',
    ])
    expect(world.pulls.statusLines()).toEqual([expect.stringContaining('market prices could not be pulled')])
    world.platform.failAlways('call', undefined)
    await world.pull('pull-tentative-prices', slot(21))
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
    expect(world.pulls.statusLines()).toEqual([])
    const all = await incidents(world.api.deps, world.tenant)
    expect(all.map(({ policy }) => policy)).toEqual([
      ...steps.map(([, , policy]) => policy),
      'marketop_fetch_failed',
    ])
    for (const { id, device_id, payload, cause } of all) {
      expect([device_id, cause]).toEqual([null, 'market platform'])
      expect(payload).toMatchObject({ account_id: accountId, account_name: 'the account' })
      expect(await trail(world.api.deps, id)).toEqual(['raised', 'closed'])
    }
    expect(await incidents(world.api.deps, other)).toEqual([])
    expect(await world.counts()).toEqual({ 'ptf tentative': 24 })
  })

  it('is no alarm when prices are only not published yet', async () => {
    world.platform.publishedUntil = '2026-11-22'
    await world.pull('pull-tentative-prices', slot(22))
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
    expect(await world.outcomeOf('pull-tentative-prices')).toBe('done')
    expect(await world.counts()).toEqual({})
  })

  it('with a ticket that has ended is mended by one new login', async () => {
    world.publish('interim-mcp', tomorrow(23), () => '1')
    await world.pull('pull-tentative-prices', slot(22))
    world.platform.endTickets()
    world.platform.calls.length = 0
    world.publish('interim-mcp', tomorrow(23), () => '2')
    await world.pull('pull-tentative-prices', slot(22) + 60_000)
    await world.pull('pull-tentative-prices', slot(23))
    expect(world.platform.calls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'call 401',
      'login 201',
      'call 200',
      'login 201',
      'call 200',
    ])
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
  })

  it('with the key of the credentials is told, and ends when the pull is switched off', async () => {
    const key = world.api.deps.config.credentialEncryptionKey
    Object.assign(world.api.deps.config, { credentialEncryptionKey: undefined })
    await world.pull('pull-tentative-prices', slot(24))
    Object.assign(world.api.deps.config, { credentialEncryptionKey: key })
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual(['marketop_fetch_failed'])
    expect(world.pulls.statusLines()).toEqual([
      expect.stringContaining('CREDENTIAL_ENCRYPTION_KEY is not set'),
    ])
    Object.assign(world.api.deps.config, { marketopEnabled: false })
    await world.pull('pull-tentative-prices', slot(25))
    Object.assign(world.api.deps.config, { marketopEnabled: true })
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
  })

  it('with the access closes by a green test-call, before the next pull', async () => {
    world.pulls = makeMarketPulls(world.api.deps)
    world.platform.failAlways('login', { status: 401 })
    await world.pull('pull-tentative-prices', slot(26))
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual(['marketop_api_auth_failed'])
    world.platform.failAlways('login', undefined)
    await world.accounts.call('POST', `/${accountId}/test-call`)
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
  })

  it('of our own is a failed job, not an alarm of the platform', async () => {
    world.publish('interim-mcp', tomorrow(27), () => '1')
    await world.query('alter table market_price rename to market_price_away')
    await expect(world.pull('pull-tentative-prices', slot(27))).rejects.toThrow()
    await world.query('alter table market_price_away rename to market_price')
    expect(await openPolicies(world.api.deps, world.tenant)).toEqual([])
    expect(await world.outcomeOf('pull-tentative-prices')).toBe('failed')
  })
})

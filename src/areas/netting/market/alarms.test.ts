import { describe, expect, it } from 'vitest'
import { marketAlarms } from './alarms.ts'
import { type FailureKind, PlatformFailure } from './failure.ts'
import { PLATFORM_TEXTS } from './messages.ts'

const account = { id: 'a', name: 'main' }
const changesOf = (kind: FailureKind) =>
  marketAlarms({
    is: 'failed',
    account,
    failure: new PlatformFailure({ kind, step: 'call', content: PLATFORM_TEXTS.PLATFORM_NO_JSON() }),
  }).map(({ policy, isOpen }) => `${isOpen ? 'open' : 'close'} ${policy}`)

describe('alarms of the market platform', () => {
  it('open one for the failure and close those that it disproves', () => {
    expect(changesOf('not_whitelisted')).toEqual(['open marketop_portal_not_whitelisted'])
    expect(changesOf('fetch_failed')).toEqual(['open marketop_fetch_failed'])
    expect(changesOf('auth_failed')).toEqual([
      'open marketop_api_auth_failed',
      'close marketop_portal_not_whitelisted',
    ])
    expect(changesOf('subscription_missing')).toEqual([
      'open marketop_subscription_missing',
      'close marketop_portal_not_whitelisted',
      'close marketop_api_auth_failed',
    ])
  })

  it('close all after a pull or when pulls are disabled, and those of the access after a test-call', () => {
    for (const state of [{ is: 'pulled' }, { is: 'idle', reason: { code: 'OFF', parameters: {} } }] as const)
      expect(marketAlarms(state).map(({ isOpen }) => isOpen)).toEqual([false, false, false, false])
    const accepted = marketAlarms({ is: 'accepted' }).map(({ policy }) => policy)
    expect(accepted).toHaveLength(3)
    expect(accepted).not.toContain('marketop_fetch_failed')
  })
})

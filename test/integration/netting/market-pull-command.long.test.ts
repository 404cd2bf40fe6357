import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { runCli } from '../../../src/cli/cli.ts'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts'
import { openPolicies } from '../../support/alarms/alarms.ts'
import { at, type PullSetup, startPullSetup } from '../../support/netting/market-pulls.ts'

const NOW = at('2026-11-20T12:00:00')

let setup: PullSetup
beforeAll(async () => {
  setup = await startPullSetup(NOW)
})
afterAll(() => setup.close())
beforeEach(() => setup.reset())

async function pull(args: readonly string[] = [], settings: Record<string, string> = {}) {
  const { config, database } = setup.api.deps
  const { rows } = await database.pool.query('select current_database() as name')
  const url = new URL(database.pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  const env = {
    DATABASE_URL: url.href,
    LOG_LEVEL: 'silent',
    MARKETOP_ENABLED: 'true',
    MARKETOP_AUTH_URL: config.marketopAuthUrl,
    MARKETOP_API_URL: config.marketopApiUrl,
    CREDENTIAL_ENCRYPTION_KEY: config.credentialEncryptionKey ?? '',
    ...settings,
  }
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const io = { out: note, err: note, readInput: async () => '', now: () => NOW }
  return { code: await runCli(['market', 'pull', ...args], env, io), lines }
}

describe('market prices without an active account', () => {
  it('reports from the start that no account is active, until an account becomes usable', async () => {
    const pulls = makeMarketPulls(setup.api.deps)
    await pulls.checkAccount()
    const lacking = [expect.stringMatching(/^market prices are not pulled: no account is active/)]
    expect(pulls.statusLines()).toEqual(lacking)
    expect((await pull()).lines).toEqual(lacking)
    await setup.accounts.makeUsable()
    await expect.poll(() => pulls.statusLines()).toEqual([])
  })
})

describe('netsaat market pull', () => {
  it('fills the missing months and reports the progress', async () => {
    setup.publish('mcp', { from: at('2025-11-01T00:00:00'), to: at('2026-11-21T00:00:00') }, () => '1')
    const { code, lines } = await pull()
    expect(lines[0]).toBe('market prices are being filled: 1 of 26 months are done')
    expect([code, lines.at(-1)]).toEqual([0, 'All that is published is stored.'])
    expect(await setup.counts()).toEqual({ 'ptf final': 385 * 24 })
  })

  it('pulls the requested months again even when they are already stored', async () => {
    setup.publish('mcp', { from: at('2024-01-01T00:00:00'), to: at('2024-03-01T00:00:00') }, () => '5')
    expect((await pull(['--from', '2024-01', '--to', '2024-02'])).code).toBe(0)
    expect(await setup.counts()).toEqual({ 'ptf final': 60 * 24 })
    setup.platform.prices.mcp.set(at('2024-02-10T13:00:00'), '7.25')
    await pull(['--from', '2024-02', '--to', '2024-02'])
    expect(await setup.counts()).toEqual({ 'ptf final': 60 * 24, 'ptf corrected': 1 })
    expect(setup.requests().slice(-2)).toEqual([
      'mcp 2024-02-01..2024-02-29',
      'system-marginal-price 2024-02-01..2024-02-29',
    ])
  })

  it('stores every price once when two pulls run concurrently', async () => {
    setup.publish('mcp', { from: at('2026-10-01T00:00:00'), to: at('2026-11-21T00:00:00') }, () => '1')
    setup.publish('system-marginal-price', { from: at('2026-10-01T00:00:00'), to: NOW }, () => '2')
    const both = await Promise.all([pull(['--from', '2026-10']), pull(['--from', '2026-10'])])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await setup.counts()).toEqual({ 'ptf final': 51 * 24, 'smf final': 50 * 24 + 8 })
  })

  it('exits with code 1 and prints no secret when the pull fails', async () => {
    setup.platform.failAlways('login', { status: 401 })
    const { code, lines } = await pull()
    expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining('user name or password is wrong')])
    expect(lines.join('\n')).not.toContain(setup.platform.password)
    expect((await pull([], { MARKETOP_ENABLED: 'false' })).lines).toEqual([
      'netsaat: MARKETOP_ENABLED is false: prices are not pulled',
    ])
  })
})

describe('market pull after a Retry-After of several days', () => {
  const slot = NOW + HOUR_MS
  it('pauses the pull for at most one day and then requests prices again', async () => {
    setup.pulls = makeMarketPulls(setup.api.deps)
    setup.publish('interim-mcp', { from: slot, to: slot + 4 * DAY_MS }, () => '1')
    setup.platform.fail('call', { status: 429, headers: { 'retry-after': String(3 * 86_400) } })
    await setup.pull('pull-tentative-prices', slot)
    const asked = setup.platform.calls.length
    await setup.pull('pull-tentative-prices', slot + DAY_MS - 1)
    expect(setup.platform.calls).toHaveLength(asked)
    expect(setup.pulls.statusLines()).toEqual([
      'market prices are not pulled before 2026-11-21T10:00:00.000Z: the platform asked to wait until then',
    ])
    expect(await openPolicies(setup.api.deps, setup.tenant)).toContain('marketop_fetch_failed')
    expect(await setup.statusOf('pull-tentative-prices')).toBe('partial')
    await setup.pull('pull-tentative-prices', slot + DAY_MS)
    expect(setup.pulls.statusLines()).toEqual([])
    expect(await setup.counts()).toEqual({ 'ptf tentative': 24 })
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])
  })
})

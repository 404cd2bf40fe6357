import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeMarketPulls } from '../../../src/areas/netting/market/index.ts'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts'
import { openPolicies } from '../../support/alarms/alarms.ts'
import { prices2024 } from '../../support/netting/market-prices.ts'
import { at, type PullSetup, startPullSetup } from '../../support/netting/market-pulls.ts'

const NOW = at('2026-11-20T12:00:00')

let setup: PullSetup
beforeAll(async () => {
  setup = await startPullSetup(NOW)
})
afterAll(() => setup.close())
beforeEach(() => setup.reset())

const stored = () =>
  setup.query(
    `select ts, market, price_status as status, price_try_per_mwh as price from market_price
     order by market, price_status, ts`,
  )

describe('preconditions of the market pull', () => {
  it('pulls nothing while disabled or without an active account with a successful test-call', async () => {
    const slot = at('2026-11-20T14:05:00')
    Object.assign(setup.api.deps.config, { marketopEnabled: false })
    await setup.pull('pull-final-prices', slot)
    expect(setup.pulls.statusLines()).toEqual([])
    Object.assign(setup.api.deps.config, { marketopEnabled: true })
    await setup.pull('pull-final-prices', slot)
    expect(setup.pulls.statusLines()).toEqual([
      expect.stringMatching(/^market prices are not pulled: no account is active/),
    ])
    const id = await setup.accounts.create()
    await setup.accounts.call('POST', `/${id}/test-call`)
    setup.platform.calls.length = 0
    await setup.pull('pull-final-prices', slot)
    await setup.query(
      `update market_account set whitelist_status = 'active', last_test_ok = false where id = $1`,
      [id],
    )
    await setup.pull('backfill-prices', slot)
    expect(setup.platform.calls).toEqual([])
    expect(await setup.statusOf('pull-final-prices')).toBe('done')
    await setup.query('delete from market_account')
  })
})

describe('scheduled market pulls', () => {
  const TODAY = { from: at('2026-11-20T00:00:00'), to: at('2026-11-21T00:00:00') }
  const TOMORROW = { from: TODAY.to, to: TODAY.to + DAY_MS }

  beforeAll(async () => {
    setup.api.clock.set(NOW)
    await setup.accounts.makeUsable()
  })

  it('pull the tentative prices of tomorrow at 13:35', async () => {
    setup.publish('interim-mcp', TOMORROW, (hour) => `${hour}.5`)
    await setup.pull('pull-tentative-prices', at('2026-11-20T13:35:00'))
    expect(setup.requests()).toEqual(['interim-mcp 2026-11-21..2026-11-21'])
    const rows = await stored()
    expect(rows).toHaveLength(24)
    expect(rows[23]).toEqual({
      ts: new Date(TOMORROW.to - HOUR_MS),
      market: 'ptf',
      status: 'tentative',
      price: '23.500000',
    })
  })

  it('pull final prices at 14:05, SMF with a delay of four hours, and later only what was unpublished', async () => {
    setup.publish('mcp', { from: at('2025-11-01T00:00:00'), to: TODAY.to }, () => '1')
    setup.publish('system-marginal-price', { from: at('2025-11-01T00:00:00'), to: TODAY.to }, () => '2')
    setup.platform.publishedUntil = '2026-11-20'
    await setup.pull('pull-final-prices', at('2026-11-20T14:05:00'))
    expect(setup.requests().slice(0, 4)).toEqual([
      'mcp 2026-11-20..2026-11-20',
      'mcp 2026-11-21..2026-11-21',
      'system-marginal-price 2026-11-19..2026-11-19',
      'system-marginal-price 2026-11-20..2026-11-20',
    ])
    // The months without any price, newest first. The current month has its first hours by now.
    expect(setup.requests()[4]).toBe('mcp 2026-10-01..2026-10-31')
    expect(setup.requests()).toHaveLength(4 + 24)
    const latest = await setup.query(`select max(ts) as ts from market_price where market = 'smf'`)
    expect(latest[0].ts).toEqual(new Date(at('2026-11-20T09:00:00')))
    expect(await setup.statusOf('pull-final-prices')).toBe('done')
    expect(await openPolicies(setup.api.deps, setup.tenant)).toEqual([])

    setup.platform.calls.length = 0
    setup.platform.publishedUntil = '2026-11-21'
    setup.publish('mcp', TOMORROW, () => '3')
    await setup.pull('pull-final-prices', at('2026-11-20T15:05:00'))
    expect(setup.requests()).toEqual([
      'mcp 2026-11-21..2026-11-21',
      'system-marginal-price 2026-11-20..2026-11-20',
    ])
    expect(await setup.query(`select count(*)::int from market_price where price_try_per_mwh = 3`)).toEqual([
      { count: 24 },
    ])
  })

  it('check this month and the last for corrections at 02:15 and fill older gaps', async () => {
    const span = { from: at('2025-11-01T00:00:00'), to: TODAY.to }
    setup.publish('mcp', span, (hour) => `${hour}`)
    setup.publish('system-marginal-price', span, (hour) => `${hour}`)
    setup.platform.prices.mcp.delete(at('2026-03-05T07:00:00'))
    await setup.pull('backfill-prices', at('2026-11-20T02:15:00'))
    expect(setup.requests()).toHaveLength(26)
    expect(setup.requests()[0]).toBe('mcp 2026-11-01..2026-11-20')
    expect(setup.requests()[1]).toBe('system-marginal-price 2026-11-01..2026-11-19')
    setup.platform.calls.length = 0
    setup.platform.prices.mcp.set(at('2026-10-09T05:00:00'), '4321.123456')
    await setup.pull('backfill-prices', at('2026-11-21T02:15:00'))
    expect(setup.requests()).toEqual([
      'mcp 2026-11-01..2026-11-21',
      'system-marginal-price 2026-11-01..2026-11-20',
      'mcp 2026-10-01..2026-10-31',
      'system-marginal-price 2026-10-01..2026-10-31',
      'mcp 2026-03-01..2026-03-31',
    ])
    expect(
      await setup.query(
        `select ts, price_try_per_mwh as price from market_price where price_status = 'corrected'`,
      ),
    ).toEqual([{ ts: new Date(at('2026-10-09T05:00:00')), price: '4321.123456' }])
  })

  it('store the published part of a month whose last days are not published yet', async () => {
    setup.publish('mcp', TODAY, () => '5')
    setup.publish('system-marginal-price', TODAY, () => '5')
    setup.platform.publishedUntil = '2026-11-19'
    setup.publish('mcp', { from: TODAY.from - DAY_MS, to: TODAY.from }, () => '6')
    await setup.pull('backfill-prices', at('2026-11-20T02:15:00'))
    expect(setup.requests().slice(0, 2)).toEqual(['mcp 2026-11-01..2026-11-20', 'mcp 2026-11-01..2026-11-19'])
    expect(await setup.counts()).toEqual({ 'ptf final': 24 })
    expect(await setup.statusOf('backfill-prices')).toBe('done')
  })

  it('fill the history month by month, report the progress and resume after a stop', async () => {
    setup.publish('mcp', { from: at('2025-11-01T00:00:00'), to: TODAY.to }, () => '1')
    setup.publish('system-marginal-price', { from: at('2025-11-01T00:00:00'), to: TODAY.to }, () => '1')
    const slot = at('2026-11-20T02:15:00')
    const stop = new AbortController()
    const lines: string[] = []
    const notes: string[] = []
    const info = (_fields: object, text: string): void => {
      lines.push(text)
      notes.push(...own.statusLines())
      if (lines.length === 7) stop.abort(new Error('stopped'))
    }
    const log = Object.assign(Object.create(setup.api.deps.log), { info })
    const own = makeMarketPulls({ ...setup.api.deps, log })
    const partFailed = () => {}
    await expect(own.backfill(slot, { signal: stop.signal, partFailed })).rejects.toThrow('stopped')
    expect(setup.requests()).toHaveLength(7)
    expect(lines[0]).toBe('market prices: 2026-11 of ptf, month 1 of 26')
    expect(lines[6]).toBe('market prices: 2026-08 of ptf, month 7 of 26')
    expect(notes.at(-1)).toBe('market prices are being filled: 7 of 26 months are done')
    await own.backfill(slot, { signal: new AbortController().signal, partFailed })
    expect(await setup.counts()).toEqual({ 'ptf final': 385 * 24, 'smf final': 385 * 24 - 26 })
    // The two months that may still change are requested again, and every missing month.
    expect(setup.requests()).toHaveLength(7 + 4 + 19)
    expect(own.statusLines()).toEqual([])
  })

  it('store all 8,784 hours of 2024 of both markets exactly', async () => {
    const real = await prices2024()
    for (const [series, market] of [
      ['mcp', 'ptf'],
      ['system-marginal-price', 'smf'],
    ] as const)
      for (const { ts, text } of real[market]) setup.platform.prices[series].set(ts, text)
    setup.platform.layout = 'hour apart'
    await setup.pull('backfill-prices', at('2025-01-01T02:15:00'))
    expect(setup.requests().filter((call) => call.startsWith('mcp'))).toEqual([
      'mcp 2025-01-01..2025-01-01',
      ...['12-01..2024-12-31', '11-01..2024-11-30', '10-01..2024-10-31', '09-01..2024-09-30'].map(
        (days) => `mcp 2024-${days}`,
      ),
      ...['08-01..2024-08-31', '07-01..2024-07-31', '06-01..2024-06-30', '05-01..2024-05-31'].map(
        (days) => `mcp 2024-${days}`,
      ),
      ...['04-01..2024-04-30', '03-01..2024-03-31', '02-01..2024-02-29', '01-01..2024-01-31'].map(
        (days) => `mcp 2024-${days}`,
      ),
    ])
    // The last two hours are less than four hours old.
    expect(await setup.counts()).toEqual({ 'ptf final': 8784, 'smf final': 8782 })
    await setup.pull('backfill-prices', at('2025-01-02T02:15:00'))
    for (const market of ['ptf', 'smf'] as const) {
      const rows = await setup.query(
        'select ts, price_try_per_mwh as price from market_price where market = $1 order by ts',
        [market],
      )
      expect(rows.map(({ ts, price }) => [ts.getTime(), price])).toEqual(
        real[market].map(({ ts, text }) => [ts, sixDecimals(text)]),
      )
      const [{ sum }] = await setup.query(
        'select sum(price_try_per_mwh) from market_price where market = $1',
        [market],
      )
      expect(sum).toBe(market === 'ptf' ? '19636810.230000' : '19139727.250000')
    }
    expect(await setup.counts()).toEqual({ 'ptf final': 8784, 'smf final': 8784 })
  })
})

const sixDecimals = (text: string): string => {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}

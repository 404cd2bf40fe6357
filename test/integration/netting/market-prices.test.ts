import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storePrices } from '../../../src/areas/netting/market/price-store.ts'
import { PTF_FINAL, PTF_TENTATIVE, type Series, SMF_FINAL } from '../../../src/areas/netting/market/series.ts'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { inSystemTx } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { emptyPrices } from '../../support/netting/market-accounts.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = '2026-11-20T09:30:00Z'
const START = Date.parse('2026-11-20T00:00:00+03:00')

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ config: { marketopEnabled: true } })
  tenant = await createTenant(api)
})
afterAll(() => api.close())
beforeEach(async () => {
  api.clock.set(NOW)
  await emptyPrices(api)
})

const list = (query = '', token = tenant.viewer.token) =>
  api.call('GET', `/api/energy-market/prices${query}`, { token })
const store = (series: Series, values: readonly string[]) =>
  inSystemTx(api.deps.database.kysely, (tx) =>
    storePrices(tx, {
      series,
      prices: values.map((price, hour) => ({ ts: START + hour * HOUR_MS, price })),
      at: api.clock.now(),
    }),
  )
const rows = async (query: string) =>
  (await list(`?sort_order=asc&limit=200&${query}`)).body.items.map(
    (row: { ts: string; market: string; price_status: string; price_try_per_mwh: string }) =>
      `${(Date.parse(row.ts) - START) / HOUR_MS} ${row.market} ${row.price_status} ${row.price_try_per_mwh}`,
  )
const log = async () =>
  (
    await api.deps.database.pool.query(
      'select price_status, price_before, price_after, changed_at from market_price_change order by id',
    )
  ).rows

describe('market prices', () => {
  it('stores one row per hour and status, however often the price is published', async () => {
    expect(await store(PTF_TENTATIVE, ['100.000000', '200.000000'])).toEqual({ added: 2, changed: 0 })
    expect(await store(PTF_FINAL, ['101.000000', '0.000000'])).toEqual({ added: 2, changed: 0 })
    expect(await store(SMF_FINAL, ['99.990000'])).toEqual({ added: 1, changed: 0 })
    for (const series of [PTF_FINAL, SMF_FINAL])
      expect(await store(series, series === PTF_FINAL ? ['101', '0'] : ['99.99'])).toEqual({
        added: 0,
        changed: 0,
      })
    expect(await rows('')).toEqual([
      '0 ptf final 101.000000',
      '0 ptf tentative 100.000000',
      '0 smf final 99.990000',
      '1 ptf final 0.000000',
      '1 ptf tentative 200.000000',
    ])
    expect(await log()).toEqual([])
  })

  it('adds a corrected row beside the final one and logs what a second correction replaces', async () => {
    await store(PTF_FINAL, ['100', '200', '300'])
    api.clock.advance(60_000)
    expect(await store(PTF_FINAL, ['100', '201', '300'])).toEqual({ added: 0, changed: 1 })
    expect(await store(PTF_FINAL, ['100', '201', '300'])).toEqual({ added: 0, changed: 0 })
    expect(await log()).toEqual([])
    api.clock.advance(60_000)
    expect(await store(PTF_FINAL, ['100', '202', '300'])).toEqual({ added: 0, changed: 1 })
    api.clock.advance(60_000)
    // The price returns to the final value: the latest publication of the platform is in force.
    expect(await store(PTF_FINAL, ['100', '200', '300'])).toEqual({ added: 0, changed: 1 })
    expect(await rows('from=2026-11-20T01:00&to=2026-11-20T02:00')).toEqual([
      '1 ptf corrected 200.000000',
      '1 ptf final 200.000000',
    ])
    expect(
      (await log()).map(({ price_status, price_before, price_after }) => [
        price_status,
        price_before,
        price_after,
      ]),
    ).toEqual([
      ['corrected', '201.000000', '202.000000'],
      ['corrected', '202.000000', '200.000000'],
    ])
  })

  it('updates a tentative price without touching the final one', async () => {
    await store(PTF_TENTATIVE, ['100'])
    await store(PTF_FINAL, ['110'])
    expect(await store(PTF_TENTATIVE, ['105'])).toEqual({ added: 0, changed: 1 })
    expect(await rows('')).toEqual(['0 ptf final 110.000000', '0 ptf tentative 105.000000'])
    expect(await log()).toMatchObject([{ price_status: 'tentative', price_before: '100.000000' }])
  })

  it('stores each price once when several writers run concurrently', async () => {
    const values = Array.from({ length: 100 }, (_, hour) => `${hour}`)
    const all = await Promise.all(Array.from({ length: 8 }, () => store(PTF_FINAL, values)))
    expect(all.reduce((sum, { added }) => sum + added, 0)).toBe(100)
    const other = values.map((value) => `${value}.5`)
    const again = await Promise.all(Array.from({ length: 8 }, () => store(PTF_FINAL, other)))
    expect(again.reduce((sum, { changed }) => sum + changed, 0)).toBe(100)
    expect(await log()).toEqual([])
  })

  it('lists prices by range, market and maturity in pages', async () => {
    await store(
      PTF_FINAL,
      Array.from({ length: 60 }, (_, hour) => `${hour}`),
    )
    await store(SMF_FINAL, ['7', '8', '9'])
    const first = await list()
    expect(first.body).toMatchObject({ total: 63, skip: 0, limit: 50 })
    expect(first.body.items).toHaveLength(50)
    expect(first.body.items[0]).toEqual({
      ts: iso(START + 59 * HOUR_MS),
      market: 'ptf',
      price_status: 'final',
      price_try_per_mwh: '59.000000',
      fetched_at: iso(api.clock.now()),
    })
    expect((await list('?skip=50')).body.items).toHaveLength(13)
    expect(await rows('market=smf&from=2026-11-20T01:00:00%2B03:00')).toEqual([
      '1 smf final 8.000000',
      '2 smf final 9.000000',
    ])
    expect(await rows('market=ptf&from=2026-11-20&to=2026-11-19T22:00:00Z')).toEqual(['0 ptf final 0.000000'])
    expect(await rows('price_status=tentative')).toEqual([])
    const dearest = await list('?sort_by=price_try_per_mwh&limit=1')
    expect(dearest.body.items[0].price_try_per_mwh).toBe('59.000000')
    for (const wrong of [
      'market=gold',
      'price_status=best',
      'limit=201',
      'from=tomorrow',
      'sort_by=id',
      'best=maybe',
    ])
      expect([wrong, (await list(`?${wrong}`)).status]).toEqual([wrong, 422])
  })

  it('returns only the most final price of each hour on request', async () => {
    await store(PTF_TENTATIVE, ['1', '2', '3', '4'])
    await store(PTF_FINAL, ['10', '20'])
    await store(PTF_FINAL, ['11'])
    await store(SMF_FINAL, ['5'])
    await api.deps.database.pool.query(
      `insert into market_price values ($1, 'smf', 'unknown', 6, now()), ($2, 'smf', 'unknown', 7, now())`,
      [new Date(START), new Date(START + HOUR_MS)],
    )
    expect(await rows('best=true')).toEqual([
      '0 ptf corrected 11.000000',
      '0 smf final 5.000000',
      '1 ptf final 20.000000',
      '1 smf unknown 7.000000',
      '2 ptf tentative 3.000000',
      '3 ptf tentative 4.000000',
    ])
    expect(await rows('best=true&price_status=tentative')).toEqual([
      '2 ptf tentative 3.000000',
      '3 ptf tentative 4.000000',
    ])
    expect((await list('?best=true&limit=2&skip=1')).body).toMatchObject({ total: 6, skip: 1, limit: 2 })
  })

  it('returns the same prices to every tenant with read:netting, and none while the pull is disabled', async () => {
    await store(PTF_FINAL, ['1'])
    const other = await createTenant(api)
    expect((await list('', other.operator.token)).body).toEqual((await list()).body)
    expect((await api.call('GET', '/api/energy-market/prices')).status).toBe(401)
    Object.assign(api.deps.config, { marketopEnabled: false })
    const empty = await list('?limit=10')
    Object.assign(api.deps.config, { marketopEnabled: true })
    expect([empty.status, empty.body]).toEqual([200, { items: [], total: 0, skip: 0, limit: 10 }])
  })

  it('denies the service role the deletion of prices and changes of their log', async () => {
    await store(PTF_FINAL, ['1'])
    await store(PTF_FINAL, ['2'])
    await store(PTF_FINAL, ['3'])
    for (const statement of [
      'delete from market_price',
      'truncate market_price cascade',
      'delete from market_price_change',
      'update market_price_change set price_before = 0',
      'truncate market_price_change',
    ])
      await expect(api.deps.database.pool.query(statement)).rejects.toThrow('permission denied')
  })
})

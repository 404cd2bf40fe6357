import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS_OPEN_MAX } from '../../../src/areas/netting/scenarios/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { calculateMonths } from '../../support/netting/corrections.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import { runOptimisationJob } from '../../support/netting/optimisation-job.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob } from '../../support/netting/scenario-job.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/**
 * Every type of change through the API, on one day of two groups whose figures can be verified by hand. Hours 9, 12 and
 * 20 have energy (kWh), all others have none:
 *
 * - Factory: plant 12, 10, 0; works 2, 4, 12 with a limit of 60. It matches 6, sells 16 and buys 12.
 * - Market: roof 0, 0, 10; shop 1.5, 1, 0.6 with a limit of 100. It matches 0.6, sells 9.4 and buys 2.5. The battery of
 *   the shop charged 0.5 at 9 and discharged 0.4 at 20.
 */
const BASE = '/api/mahsuplasma'
const DAY = { from: '2026-06-01T00:00:00+03:00', to: '2026-06-02T00:00:00+03:00' }
const HOURS = [9, 12, 20]
const BILL = 2.985253
const LOWEST = 2.909687
const FEE_1 = 0.9

let api: TestApi
let tenant: TestTenant
let factory: { id: string; plant: string; works: string }
let market: { id: string; roof: string; shop: string }

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  const [fee] = INDUSTRIAL_PRICES.filter(({ purpose }) => purpose === 'system_usage')
  if (!fee) throw new Error('the prices have no system usage fee')
  const first = { ...fee, stepNo: 1, tariffClass: 'lisanssiz_uretici_1', price: String(FEE_1) }
  await makePriceSet(api.deps, '2025-01-01', [...INDUSTRIAL_PRICES, first])
  factory = await makeFactory()
  market = await makeMarket()
  for (const { id } of [factory, market])
    await calculateMonths(api.deps, tenant, { groupId: id, periods: ['2026-06-01'], hours: 24 })
  await api.deps.database.pool.query(
    `insert into market_price (ts, market, price_try_per_mwh, price_status, fetched_at)
     select ts, 'ptf', 2500, 'final', now() from generate_series($1::timestamptz, $2::timestamptz, '1 hour') ts`,
    [DAY.from, DAY.to],
  )
})
afterAll(() => api.close())

const dayOf = (
  { id }: TestFacility,
  role: 'main_production' | 'main_consumption' | 'battery',
  kwh: readonly string[],
) =>
  hourlyFacts(DAY, { facilityId: id, role }, (hour) => {
    const value = kwh[HOURS.indexOf(hour)] ?? '0.000'
    const field = { main_production: 'production', main_consumption: 'consumption', battery: 'battery' }[role]
    return { [field]: value }
  })

async function makeFactory() {
  const { id, facilities } = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits: { 2026: '60.000' } }],
  })
  const [plant, works] = facilities as [TestFacility, TestFacility]
  await addFacts(api.deps, tenant, [
    ...dayOf(plant, 'main_production', ['12.000', '10.000', '0.000']),
    ...dayOf(works, 'main_consumption', ['2.000', '4.000', '12.000']),
  ])
  return { id, plant: plant.id, works: works.id }
}

async function makeMarket() {
  const shopMeters = ['main_consumption', 'battery'] as const
  const { id, facilities } = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production' },
      { role: 'consumption', meters: shopMeters, hasStorage: true, limits: { 2026: '100.000' } },
    ],
  })
  const [roof, shop] = facilities as [TestFacility, TestFacility]
  await addFacts(api.deps, tenant, [
    ...dayOf(roof, 'main_production', ['0.000', '0.000', '10.000']),
    ...dayOf(shop, 'main_consumption', ['1.500', '1.000', '0.600']),
    ...dayOf(shop, 'battery', ['-0.500', '0.000', '0.400']),
  ])
  return { id, roof: roof.id, shop: shop.id }
}

async function send(method: string, path: string, body?: object, status = 201) {
  const response = await api.call(method, `${BASE}/${path}`, {
    token: tenant.admin.token,
    ...(body && { body }),
  })
  expect(response.status, response.text).toBe(status)
  return response.body
}
const get = (path: string) => send('GET', path, undefined, 200)

type Figures = Readonly<Record<string, string | null>>
interface Computed {
  readonly factory: Figures
  readonly market: Figures
  readonly both: Figures
}
type Case = readonly [string, () => readonly object[], (figures: Computed) => void]

const kwhOf = (figures: Figures, ...names: string[]) => names.map((name) => Number(figures[`${name}_kwh`]))
/** Matched, sold, over the limit and bought. */
const netted = (figures: Figures) => kwhOf(figures, 'matched', 'bedelli', 'skb', 'net_import')
const lira = (figures: Figures, name: string) => Number(figures[`${name}_try`])

const listed = (count: number) => ({
  kind: 'hours',
  values_kwh: Array.from({ length: count }, (_, index) => (index < 24 ? 1 : 0)),
})
const billPrice = (own: object) => ({
  ...{ type: 'set_price', purpose: 'customer_bill_active_energy', abone_grubu: 'sanayi' },
  ...own,
})

/** The day-ahead price of the day is 2.5 TRY/kWh. */
const marketPrice = () => ({
  ...{ type: 'market_price', facility_id: factory.works, factor: '1.1', margin_try_per_kwh: '0.2' },
  ...{ from: '2026-06-01', to: '2026-06-02' },
})

const ENERGY: readonly Case[] = [
  [
    'none',
    () => [],
    ({ factory: a, market: b }) => {
      expect(netted(a)).toEqual([6, 16, 0, 12])
      expect(netted(b)).toEqual([0.6, 9.4, 0, 2.5])
    },
  ],
  [
    'remove_battery',
    () => [{ type: 'remove_battery', facility_id: market.shop }],
    // The shop consumes 1, 1 and 1.
    ({ market: b }) => expect(netted(b)).toEqual([1, 9, 0, 2]),
  ],
  [
    'add_plant with the profile of a measured plant',
    () => [
      {
        ...{ type: 'add_plant', facility_id: factory.works },
        profile: { kind: 'facility', facility_id: factory.plant, factor: '0.5' },
      },
    ],
    // 6 and 5 kWh more, of which the works uses nothing that it did not get before.
    ({ factory: a }) => expect([a['production_kwh'], ...netted(a)]).toEqual(['33.000', 6, 27, 0, 12]),
  ],
  [
    'add_plant with the national solar series',
    () => [
      {
        ...{ type: 'add_plant', facility_id: factory.works },
        profile: { kind: 'national_solar', power_kw: 100, yield_kwh_per_kw: 1_500 },
      },
    ],
    // A kilowatt yields a few kWh on the first of June, and hours 9 and 12 matched everything before.
    ({ factory: a }) => {
      const [production = 0] = kwhOf(a, 'production')
      expect(production).toBeGreaterThan(22 + 400)
      expect(production).toBeLessThan(22 + 1_000)
    },
  ],
  [
    'add_load with an uploaded week: a charging site behind the meter of the works',
    () => [{ type: 'add_load', facility_id: factory.works, profile: listed(168) }],
    // 1 kWh in each hour: 3, 5 and 13 kWh with production 12, 10 and 0, and 21 hours without any.
    ({ factory: a }) => expect(netted(a)).toEqual([8, 14, 0, 34]),
  ],
  [
    'scale_plant with the factor 0: a plant is removed',
    () => [{ type: 'scale_plant', facility_id: factory.plant, factor: 0 }],
    ({ factory: a }) => expect(netted(a)).toEqual([0, 0, 0, 18]),
  ],
  [
    'scale_load',
    () => [{ type: 'scale_load', facility_id: factory.works, factor: '0.5' }],
    ({ factory: a }) => expect(netted(a)).toEqual([3, 19, 0, 6]),
  ],
  [
    'shift_load',
    () => [
      {
        ...{ type: 'shift_load', facility_id: factory.works, share: '0.5' },
        ...{ from_hours: [20], to_hours: [12] },
      },
    ],
    ({ factory: a }) => expect(netted(a)).toEqual([12, 10, 0, 6]),
  ],
  [
    'netting_interval',
    () => [{ type: 'netting_interval', group_id: factory.id, interval: 'month' }],
    // 22 kWh against 18 kWh.
    ({ factory: a, market: b }) => {
      expect(kwhOf(a, 'matched', 'net_import')).toEqual([18, 0])
      expect(netted(b)).toEqual([0.6, 9.4, 0, 2.5])
    },
  ],
]

const SITE_ID = '6e6a0000-0000-4000-8000-000000000001'
const MEMBERS: readonly Case[] = [
  [
    'add_facility: a charging site with an uploaded day and a limit',
    () => [
      {
        ...{ type: 'add_facility', facility_id: SITE_ID, group_id: factory.id, name: 'Şarj' },
        ...{ consumption: listed(24), limit_kwh: 5, abone_grubu: 'sanayi' },
      },
    ],
    ({ factory: a }) => {
      expect(netted(a)).toEqual([8, 14, 0, 34])
      expect(a['limit_closing_kwh']).toBe('43.000')
    },
  ],
  [
    'leave_group',
    () => [{ type: 'leave_group', facility_id: factory.works, group_id: factory.id }],
    // Nobody consumes, and nobody has a limit.
    ({ factory: a }) => expect(kwhOf(a, 'matched', 'bedelli')).toEqual([0, 0]),
  ],
  [
    'move_facility',
    () => [
      {
        ...{ type: 'move_facility', facility_id: factory.works },
        ...{ from_group_id: factory.id, group_id: market.id },
      },
    ],
    // At 20, 12.6 kWh are consumed where 10 are produced.
    ({ market: b }) => {
      expect(netted(b)).toEqual([10, 0, 0, 11.1])
      expect(b['limit_closing_kwh']).toBe('150.000')
    },
  ],
  [
    'change_facility: role',
    () => [{ type: 'change_facility', facility_id: factory.works, role: 'production' }],
    ({ factory: a }) => expect(kwhOf(a, 'production', 'matched')).toEqual([22, 0]),
  ],
  [
    'change_facility: tariff class',
    () => [
      { type: 'change_limit', facility_id: factory.works, month: '2026-06', amount_kwh: -60 },
      {
        ...{ type: 'change_facility', facility_id: factory.plant },
        producer_tariff_group: 'lisanssiz_uretici_1',
      },
    ],
    ({ factory: a }) => {
      expect(netted(a)).toEqual([6, 0, 16, 12])
      expect(lira(a, 'fee')).toBeCloseTo(16 * FEE_1, 6)
    },
  ],
  [
    'change_facility: subscriber group',
    () => [
      billPrice({ abone_grubu: 'ticarethane', price_try_per_kwh: 7 }),
      { type: 'change_facility', facility_id: factory.works, abone_grubu: 'ticarethane' },
    ],
    ({ factory: a }) => expect(lira(a, 'purchase')).toBe(12 * 7),
  ],
  [
    'change_facility: voltage',
    () => [
      billPrice({ voltage_level: 'AG', price_try_per_kwh: 3 }),
      billPrice({ voltage_level: 'OG', price_try_per_kwh: 4 }),
      { type: 'change_facility', facility_id: factory.works, voltage_level: 'OG' },
      { type: 'change_facility', facility_id: market.shop, voltage_level: 'AG' },
    ],
    ({ factory: a, market: b }) =>
      expect([lira(a, 'purchase'), lira(b, 'purchase')]).toEqual([12 * 4, 2.5 * 3]),
  ],
  [
    'change_facility: supplier, which alone leaves the price of the bill as it is',
    () => [{ type: 'change_facility', facility_id: factory.works, tariff_supply_type: 'bilateral' }],
    ({ factory: a }) => {
      expect(netted(a)).toEqual([6, 16, 0, 12])
      expect(lira(a, 'purchase')).toBeCloseTo(12 * BILL, 5)
    },
  ],
  [
    'change_facility: supplier, with the price of the new one',
    () => [
      { type: 'change_facility', facility_id: factory.works, tariff_supply_type: 'sktt' },
      { ...marketPrice(), margin_try_per_kwh: '0.3' },
    ],
    ({ factory: a }) => expect(lira(a, 'purchase')).toBeCloseTo(12 * 3.05, 6),
  ],
]

const LIMITS_AND_PRICES: readonly Case[] = [
  [
    'change_limit',
    () => [{ type: 'change_limit', facility_id: factory.works, month: '2026-06', amount_kwh: -50 }],
    // 10 kWh are left: 2 matched and 8 sold kWh at 9.
    ({ factory: a }) => {
      expect(netted(a)).toEqual([6, 8, 8, 12])
      expect([a['limit_used_kwh'], a['limit_closing_kwh']]).toEqual(['10.000', '0.000'])
    },
  ],
  [
    'transfer_limit',
    () => [
      {
        ...{ type: 'transfer_limit', source_facility_id: market.shop },
        ...{ target_facility_id: factory.works, month: '2026-06', amount_kwh: 30 },
      },
    ],
    ({ factory: a, market: b }) =>
      expect([a['limit_closing_kwh'], b['limit_closing_kwh']]).toEqual(['68.000', '60.000']),
  ],
  [
    'scale_price',
    () => [{ type: 'scale_price', purpose: 'mahsuplasma_lowest_related_tariff', factor: '1.5' }],
    ({ both }) => expect(lira(both, 'revenue')).toBeCloseTo(25.4 * LOWEST * 1.5, 3),
  ],
  [
    'set_price: a fixed price',
    () => [{ type: 'set_price', purpose: 'customer_bill_active_energy', price_try_per_kwh: 4 }],
    ({ both }) => expect(lira(both, 'purchase')).toBe(14.5 * 4),
  ],
  [
    'market_price: PTF and a margin',
    () => [marketPrice()],
    ({ factory: a, market: b }) => {
      expect(lira(a, 'purchase')).toBeCloseTo(12 * 2.95, 6)
      expect(lira(b, 'purchase')).toBeCloseTo(2.5 * BILL, 5)
    },
  ],
]

describe('each type of change', () => {
  it('has the effect that the arithmetic by hand has', async () => {
    const cases = [...ENERGY, ...MEMBERS, ...LIMITS_AND_PRICES]
    const ids: string[] = []
    for (const [index, [name, changes]] of cases.entries()) {
      if (index > 0 && index % SCENARIOS_OPEN_MAX === 0) await runScenarioJob(api)
      const range = { group_ids: [factory.id, market.id], from: '2026-06', to: '2026-06' }
      ids.push((await send('POST', 'scenarios', { name, ...range, changes: changes() })).id)
    }
    await runScenarioJob(api)
    for (const [index, [name, , verify]] of cases.entries()) {
      const scenario = await get(`scenarios/${ids[index]}`)
      expect(scenario, name).toMatchObject({ state: 'done', error: null })
      const months: { group_id: string; scenario: Figures }[] = await get(`scenarios/${ids[index]}/months`)
      const of = (id: string) => months.find((month) => month.group_id === id)?.scenario ?? {}
      try {
        verify({ factory: of(factory.id), market: of(market.id), both: scenario.totals.scenario })
      } catch (error) {
        throw new Error(`${name}: ${String(error)}`, { cause: error })
      }
    }
    const compared = await get(`scenarios/comparison?ids=${ids.slice(0, 20).join()}`)
    expect(compared.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 20))
  })
})

describe('a dispatch in place of the measured battery', () => {
  const request = (own: object) => ({
    ...{ name: 'Instead of what was', kind: 'battery_dispatch', from: '2026-06', to: '2026-06' },
    replaces_measured: true,
    ...own,
  })
  const battery = { capacity_kwh: 4, power_kw: 2, efficiency: '0.8' }

  it('is compared with what that battery did, and is a scenario that removes it first', async () => {
    const { id } = await send(
      'POST',
      'optimisations',
      request({ group_ids: [market.id], batteries: [{ ...battery, facility_id: market.shop }] }),
    )
    await runOptimisationJob(api)
    const { state, result } = await get(`optimisations/${id}`)
    expect(state).toBe('done')
    expect(result.base).toMatchObject({ matched_kwh: '0.600', net_import_kwh: '2.500' })
    expect(result.changes[0]).toMatchObject({ type: 'remove_battery', facility_id: market.shop })
    expect(result.changes[1]).toMatchObject({ type: 'add_battery', facility_id: market.shop })
    // Production is at 20 alone, so the measured battery cost its loss: without it, 0.1 kWh less are consumed.
    expect(Number(result.benefit_try)).toBeGreaterThan(0)
    const scenario = await send('POST', `optimisations/${id}/scenario`)
    await runScenarioJob(api)
    expect((await get(`scenarios/${scenario.id}`)).totals.benefit_try).toBe(result.benefit_try)
  })

  it('fails where no battery was measured', async () => {
    const { id } = await send(
      'POST',
      'optimisations',
      request({ group_ids: [factory.id], batteries: [{ ...battery, facility_id: factory.works }] }),
    )
    await runOptimisationJob(api)
    const failed = await get(`optimisations/${id}`)
    expect(failed).toMatchObject({ state: 'failed', result: null })
    expect(failed.error).toContain('no measured battery')
  })
})

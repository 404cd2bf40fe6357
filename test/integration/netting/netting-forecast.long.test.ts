import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calculateRange } from '../../../src/areas/netting/index.ts'
import type { ApiResponse, TestApi } from '../../support/api.ts'
import { base, calculate, makePair, openSite, type Row, read } from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility, type TestGroup } from '../../support/netting/netting.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterAll(() => api.close())

const get = (path: string, token = tenant.viewer.token): Promise<ApiResponse> =>
  api.call('GET', path, { token })
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const compare = (group: Pick<TestGroup, 'id'>, period = '2026-11', token?: string): Promise<ApiResponse> =>
  get(`${base(group)}/comparison?billing_period=${period}`, token)
const amount = (response: ApiResponse, type: string): Row =>
  response.body.amounts.find((row: Row) => row['amount_type'] === type)

describe('hourly against monthly netting', () => {
  it('is reported in kWh and lira, with the difference for the owner', async () => {
    const { group } = await makePair('1000.000', 2, (index) =>
      index === 0 ? ['10.000', '1.000'] : ['0.000', '6.000'],
    )
    const before = await compare(group)
    expect(before.status, before.text).toBe(200)
    expect(before.body).toMatchObject({
      group_id: group.id,
      billing_period: '2026-11-01',
      from_hour: '2026-10-31T21:00:00.000Z',
      to_hour: '2026-11-20T09:00:00.000Z',
      scenario: 'standard_hourly',
      netted_by: 'hour',
      price_date: '2026-11-01',
      hourly: {
        matched_kwh: '1.000',
        bedelli_kwh: '9.000',
        net_import_kwh: '6.000',
        limit_used_kwh: '10.000',
      },
      monthly: {
        matched_kwh: '7.000',
        bedelli_kwh: '3.000',
        net_import_kwh: '0.000',
        limit_used_kwh: '10.000',
      },
      difference: { production_kwh: '0.000', matched_kwh: '-6.000', bedelli_kwh: '6.000', skb_kwh: '0.000' },
      agrees_with_results: null,
    })
    // 9 x 2.909687 + 1 x 2.985253 against 3 x 2.909687 + 7 x 2.985253
    expect(before.body.hourly.total_try).toBe('29.172436')
    expect(before.body.monthly.total_try).toBe('29.625832')
    expect(before.body.difference.total_try).toBe('-0.453396')
    expect(before.body.amounts).toHaveLength(7)
    expect(amount(before, 'producer_payment_for_bedelli_surplus')).toEqual({
      amount_type: 'producer_payment_for_bedelli_surplus',
      counts_as: 'revenue',
      hourly_kwh: '9.000',
      hourly_try: '26.187183',
      monthly_kwh: '3.000',
      monthly_try: '8.729061',
      difference_try: '17.458122',
    })
    expect(before.body.notes.join(' ')).toContain('not over')
  })

  it('reports whether the stored results still match, before and after a late fact', async () => {
    const { group, consumer } = await makePair('12.000', 456, (index) => [
      `${index % 7}.500`,
      `${index % 5}.250`,
    ])
    for (let from = 0; from < 456; from += 168) await calculate(group, from, Math.min(from + 168, 456))
    const { body } = await compare(group)
    expect(body.agrees_with_results).toBe(true)
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(body.hourly.skb_kwh).toBe(summary.skb_kwh)
    expect(amount({ body } as ApiResponse, 'system_usage_fee_for_skb')['hourly_try']).toBe(
      summary.amounts_try.system_usage_fee_for_skb,
    )
    await addFacts(api.deps, tenant, [
      {
        facilityId: consumer.id,
        hour: '2026-11-02T10:00:00Z',
        role: 'main_consumption',
        consumption: '99.000',
      },
    ])
    expect((await compare(group)).body.agrees_with_results).toBe(false)
  })

  it('writes and books nothing', async () => {
    const { group, account } = await makePair('5.000', 1, () => ['9.000', '1.000'])
    await compare(group)
    expect((await read(group, 'runs')).body).toEqual([])
    expect((await get(`/api/mahsuplasma/limits/accounts/${account}/movements`)).body).toHaveLength(1)
  })

  it('of homes reports the result that hourly netting would have given', async () => {
    await makePriceSet(api.deps, '2026-11-01', [
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', price: '2.000000' },
    ])
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', aboneGrubu: 'mesken' }],
    })
    const [plant, home] = group.facilities.map((facility) => facility.id) as [string, string]
    const noon = '2026-11-02T09:00:00Z'
    const night = '2026-11-02T20:00:00Z'
    await addFacts(api.deps, tenant, [
      { facilityId: plant, hour: noon, role: 'main_production', production: '10.000' },
      { facilityId: home, hour: noon, role: 'main_consumption', consumption: '1.000' },
      { facilityId: home, hour: night, role: 'main_consumption', consumption: '6.000' },
    ])
    const response = await compare(group)
    expect(response.body).toMatchObject({
      scenario: 'mesken_monthly',
      netted_by: 'month',
      hourly: { matched_kwh: '1.000', bedelli_kwh: '9.000', limit_used_kwh: '0.000', total_try: '20.000000' },
      monthly: {
        matched_kwh: '7.000',
        bedelli_kwh: '3.000',
        limit_used_kwh: '0.000',
        total_try: '20.000000',
      },
    })
    expect(amount(response, 'mesken_monthly_amount')).toMatchObject({
      counts_as: 'not_counted',
      hourly_try: '2.000000',
      monthly_try: '14.000000',
    })
  })

  it('answers 422 for a month without a full hour or no month, and 404 for a foreign group', async () => {
    const { group } = await makePair('5.000', 1, () => ['9.000', '1.000'])
    const future = await compare(group, '2026-12')
    expect(future.status).toBe(422)
    expect(future.body.detail.error_code).toBe('BUSINESS_RULE_VIOLATION')
    expect((await compare(group, '1999-12')).body.detail.error_code).toBe('BUSINESS_RULE_VIOLATION')
    expect((await compare(group, '2000-01')).body.agrees_with_results).toBeNull()
    expect((await get(`${base(group)}/comparison`)).status).toBe(422)
    expect((await compare(group, 'november')).status).toBe(422)
    const foreign = await compare(group, '2026-11', foreignTenant.viewer.token)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await compare({ id: UNKNOWN })).text)
  })
})

describe('forecast of a limit', () => {
  const HOURS_2025 = {
    from: Date.parse('2025-11-01T00:00:00+03:00'),
    to: Date.parse('2026-01-01T00:00:00+03:00'),
  }
  const HOURS_2026 = {
    from: Date.parse('2026-11-01T00:00:00+03:00'),
    to: Date.parse('2026-11-20T00:00:00+03:00'),
  }
  const forecast = (accountId: string | undefined, token?: string) =>
    get(`/api/mahsuplasma/limits/accounts/${accountId}/forecast`, token)

  /** A plant that produces a given number of kWh an hour, and a factory that uses one of them. */
  async function makeYears(limits: Record<number, string>, created: { y2025?: string; y2026?: string }) {
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', limits }],
    })
    const [plant, works] = group.facilities as [TestFacility, TestFacility]
    for (const [range, production] of [
      [HOURS_2025, created.y2025],
      [HOURS_2026, created.y2026],
    ] as const) {
      if (production === undefined) continue
      await addFacts(api.deps, tenant, [
        ...hourlyFacts(range, { facilityId: plant.id, role: 'main_production' }, () => ({ production })),
        ...hourlyFacts(range, { facilityId: works.id, role: 'main_consumption' }, () => ({
          consumption: '1.000',
        })),
      ])
    }
    return { group, works, account: works.accounts[2026] }
  }
  const net = (group: TestGroup, range: { from: number; to: number }) =>
    calculateRange(api.deps, tenant.id, { groupId: group.id, range, triggeredBy: 'beat', startedBy: null })

  it('is based on the usage of last year, scaled by the usage of this year', async () => {
    const { group, works, account } = await makeYears(
      { 2025: '99999.000', 2026: '1500.000' },
      { y2025: '4.000', y2026: '2.000' },
    )
    await net(group, HOURS_2025)
    await net(group, HOURS_2026)
    const { status, body, text } = await forecast(account)
    expect(status, text).toBe(200)
    // 19 days of 48 kWh are used; last year it was 96 a day.
    expect(body).toMatchObject({
      account_id: account,
      facility_id: works.id,
      year: 2026,
      limit_kwh: '1500.000',
      used_kwh: '912.000',
      remaining_kwh: '588.000',
      is_exhausted: false,
      forecast_from: '2026-11-20',
      basis: 'last_year_usage',
      compared_days: 19,
      compared_kwh: '912.000',
      compared_last_year_kwh: '1824.000',
      daily_rate_kwh: '48.000',
      run_out_date: '2026-12-02',
      expected_kwh: '2016.000',
      remaining_at_year_end_kwh: '0.000',
      shortfall_kwh: '1428.000',
      missing_days: 0,
      confidence: 'medium',
      notes: [],
    })
    expect(body.months).toEqual([
      { month: '2026-11-01', days: 11, last_year_kwh_per_day: '96.000', expected_kwh_per_day: '48.000' },
      { month: '2026-12-01', days: 31, last_year_kwh_per_day: '96.000', expected_kwh_per_day: '48.000' },
    ])
    expect(body.method).toContain('last year')
  })

  it('is based on the production of last year for a new account, and moves later with an adjustment', async () => {
    const { group, account } = await makeYears({ 2026: '1500.000' }, { y2025: '4.000', y2026: '2.000' })
    await net(group, HOURS_2026)
    expect((await forecast(account)).body).toMatchObject({
      basis: 'last_year_production',
      compared_last_year_kwh: '1824.000',
      run_out_date: '2026-12-02',
    })
    await api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: tenant.admin.token,
      body: { amount_kwh: '1428.001', reason: 'official document' },
    })
    expect((await forecast(account)).body).toMatchObject({
      limit_kwh: '2928.001',
      run_out_date: null,
      remaining_at_year_end_kwh: '0.001',
      shortfall_kwh: '0.000',
    })
  })

  it('counts production once for each hour, and no day of last year that lacks an hour', async () => {
    const { group, account } = await makeYears({ 2026: '1500.000' }, { y2025: '4.000', y2026: '2.000' })
    await net(group, HOURS_2026)
    const [plant] = group.facilities as [TestFacility]
    const hours = { facilityId: plant.id, role: 'pcc_import_export' } as const
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(HOURS_2025, hours, () => ({ export: '3.000' })),
    )
    await api.deps.database.pool.query(
      'delete from hourly_energy where tenant_id = $1 and facility_id = $2 and hour = $3',
      [tenant.id, plant.id, '2025-11-05T12:00:00+03:00'],
    )
    expect((await forecast(account)).body).toMatchObject({
      basis: 'last_year_production',
      compared_days: 18,
      compared_last_year_kwh: '1728.000',
    })
  })

  it('counts the days of the membership only', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production' },
        { role: 'consumption', limits: { 2026: '9999.000' }, validFrom: '2026-11-10' },
        { role: 'consumption', limits: { 2026: '9999.000' }, validTo: '2026-11-15' },
      ],
    })
    const [plant, late, early] = group.facilities as [TestFacility, TestFacility, TestFacility]
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(HOURS_2026, { facilityId: plant.id, role: 'main_production' }, () => ({
        production: '1.000',
      })),
      ...[late, early].flatMap(({ id }) =>
        hourlyFacts(HOURS_2026, { facilityId: id, role: 'main_consumption' }, () => ({
          consumption: '1.000',
        })),
      ),
    ])
    await net(group, HOURS_2026)
    // 24 kWh a day alone, and half of it on the five days with both.
    expect((await forecast(late.accounts[2026])).body).toMatchObject({
      ...{ used_kwh: '180.000', daily_rate_kwh: '18.000', missing_days: 0, forecast_from: '2026-11-20' },
    })
    expect((await forecast(early.accounts[2026])).body).toMatchObject({
      ...{ used_kwh: '276.000', daily_rate_kwh: '19.714', missing_days: 0, forecast_from: '2026-11-15' },
    })
    // A result that was superseded counts no more.
    await addFacts(api.deps, tenant, [
      {
        facilityId: plant.id,
        hour: '2026-11-19T12:00:00+03:00',
        role: 'main_production',
        production: '0.000',
      },
    ])
    await net(group, HOURS_2026)
    expect((await forecast(late.accounts[2026])).body.used_kwh).toBe('179.000')
  })

  it('is based on the current rate without a last year, and states the short basis', async () => {
    const { group, account } = await makeYears({ 2026: '1000.000' }, { y2026: '2.000' })
    await net(group, HOURS_2026)
    const { body } = await forecast(account)
    expect(body).toMatchObject({ basis: 'recent_average', run_out_date: '2026-11-21', confidence: 'medium' })
    expect(body.notes.join(' ')).toContain('seasons')
  })

  it('names the day on which a limit was exhausted', async () => {
    const { group, account } = await makeYears({ 2026: '100.000' }, { y2026: '2.000' })
    await net(group, HOURS_2026)
    expect((await forecast(account)).body).toMatchObject({
      is_exhausted: true,
      remaining_kwh: '0.000',
      run_out_date: '2026-11-03',
      used_kwh: '100.000',
    })
  })

  it('has no date for an unused account and for the account of next year', async () => {
    const { works, account } = await makeYears({ 2026: '100.000', 2027: '5.000' }, {})
    expect((await forecast(account)).body).toMatchObject({
      basis: 'none',
      run_out_date: null,
      daily_rate_kwh: null,
      forecast_from: '2026-11-20',
      remaining_at_year_end_kwh: '100.000',
    })
    expect((await forecast(works.accounts[2027])).body).toMatchObject({
      year: 2027,
      forecast_from: '2027-01-01',
    })
  })

  it('answers the account of another tenant like an unknown one', async () => {
    const { account } = await makeYears({ 2026: '100.000' }, {})
    const foreign = await forecast(account, foreignTenant.viewer.token)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await forecast(UNKNOWN)).text)
  })
})

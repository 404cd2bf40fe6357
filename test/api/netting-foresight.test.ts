import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, TestApi } from '../support/api.ts'
import { base, calculate, makePair, openSite, type Row, read } from '../support/calculation.ts'
import { addFacts } from '../support/energy.ts'
import { makeGroup, type TestGroup } from '../support/netting.ts'
import { makePriceSet } from '../support/prices.ts'
import type { TestTenant } from '../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let stranger: TestTenant
beforeAll(async () => {
  ;({ api, tenant, stranger } = await openSite())
})
afterAll(() => api.close())

const get = (path: string, token = tenant.viewer.token): Promise<Answer> => api.call('GET', path, { token })
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const compare = (group: Pick<TestGroup, 'id'>, period = '2026-11', token?: string): Promise<Answer> =>
  get(`${base(group)}/comparison?billing_period=${period}`, token)
const amount = (answer: Answer, type: string): Row =>
  answer.body.amounts.find((row: Row) => row['amount_type'] === type)

describe('hourly against monthly netting', () => {
  it('is told in kWh and lira, with the difference seen by the owner', async () => {
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

  it('says whether the stored results are the same, before and after a late fact', async () => {
    const { group, consumer } = await makePair('12.000', 456, (index) => [
      `${index % 7}.500`,
      `${index % 5}.250`,
    ])
    for (let from = 0; from < 456; from += 168) await calculate(group, from, Math.min(from + 168, 456))
    const { body } = await compare(group)
    expect(body.agrees_with_results).toBe(true)
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(body.hourly.skb_kwh).toBe(summary.skb_kwh)
    expect(amount({ body } as Answer, 'system_usage_fee_for_skb')['hourly_try']).toBe(
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

  it('neither writes nor books', async () => {
    const { group, account } = await makePair('5.000', 1, () => ['9.000', '1.000'])
    await compare(group)
    expect((await read(group, 'runs')).body).toEqual([])
    expect((await get(`/api/mahsuplasma/limits/accounts/${account}/movements`)).body).toHaveLength(1)
  })

  it('of homes says what hourly netting would have given', async () => {
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
    const answer = await compare(group)
    expect(answer.body).toMatchObject({
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
    expect(amount(answer, 'mesken_monthly_amount')).toMatchObject({
      counts_as: 'not_counted',
      hourly_try: '2.000000',
      monthly_try: '14.000000',
    })
  })

  it('of a month without a full hour is 422, without a month 422, of a stranger’s group 404', async () => {
    const { group } = await makePair('5.000', 1, () => ['9.000', '1.000'])
    const future = await compare(group, '2026-12')
    expect(future.status).toBe(422)
    expect(future.body.detail.error_code).toBe('BUSINESS_RULE_VIOLATION')
    expect((await get(`${base(group)}/comparison`)).status).toBe(422)
    expect((await compare(group, 'november')).status).toBe(422)
    const foreign = await compare(group, '2026-11', stranger.viewer.token)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await compare({ id: UNKNOWN })).text)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import {
  at,
  calculate,
  MONTH,
  makePair,
  movements,
  openSite,
  type Row,
  read,
  remaining,
} from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { addMember, makeFacility } from '../../support/netting/netting.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import type { TestTenant } from '../../support/tenants.ts'

const ORG_TYPES = {
  retail_or_zone_operator_id: 'zone_operator',
  distribution_company_id: 'distribution_company',
  grid_operator_id: 'grid_operator',
} as const

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

describe('calculation of one hour', () => {
  it('nets, prices and books the hour (worked check A)', async () => {
    const { group, consumer, account } = await makePair('100.000', 1, () => ['150.000', '60.000'])
    const response = await calculate(group, 0, 1)
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ hours_calculated: 1, noop_periods: [] })
    expect(response.body.warning_codes).toEqual(['SKB_LU_GROUP_DERIVED'])
    expect(response.body.warnings).toHaveLength(1)
    const [run] = response.body.runs
    expect(run).toMatchObject({
      group_id: group.id,
      billing_period: '2026-11-01',
      from_hour: at(0),
      to_hour: at(1),
      scenario: 'standard_hourly',
      triggered_by: 'manual',
      is_current: true,
      parent_run_id: null,
      status: 'completed',
    })
    expect(run.input_hash).toMatch(/^[0-9a-f]{64}$/)

    const hours = await read(group, 'hourly')
    expect(hours.headers.get('x-total-count')).toBe('1')
    expect(hours.body[0]).toMatchObject({
      group_id: group.id,
      hour: at(0),
      production_kwh: '150.000',
      consumption_kwh: '60.000',
      matched_kwh: '60.000',
      surplus_kwh: '90.000',
      net_import_kwh: '0.000',
      bedelli_kwh: '40.000',
      skb_kwh: '50.000',
      bedelsiz_kwh: '0.000',
      matched_over_limit_kwh: '0.000',
      limit_before_kwh: '100.000',
      limit_used_kwh: '100.000',
      limit_after_kwh: '0.000',
      mesken_informational: false,
      data_quality: 'complete',
      is_current: true,
      calculation_run_id: run.id,
    })

    const meters = await read(group, 'virtual-meters')
    expect(
      meters.body.map((row: Row) => [row['virtual_meter_type'], row['reason_code'], row['energy_kwh']]),
    ).toEqual([
      ['bedelli', 'standard_matched', '40.000'],
      ['skb_odemeli', 'limit_exceeded', '50.000'],
    ])
    expect(meters.body[0]).toMatchObject({ source_kind: 'solar', grid_operator_id: null, hour: at(0) })

    const amounts = await read(group, 'amounts')
    const byType = Object.fromEntries(amounts.body.map((row: Row) => [row['amount_type'], row]))
    expect(byType['supplier_payment_for_matched_consumption']).toMatchObject({
      facility_id: consumer.id,
      quantity_kwh: '60.000',
      unit_price_try_per_kwh: '2.985253',
      amount_try: '179.115180',
    })
    expect(byType['producer_payment_for_bedelli_surplus']).toMatchObject({
      facility_id: null,
      quantity_kwh: '40.000',
      unit_price_try_per_kwh: '2.909687',
      amount_try: '116.387480',
      source_kind: 'solar',
    })
    expect(byType['system_usage_fee_for_skb']).toMatchObject({
      quantity_kwh: '50.000',
      unit_price_try_per_kwh: '0.656008',
      amount_try: '32.800400',
    })
    expect(await movements(account)).toEqual([
      'initial 0.000',
      'mahsuplasan_consumption -60.000',
      'bedelli_ihtiyac_fazlasi -40.000',
    ])
    expect(await remaining(account)).toBe('0.000')

    const [summary] = (await read(group, 'monthly-summary')).body
    expect(summary).toMatchObject({
      billing_period: '2026-11-01',
      scenario: 'standard_hourly',
      production_kwh: '150.000',
      matched_kwh: '60.000',
      bedelli_kwh: '40.000',
      skb_kwh: '50.000',
      limit_opening_kwh: '100.000',
      limit_used_kwh: '100.000',
      limit_closing_kwh: '0.000',
      hours_expected: 720,
      hours_calculated: 1,
      completeness_pct: 0.14,
      data_quality: 'complete',
      run_ids: [run.id],
      calculation_run_id: run.id,
      is_current: true,
    })
    expect(summary.amounts_try).toMatchObject({
      producer_payment_for_bedelli_surplus: '116.387480',
      mesken_monthly_amount: null,
    })
    expect(summary.price_gaps).toMatchObject({ system_usage_fee_for_skb: 0 })
  })

  it('counts the whole surplus as skb without an account, and warns', async () => {
    const { group } = await makePair(undefined, 1, () => ['100.000', '60.000'])
    const response = await calculate(group, 0, 1)
    expect(response.body.warning_codes).toContain('LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB')
    const [hour] = (await read(group, 'hourly')).body
    expect(hour).toMatchObject({
      matched_kwh: '60.000',
      skb_kwh: '40.000',
      limit_before_kwh: null,
      limit_used_kwh: null,
      limit_after_kwh: null,
    })
  })
})

describe('the grid operator of a virtual meter', () => {
  const COLUMNS = ['retail_or_zone_operator_id', 'distribution_company_id', 'grid_operator_id'] as const

  it.each([
    ['zone operator, then', COLUMNS],
    ['distribution company, then', COLUMNS.slice(1)],
    ['grid operator alone', COLUMNS.slice(2)],
  ] as const)('is the %s, of the operators that the facility has', async (_, columns) => {
    const { group, producer } = await makePair('100.000', 1, () => ['150.000', '60.000'])
    const { kysely } = api.deps.database
    const organizations = await kysely
      .insertInto('organization')
      .values(
        columns.map((column) => ({ tenant_id: tenant.id, org_type: ORG_TYPES[column], name: randomUUID() })),
      )
      .returning('id')
      .execute()
    const operators = columns.map((column, index) => [column, organizations[index]?.id])
    await kysely
      .updateTable('facility')
      .set(Object.fromEntries(operators))
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', producer.id)
      .execute()
    expect((await calculate(group, 0, 1)).status).toBe(201)
    const meters = (await read(group, 'virtual-meters')).body
    const operator = organizations[0]?.id
    expect(meters.map((row: Row) => row['grid_operator_id'])).toEqual([operator, operator])
  })
})

describe('a repeated calculation', () => {
  it('is a no-op without new movements while the input is unchanged', async () => {
    const { group, account } = await makePair('1000.000', 48, (index) => [`${index}.500`, '10.000'])
    await calculate(group, 0, 48)
    const before = await movements(account)
    for (const [from, to] of [
      [0, 48],
      [5, 6],
      [0, 1],
    ] as const) {
      const again = await calculate(group, from, to)
      expect(again.status).toBe(201)
      expect(again.body).toMatchObject({ runs: [], hours_calculated: 0, noop_periods: ['2026-11-01'] })
    }
    expect(await movements(account)).toEqual(before)
    expect((await read(group, 'runs')).body).toHaveLength(1)
    expect((await read(group, 'monthly-summary?include_history=true')).body).toHaveLength(1)
  })

  it('supersedes the old run: its rows stay as history, its ledger movements are reversed', async () => {
    const { group, consumer, account } = await makePair('100.000', 2, () => ['30.000', '10.000'])
    const first = (await calculate(group, 0, 2)).body.runs[0]
    expect(await remaining(account)).toBe('40.000')
    await addFacts(api.deps, tenant, [
      { facilityId: consumer.id, hour: at(1), role: 'main_consumption', consumption: '15.000' },
    ])
    const second = (await calculate(group, 1, 2)).body
    expect(second.hours_calculated).toBe(2)
    expect(second.runs[0]).toMatchObject({ from_hour: at(0), to_hour: at(2), is_current: true })
    expect(await movements(account)).toEqual([
      'initial 0.000',
      'mahsuplasan_consumption -20.000',
      'bedelli_ihtiyac_fazlasi -40.000',
      'correction_reversal 60.000',
      'mahsuplasan_consumption -25.000',
      'bedelli_ihtiyac_fazlasi -35.000',
    ])
    expect(await remaining(account)).toBe('40.000')

    const runs = (await read(group, 'runs')).body
    expect(runs).toHaveLength(2)
    expect(runs.find((run: Row) => run['id'] === first.id)).toMatchObject({
      is_current: false,
      status: 'superseded',
    })
    for (const [what, current, all] of [
      ['hourly', 2, 4],
      ['virtual-meters', 2, 4],
      ['monthly-summary', 1, 2],
    ] as const) {
      expect((await read(group, what)).body).toHaveLength(current)
      const history = (await read(group, `${what}?include_history=true`)).body
      expect(history).toHaveLength(all)
      expect(history.filter((row: Row) => row['calculation_run_id'] === first.id)).toHaveLength(all - current)
    }
  })

  it('runs again when the limit was adjusted', async () => {
    const { group, account } = await makePair('10.000', 3, () => ['30.000', '10.000'])
    await calculate(group, 0, 3)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ bedelli_kwh: '0.000', skb_kwh: '20.000' })
    const adjusted = await api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: tenant.admin.token,
      body: { amount_kwh: 1000, reason: 'official correction' },
    })
    expect(adjusted.status).toBe(201)
    expect((await calculate(group, 0, 3)).body.hours_calculated).toBe(3)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ bedelli_kwh: '20.000', skb_kwh: '0.000' })
    expect(await remaining(account)).toBe('920.000')
  })

  it('counts an account below zero as zero in the limit columns of the group', async () => {
    const { group, account } = await makePair('10.000', 2, () => ['30.000', '10.000'])
    const second = await makeFacility(api.deps, tenant, {
      limits: { 2026: '25.000' },
      meters: ['main_consumption'],
    })
    await addMember(api.deps, tenant, { groupId: group.id, facilityId: second.id, role: 'consumption' })
    const range = { from: MONTH, to: MONTH + 2 * HOUR_MS }
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(range, { facilityId: second.id, role: 'main_consumption' }, () => ({
        consumption: '0.000',
      })),
    )
    const adjusted = await api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: tenant.admin.token,
      body: { amount_kwh: '-50.000', reason: 'official correction' },
    })
    expect(adjusted.status).toBe(201)
    expect((await calculate(group, 0, 2)).status).toBe(201)
    const hours = (await read(group, 'hourly')).body
    const columns = ['bedelli_kwh', 'skb_kwh', 'limit_before_kwh', 'limit_used_kwh', 'limit_after_kwh']
    expect(hours.map((row: Row) => columns.map((column) => row[column]))).toEqual([
      ['20.000', '0.000', '25.000', '20.000', '5.000'],
      ['5.000', '15.000', '5.000', '5.000', '0.000'],
    ])
    expect((await read(group, 'monthly-summary')).body[0]).toMatchObject({
      limit_opening_kwh: '25.000',
      limit_used_kwh: '25.000',
      limit_closing_kwh: '0.000',
    })
    const dashboard = await read(group, 'dashboard-summary?period=2026-11-01')
    expect(dashboard.body.bedelli_limit_kalan_kwh).toBe('0.000')
    expect([await remaining(account), await remaining(second.accounts[2026])]).toEqual(['-40.000', '0.000'])
  })
})

describe('a newly approved price', () => {
  it('changes the input hash and the amounts', async () => {
    const { group } = await makePair('100.000', 1, () => ['30.000', '10.000'])
    await calculate(group, 0, 1)
    const supplier = async () =>
      (await read(group, 'amounts')).body.find(
        (row: Row) => row['amount_type'] === 'supplier_payment_for_matched_consumption',
      )
    expect((await supplier()).amount_try).toBe('29.852530')
    await makePriceSet(api.deps, '2026-11-01', [{ purpose: 'mahsuplasma_related_tariff', price: '3.100000' }])
    expect((await calculate(group, 0, 1)).body.hours_calculated).toBe(1)
    expect((await supplier()).amount_try).toBe('31.000000')
    expect((await read(group, 'amounts?include_history=true')).body.length).toBeGreaterThan(3)
  })
})

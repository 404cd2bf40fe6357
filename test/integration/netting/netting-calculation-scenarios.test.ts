import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  at,
  base,
  calculate,
  MONTH,
  makePair,
  openSite,
  type Row,
  read,
  remaining,
} from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

describe('calculation scenarios', () => {
  it('homes are netted by month, without a limit, from their first hour', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'mixed', aboneGrubu: 'mesken' },
        { role: 'consumption', aboneGrubu: 'mesken' },
      ],
    })
    const [roof, home] = group.facilities as [TestFacility, TestFacility]
    const range = { from: MONTH, to: MONTH + 48 * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: roof.id, role: 'main_production' }, (index) => ({
        production: index < 24 ? '5.000' : '0.000',
      })),
      ...hourlyFacts(range, { facilityId: roof.id, role: 'pcc_import_export' }, (index) => ({
        import: index < 24 ? '0.000' : '1.000',
        export: index < 24 ? '4.000' : '0.000',
      })),
      ...hourlyFacts(range, { facilityId: home.id, role: 'main_consumption' }, (index) => ({
        consumption: index < 24 ? '0.500' : '1.000',
      })),
    ])
    const response = await calculate(group, 30, 31)
    expect(response.body.runs[0]).toMatchObject({
      scenario: 'mesken_monthly',
      from_hour: at(0),
      to_hour: at(Math.floor((api.clock.now() - MONTH) / HOUR_MS)),
    })
    const hours = (await read(group, 'hourly')).body
    expect(hours[0]).toMatchObject({
      mesken_informational: true,
      production_kwh: '5.000',
      matched_kwh: '1.500',
      bedelli_kwh: '3.500',
      limit_before_kwh: null,
    })
    const [summary] = (await read(group, 'monthly-summary')).body
    // The month: 120 produced, 48 and 36 consumed. Hourly netting would match only 36.
    expect(summary).toMatchObject({
      scenario: 'mesken_monthly',
      production_kwh: '120.000',
      consumption_kwh: '84.000',
      matched_kwh: '84.000',
      surplus_kwh: '36.000',
      bedelli_kwh: '36.000',
      net_import_kwh: '0.000',
      limit_opening_kwh: null,
    })
    const meters = (await read(group, 'virtual-meters')).body
    expect(meters).toHaveLength(1)
    expect(meters[0]).toMatchObject({
      hour: at(0),
      virtual_meter_type: 'bedelli',
      reason_code: 'mesken_monthly',
      energy_kwh: '36.000',
    })
    expect((await calculate(group, 40, 41)).body.noop_periods).toEqual(['2026-11-01'])
  })

  it('a blocked group nets nothing: its production is free and its usage is booked back', async () => {
    const { group, account } = await makePair('100.000', 2, () => ['30.000', '10.000'])
    await calculate(group, 0, 2)
    const block = (status: string) =>
      api.deps.database.kysely
        .updateTable('netting_group')
        .set({ eligibility_status: status })
        .where('id', '=', group.id)
        .execute()
    await block('blocked')
    const response = await calculate(group, 0, 2)
    expect(response.body.runs[0]).toMatchObject({ scenario: 'invalid_group_bedelsiz' })
    expect(response.body.warning_codes).toContain('GROUP_BLOCKED_BEDELSIZ')
    expect((await read(group, 'hourly')).body[0]).toMatchObject({
      matched_kwh: '0.000',
      bedelsiz_kwh: '30.000',
      limit_used_kwh: '0.000',
    })
    const amounts = (await read(group, 'amounts')).body
    expect(amounts.map((row: Row) => row['amount_type'])).toEqual([
      'estimated_loss_or_risk',
      'estimated_loss_or_risk',
    ])
    expect(await remaining(account)).toBe('100.000')
    await block('valid')
    await calculate(group, 0, 2)
    expect(await remaining(account)).toBe('40.000')
  })

  it('missing prices give rows with quantities only, which the summary counts', async () => {
    const empty = await startApi({ now: '2026-11-20T09:30:00Z' })
    try {
      const own = await createTenant(empty)
      const group = await makeGroup(empty.deps, own, {
        members: [{ role: 'production' }, { role: 'consumption' }],
      })
      const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
      await addFacts(empty.deps, own, [
        { facilityId: producer.id, hour: at(0), role: 'main_production', production: '5' },
        { facilityId: consumer.id, hour: at(0), role: 'main_consumption', consumption: '2' },
      ])
      const token = own.admin.token
      const response = await empty.call('POST', `${base(group)}/calculate`, {
        token,
        body: { from_hour: at(0), to_hour: at(1) },
      })
      expect(response.body.warning_codes).toContain('SKB_PRICE_UNRESOLVED_QUANTITY_ONLY')
      const amounts = await empty.call('GET', `${base(group)}/amounts`, { token })
      expect(amounts.body).toMatchObject([
        {
          amount_type: 'system_usage_fee_for_skb',
          quantity_kwh: '3.000',
          unit_price_try_per_kwh: null,
          amount_try: null,
          tariff_price_id: null,
        },
      ])
      const [summary] = (await empty.call('GET', `${base(group)}/monthly-summary`, { token })).body
      expect(summary.price_gaps.system_usage_fee_for_skb).toBe(1)
      expect(summary.amounts_try.system_usage_fee_for_skb).toBeNull()
    } finally {
      await empty.close()
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reevaluateBlockedByTariff } from '../../../src/areas/netting/index.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import type { TestApi } from '../../support/api.ts'
import { calculate, MONTH, makePair, openSite } from '../../support/netting/calculation.ts'
import { breakPeriod } from '../../support/netting/corrections.ts'
import { type EligibilityFixture, startEligibility } from '../../support/netting/eligibility.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe('alarms of an eligibility evaluation', () => {
  let bench: EligibilityFixture
  beforeAll(async () => {
    bench = await startEligibility()
  })
  afterAll(() => bench.close())

  it('open for each failed rule and close when a tariff is approved', async () => {
    const { api, ownTenant } = bench
    const group = await bench.readyGroup()
    for (const group_status of ['ek1_submitted', 'grid_operator_confirmed']) {
      await bench.admin.patch(`/groups/${group.id}`, { group_status })
    }
    await bench.evaluate(group.id)
    const open = () => openPolicies(api.deps, ownTenant, group.id)
    expect(await open()).toEqual(['netting_group_blocked', 'netting_rule_R00T'])
    await bench.evaluate(group.id)

    const found = await incidents(api.deps, ownTenant, group.id)
    expect(found).toHaveLength(2)
    const rule = found.find(({ policy }) => policy === 'netting_rule_R00T')
    const { body } = await bench.admin.get(`/groups/${group.id}`)
    const { body: scopes } = await bench.admin.get('/scopes?limit=500')
    const { name } = scopes.find((scope: { id: string }) => scope.id === body.scope_id)
    expect(rule).toMatchObject({
      cause: `group:${group.id}`,
      device_id: null,
      severity: 'critical',
      message: `${body.name}: No approved price of sanayi for 2026-11: Mill.`,
      payload: {
        group_id: group.id,
        group_name: body.name,
        facility_id: null,
        facility_name: null,
        rule_code: 'R00T',
        scopes: [{ id: body.scope_id, name }],
        details: { reason_code: 'TARIFF_NOT_APPROVED', billing_period: '2026-11-01' },
      },
    })
    expect(await trail(api.deps, rule?.id)).toEqual(['raised'])

    await bench.approvePrices()
    await reevaluateBlockedByTariff(api.deps)
    expect(await open()).toEqual([])
    expect(await trail(api.deps, rule?.id)).toEqual(['raised', 'closed'])
  })

  it('have a lower severity for an informative rule than for a blocking one', async () => {
    const { api, ownTenant } = bench
    await bench.approvePrices()
    const group = await bench.readyGroup([
      { role: 'production', name: 'Roof' },
      { role: 'consumption', name: 'Mill', meters: [], limits: { 2026: '10.000' } },
    ])
    await bench.evaluate(group.id)
    const found = await incidents(api.deps, ownTenant, group.id)
    expect(found.map(({ policy, severity }) => [policy, severity])).toEqual([
      ['netting_rule_R013', 'warning'],
    ])
  })

  it('close when the group becomes inactive', async () => {
    const { api, ownTenant, admin } = bench
    const group = await bench.readyGroup([{ role: 'consumption', name: 'Mill' }])
    await bench.evaluate(group.id)
    expect(await openPolicies(api.deps, ownTenant, group.id)).toContain('netting_rule_R002')
    await admin.patch(`/groups/${group.id}`, { is_active: false })
    expect(await openPolicies(api.deps, ownTenant, group.id)).toEqual([])
  })
})

describe('alarms of a calculation', () => {
  let api: TestApi
  let tenant: TestTenant
  beforeAll(async () => {
    ;({ api, tenant } = await openSite())
  })
  afterAll(() => api.close())
  const open = (id: string) => openPolicies(api.deps, tenant, id)
  const post = (path: string, body: object) =>
    api.call('POST', `/api/mahsuplasma/limits/accounts${path}`, { token: tenant.admin.token, body })

  it('open when a limit is low and when it is exhausted, and close after an adjustment', async () => {
    const { group, consumer, account } = await makePair('100.000', 5, () => ['31.000', '10.000'])
    await calculate(group, 0, 2)
    expect(await open(consumer.id)).toEqual([])
    await calculate(group, 2, 3)
    expect(await open(consumer.id)).toEqual(['netting_limit_low'])
    await calculate(group, 3, 5)
    expect(await open(consumer.id)).toEqual(['netting_limit_exhausted'])
    const messages = await incidents(api.deps, tenant, consumer.id)
    expect(messages[0]).toMatchObject({
      policy: 'netting_limit_low',
      status: 'closed',
      last_value: '7.000000',
      message: `${consumer.name}: 7.000 kWh, less than 10 %, are left of the limit for 2026`,
      payload: { facility_id: consumer.id, facility_name: consumer.name, group_id: null, scopes: [] },
    })

    const adjusted = await post(`/${account}/adjust`, { amount_kwh: '500.000', reason: 'official document' })
    expect(adjusted.status).toBe(201)
    expect(await open(consumer.id)).toEqual([])
  })

  it('open for a consumer without a limit account and close when it has one', async () => {
    const { group, consumer } = await makePair(undefined, 3, () => ['31.000', '10.000'])
    await calculate(group, 0, 3)
    expect(await open(consumer.id)).toEqual(['netting_limit_account_missing'])
    const account = {
      facility_id: consumer.id,
      year: 2026,
      initial_limit_kwh: '90.000',
      limit_source: 'manual',
    }
    expect((await post('', account)).status).toBe(201)
    expect(await open(consumer.id)).toEqual([])
  })

  it('open for a period whose amounts lack a price and close when it is calculated with one', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production' },
        { role: 'consumption', aboneGrubu: 'tarimsal_sulama', limits: { 2026: '1000.000' } },
      ],
    })
    const range = { from: MONTH, to: MONTH + 3 * 3_600_000 }
    const [producer, consumer] = group.facilities
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: producer?.id ?? '', role: 'main_production' }, () => ({
        production: '5.000',
      })),
      ...hourlyFacts(range, { facilityId: consumer?.id ?? '', role: 'main_consumption' }, () => ({
        consumption: '9.000',
      })),
    ])
    await calculate(group, 0, 3)
    expect(await open(group.id)).toEqual(['netting_tariff_missing'])
    const [incident] = await incidents(api.deps, tenant, group.id)
    expect(incident).toMatchObject({
      cause: `group:${group.id}|2026-11-01`,
      payload: {
        details: {
          billing_period: '2026-11-01',
          warning_codes: ['SUPPLIER_PRICE_UNRESOLVED', 'TARIFF_NONE_RESOLVED'],
        },
      },
    })
    const irrigation = INDUSTRIAL_PRICES.map((row) => ({ ...row, aboneGrubu: 'tarimsal_sulama' as const }))
    await makePriceSet(api.deps, '2026-11-01', irrigation)
    await calculate(group, 0, 3)
    expect(await open(group.id)).toEqual([])
  })

  it('open for unpaid production while the consumption of all members is unknown', async () => {
    const { group, consumer } = await makePair('9000.000', 0, () => ['0', '0'])
    const [producer] = group.facilities
    const range = { from: MONTH, to: MONTH + 30 * 3_600_000 }
    const produced = { facilityId: producer?.id ?? '', role: 'main_production' as const }
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(range, produced, () => ({ production: '5.000' })),
    )
    await calculate(group, 0, 20)
    expect(await open(group.id)).toEqual([])
    await calculate(group, 20, 30)
    expect(await open(group.id)).toEqual(['netting_bedelsiz_risk'])
    expect((await incidents(api.deps, tenant, group.id))[0]).toMatchObject({ last_value: '150.000000' })

    const consumed = { facilityId: consumer.id, role: 'main_consumption' as const }
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(range, consumed, () => ({ consumption: '9.000' })),
    )
    await calculate(group, 0, 30)
    expect(await open(group.id)).toEqual([])
  })

  it('open for a failed calculation and close with the next one; a rejected request opens none', async () => {
    const { group } = await makePair('1000.000', 3, () => ['1.000', '1.000'])
    const repair = await breakPeriod(api.deps, '2026-11-01')
    expect((await calculate(group, 0, 3)).status).toBe(500)
    expect((await calculate(group, 0, 3)).status).toBe(500)
    await repair()
    const found = await incidents(api.deps, tenant, group.id)
    expect(found).toMatchObject([
      {
        policy: 'netting_calculation_failed',
        status: 'active',
        cause: `group:${group.id}|2026-11-01`,
        message: expect.stringMatching(
          /: the calculation of 2026-11-01 failed; the log of the service says why$/,
        ),
      },
    ])
    expect((await calculate(group, 0, 3)).status).toBe(201)
    expect(await open(group.id)).toEqual([])
    expect((await calculate(group, 3, 0)).status).toBe(422)
    expect(await incidents(api.deps, tenant, group.id)).toHaveLength(1)
  })
})

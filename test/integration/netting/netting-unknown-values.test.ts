import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import {
  at,
  calculate,
  MONTH,
  makePair,
  openSite,
  type Row,
  read,
} from '../../support/netting/calculation.ts'
import { correct } from '../../support/netting/corrections.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

const FIGURES = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'surplus_kwh',
  'net_import_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
]
const figures = (row: Row) => FIGURES.map((name) => row[name])
const UNKNOWN = FIGURES.map(() => null)

describe('unknown values', () => {
  it('are null for a group without readings, with a warning and completeness 0', async () => {
    const { group } = await makePair('100.000', 0, () => ['0', '0'])
    const response = await calculate(group, 0, 24)
    expect(response.status).toBe(201)
    expect(response.body.warning_codes).toContain('MEMBER_VALUES_MISSING')
    const rows = (await read(group, 'hourly')).body
    expect(rows).toHaveLength(24)
    for (const row of rows) {
      expect(figures(row)).toEqual(UNKNOWN)
      expect(row).toMatchObject({ matched_over_limit_kwh: null, data_quality: 'missing' })
    }
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(figures(summary)).toEqual(UNKNOWN)
    expect(summary).toMatchObject({
      hours_expected: 720,
      hours_calculated: 24,
      completeness_pct: 0,
      data_quality: 'missing',
    })
    const dashboard = (await read(group, 'dashboard-summary?period=2026-11')).body
    expect(dashboard).toMatchObject({
      has_data: true,
      toplam_uretim_kwh: null,
      toplam_tuketim_kwh: null,
      mahsuplasan_tuketim_kwh: null,
      bedelli_fazla_kwh: null,
      skb_kwh: null,
      bedelsiz_kwh: null,
      bedelsiz_risk_try: null,
    })
    const compared = (await read(group, 'comparison?billing_period=2026-11-01')).body
    expect(compared.hourly).toMatchObject({ production_kwh: null, consumption_kwh: null, matched_kwh: null })
    expect(compared.monthly).toMatchObject({ production_kwh: null, consumption_kwh: null, matched_kwh: null })
    expect(compared.difference).toMatchObject({ production_kwh: null, matched_kwh: null })
  })

  it('of the consumption leave the production free and the draw unknown', async () => {
    const { group, producer } = await makePair('100.000', 0, () => ['0', '0'])
    const fact = { facilityId: producer.id, role: 'main_production' } as const
    await addFacts(api.deps, tenant, [{ ...fact, hour: MONTH, production: '5.000' }])
    const response = await calculate(group, 0, 1)
    expect(response.body.warnings.filter((text: string) => text.includes('consumption'))).toHaveLength(1)
    const [row] = (await read(group, 'hourly')).body
    expect(figures(row)).toEqual(['5.000', null, '0.000', '5.000', null, '0.000', '0.000', '5.000'])
  })

  it('of the production leave everything but the consumption unknown', async () => {
    const { group, consumer, account } = await makePair('100.000', 0, () => ['0', '0'])
    const fact = { facilityId: consumer.id, role: 'main_consumption' } as const
    await addFacts(api.deps, tenant, [{ ...fact, hour: MONTH, consumption: '7.000' }])
    await calculate(group, 0, 1)
    const [row] = (await read(group, 'hourly')).body
    expect(figures(row)).toEqual([null, '7.000', null, null, null, null, null, null])
    expect(row).toMatchObject({
      limit_before_kwh: '100.000',
      limit_used_kwh: '0.000',
      limit_after_kwh: '100.000',
    })
    expect(account).toBeDefined()
  })

  it('of some hours are not in the sums of the month, and lower its completeness', async () => {
    const { group } = await makePair('100.000', 2, () => ['3.000', '2.000'])
    await calculate(group, 0, 4)
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(summary).toMatchObject({
      production_kwh: '6.000',
      consumption_kwh: '4.000',
      matched_kwh: '4.000',
      hours_calculated: 4,
      completeness_pct: 0.28,
      data_quality: 'missing',
    })
  })

  it('of a residential month are null', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', aboneGrubu: 'mesken' }],
    })
    expect((await calculate(group, 0, 24)).status).toBe(201)
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(figures(summary)).toEqual(UNKNOWN)
    const dashboard = (await read(group, 'dashboard-summary?period=2026-11')).body
    expect(dashboard.mesken_month).toMatchObject({ matched_kwh: null, bedelli_kwh: null, bedelsiz_kwh: null })
  })
})

describe('a window without members', () => {
  const refusal = (response: { status: number; body: { detail: { error_code: string } } }) => [
    response.status,
    response.body.detail.error_code,
  ]

  it('is refused for a group that has none, and for the time before the first one', async () => {
    const empty = await makeGroup(api.deps, tenant, { members: [] })
    expect(refusal(await calculate(empty, 0, 24))).toEqual([422, 'NO_ACTIVE_MEMBERS'])
    const late = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production', validFrom: '2026-11-10' },
        { role: 'consumption', validFrom: '2026-11-10' },
      ],
    })
    expect(refusal(await calculate(late, 0, 24))).toEqual([422, 'NO_ACTIVE_MEMBERS'])
    const correction = await correct(api, tenant, late, { billing_period: '2026-09-01' })
    expect(refusal(correction)).toEqual([422, 'NO_ACTIVE_MEMBERS'])
    for (const group of [empty, late]) {
      expect((await read(group, 'runs')).body).toEqual([])
      expect((await read(group, 'hourly')).body).toEqual([])
      expect((await read(group, 'monthly-summary')).body).toEqual([])
    }
  })

  it('has no row and a warning before the first member, and expects only hours with members', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production', validFrom: '2026-11-02' },
        { role: 'consumption', validFrom: '2026-11-02', limits: { 2026: '100.000' } },
      ],
    })
    const [producer, consumer] = group.facilities
    if (!producer || !consumer) throw new Error('the group has two members')
    const range = { from: at(0), to: at(48) }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({
        production: '2.000',
      })),
      ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
        consumption: '1.000',
      })),
    ])
    const response = await calculate(group, 22, 26)
    expect(response.status).toBe(201)
    expect(response.body.warning_codes).toContain('HOURS_WITHOUT_MEMBERS')
    const rows = (await read(group, 'hourly')).body
    expect(rows.map((row: Row) => [row['hour'], row['production_kwh'], row['consumption_kwh']])).toEqual([
      [at(24), '2.000', '1.000'],
      [at(25), '2.000', '1.000'],
    ])
    const [summary] = (await read(group, 'monthly-summary')).body
    expect(summary).toMatchObject({
      hours_expected: 696,
      hours_calculated: 2,
      completeness_pct: 0.29,
      data_quality: 'complete',
      production_kwh: '4.000',
    })
  })
})

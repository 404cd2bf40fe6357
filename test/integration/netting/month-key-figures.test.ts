import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../../../src/core/netting/types.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { addFacts, type FactSpec, hourlyFacts } from '../../support/netting/energy.ts'
import {
  addMember,
  type MemberSpec,
  makeAccount,
  makeFacility,
  makeGroup,
  type TestGroup,
} from '../../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MONTH = Date.parse('2026-11-01T00:00:00+03:00')
const at = (hours: number): string => new Date(MONTH + hours * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreignTenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
})
afterAll(() => api.close())

const dashboard = (
  group: Pick<TestGroup, 'id'>,
  query = '',
  token = tenant.viewer.token,
): Promise<ApiResponse> =>
  api.call('GET', `/api/mahsuplasma/groups/${group.id}/dashboard-summary${query}`, { token })

const calculate = async (group: Pick<TestGroup, 'id'>, from: number, to: number) => {
  const response = await api.call('POST', `/api/mahsuplasma/groups/${group.id}/calculate`, {
    token: tenant.admin.token,
    body: { from_hour: at(from), to_hour: at(to) },
  })
  expect(response.status, response.text).toBe(201)
  return response.body
}

/**
 * Members with hourly values from the start of the month, in kWh: production of a producer, consumption of a
 * consumer.
 */
async function makeNetted(members: readonly (MemberSpec & { values: readonly string[] })[]) {
  const group = await makeGroup(api.deps, tenant, { members })
  const facts = group.facilities.flatMap((facility, index): FactSpec[] => {
    const { role, values } = members[index] as (typeof members)[number]
    const range = { from: MONTH, to: MONTH + values.length * HOUR_MS }
    const meter = role === 'production' ? 'main_production' : 'main_consumption'
    return hourlyFacts(range, { facilityId: facility.id, role: meter }, (index) =>
      role === 'production'
        ? { production: values[index] as string }
        : { consumption: values[index] as string },
    )
  })
  await addFacts(api.deps, tenant, facts)
  return group
}

const block = (group: TestGroup) =>
  api.deps.database.pool.query(`update netting_group set eligibility_status = 'blocked' where id = $1`, [
    group.id,
  ])

const NO_KWH = {
  mahsuplasan_tuketim_kwh: null,
  bedelli_fazla_kwh: null,
  skb_kwh: null,
  bedelsiz_kwh: null,
  toplam_uretim_kwh: null,
  toplam_tuketim_kwh: null,
  mahsuplasan_tuketim_try: null,
  bedelli_fazla_gelir_try: null,
  skb_bedel_try: null,
  bedelsiz_risk_try: null,
  bedelsiz_risk_tariff_price_id: null,
}

describe('dashboard of a calculated month', () => {
  it('sums energy, money, limit and quality, and shows the last run', async () => {
    const group = await makeNetted([
      { role: 'production', values: ['150.000', '10.000'] },
      { role: 'consumption', values: ['60.000', '30.500'], limits: { 2026: '100.000', 2025: '7.000' } },
    ])
    await calculate(group, 0, 1)
    api.clock.advance(1000)
    const { runs } = await calculate(group, 1, 2)
    const response = await dashboard(group)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      group_id: group.id,
      period: '2026-11-01',
      has_data: true,
      toplam_uretim_kwh: '160.000',
      toplam_tuketim_kwh: '90.500',
      mahsuplasan_tuketim_kwh: '70.000',
      mahsuplasan_tuketim_try: '208.967710',
      bedelli_fazla_kwh: '40.000',
      bedelli_fazla_gelir_try: '116.387480',
      skb_kwh: '50.000',
      skb_bedel_try: '32.800400',
      bedelsiz_kwh: '0.000',
      bedelsiz_risk_try: '0.000000',
      bedelsiz_risk_tariff_price_id: null,
      bedelli_limit_kalan_kwh: '0.000',
      veri_kalitesi_pct: null,
      mesken_informational: false,
      mesken_month: null,
      last_run: expect.objectContaining({ id: runs[0].id, is_current: true, billing_period: '2026-11-01' }),
      ...{ stale: false, stale_hours: 0, stale_ranges: [], stale_reasons: [], stale_since: null },
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
  })

  it('counts current rows only, and shows the latest started run of all', async () => {
    const group = await makeNetted([
      { role: 'production', values: ['10.000'] },
      { role: 'consumption', values: ['4.000'], limits: { 2026: '100.000' } },
    ])
    await calculate(group, 0, 1)
    await addFacts(api.deps, tenant, [
      {
        facilityId: group.facilities[1]?.id ?? '',
        hour: at(0),
        role: 'main_consumption',
        consumption: '5.000',
      },
    ])
    api.clock.advance(60_000)
    const { runs } = await calculate(group, 0, 1)
    const { body } = await dashboard(group, '?period=2026-11-20')
    expect(body).toMatchObject({ mahsuplasan_tuketim_kwh: '5.000', bedelli_limit_kalan_kwh: '90.000' })
    expect(body.last_run.id).toBe(runs[0].id)
  })

  it('excludes rows without prices from the money, warns, and returns null when nothing has a price', async () => {
    const values = ['5.000']
    const group = await makeNetted([
      { role: 'production', sourceType: 'cogeneration', values: ['8.000'] },
      { role: 'consumption', aboneGrubu: 'tarimsal_sulama', values },
    ])
    await calculate(group, 0, 1)
    const { body } = await dashboard(group)
    expect(body).toMatchObject({
      mahsuplasan_tuketim_kwh: '5.000',
      mahsuplasan_tuketim_try: null,
      skb_kwh: '3.000',
      skb_bedel_try: null,
      bedelli_fazla_gelir_try: null,
      bedelli_limit_kalan_kwh: null,
      warning_codes: ['SKB_PRICE_UNRESOLVED_QUANTITY_ONLY'],
    })
    expect(body.warnings).toHaveLength(1)
  })
})

describe('free energy at risk', () => {
  it('is valued at the lowest related tariff, with the id of the price', async () => {
    const group = await makeNetted([
      { role: 'production', values: ['0.001', '0.001', '10.000'] },
      { role: 'consumption', values: ['1.000', '1.000', '1.000'] },
    ])
    await block(group)
    await calculate(group, 0, 3)
    const { rows } = await api.deps.database.pool.query(
      `select id from tariff_price where price_purpose = 'mahsuplasma_lowest_related_tariff'`,
    )
    const { body } = await dashboard(group)
    expect(body).toMatchObject({
      bedelsiz_kwh: '10.002',
      bedelsiz_risk_try: '29.102689',
      bedelsiz_risk_tariff_price_id: rows[0].id,
      mahsuplasan_tuketim_kwh: '0.000',
      warning_codes: ['GROUP_BLOCKED_BEDELSIZ'],
    })
  })

  it('is null with a warning when there is no price', async () => {
    const group = await makeNetted([
      { role: 'production', values: ['10.000'] },
      { role: 'consumption', aboneGrubu: 'aydinlatma', values: ['1.000'] },
    ])
    await block(group)
    await calculate(group, 0, 1)
    const before = (await dashboard(group)).body
    expect(before).toMatchObject({
      bedelsiz_kwh: '10.000',
      bedelsiz_risk_try: null,
      bedelsiz_risk_tariff_price_id: null,
      warning_codes: ['GROUP_BLOCKED_BEDELSIZ', 'TARIFF_NONE_RESOLVED'],
    })
    await makePriceSet(api.deps, '2026-11-01', [
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'aydinlatma', price: '2.000000' },
    ])
    const after = (await dashboard(group)).body
    expect(after).toMatchObject({
      bedelsiz_risk_try: '20.000000',
      warning_codes: ['GROUP_BLOCKED_BEDELSIZ', 'TARIFF_LOWEST_RELATED_FALLBACK'],
    })
    expect(after.warnings).toHaveLength(2)
  })
})

describe('dashboard of a month without data', () => {
  it('returns null figures, the limit of the year and the quality of today', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', limits: { 2026: '70.500', 2027: '1.000' } }],
    })
    const { body } = await dashboard(group)
    expect(body).toMatchObject({
      has_data: false,
      ...NO_KWH,
      last_run: null,
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
    expect(body.bedelli_limit_kalan_kwh).toBe('70.500')
    expect((await dashboard(group, '?period=2027-03')).body.bedelli_limit_kalan_kwh).toBe('1.000')
    expect((await dashboard(group, '?period=2025-03')).body.bedelli_limit_kalan_kwh).toBeNull()
  })

  it('shows the remaining limit as of now, not of the end of the period', async () => {
    const group = await makeNetted([
      { role: 'production', values: ['5.000'] },
      { role: 'consumption', values: ['2.000'], limits: { 2026: '100.000' } },
    ])
    await calculate(group, 0, 1)
    const { body } = await dashboard(group, '?period=2026-02-28')
    expect(body).toMatchObject({ period: '2026-02-01', has_data: false, bedelli_limit_kalan_kwh: '95.000' })
  })

  it('includes the accounts of consumption facilities that are members in the period or today', async () => {
    const roles: [MemberRole, string, string | null][] = [
      ['production', '2020-01-01', null],
      ['mixed', '2020-01-01', null],
      ['consumption', '2020-01-01', '2026-11-01'],
      ['consumption', '2026-11-30', null],
      ['consumption', '2026-12-01', null],
    ]
    const group = await makeGroup(api.deps, tenant, { members: [] })
    for (const [index, [role, validFrom, validTo]] of roles.entries()) {
      const { id } = await makeFacility(api.deps, tenant)
      await makeAccount(api.deps, tenant, { facilityId: id, year: 2026, initial: `${10 ** index}.000` })
      await addMember(api.deps, tenant, { groupId: group.id, facilityId: id, role, validFrom, validTo })
    }
    expect((await dashboard(group)).body.bedelli_limit_kalan_kwh).toBe('1010.000')
    expect((await dashboard(group, '?period=2026-10')).body.bedelli_limit_kalan_kwh).toBe('110.000')
    expect((await dashboard(group, '?period=2026-12')).body.bedelli_limit_kalan_kwh).toBe('11010.000')
  })
})

describe('data quality on the dashboard', () => {
  it('is the mean over facilities of their means of today in Turkey-local time', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption' }, { role: 'consumption' }],
    })
    const [first, second] = group.facilities.map((facility) => facility.id) as [string, string, string]
    const production = { facilityId: first, role: 'main_production', production: '1.000' } as const
    const consumption = { facilityId: second, role: 'main_consumption', consumption: '1.000' } as const
    await addFacts(api.deps, tenant, [
      { ...production, hour: '2026-11-20T00:00:00+03:00', completenessPct: 100 },
      { ...production, hour: '2026-11-20T01:00:00+03:00', completenessPct: 0, quality: 'missing' },
      { ...production, hour: '2026-11-20T02:00:00+03:00', completenessPct: 50 },
      { ...consumption, hour: '2026-11-20T11:00:00+03:00', completenessPct: 75.25 },
      { ...consumption, hour: '2026-11-19T23:00:00+03:00', completenessPct: 1 },
    ])
    expect((await dashboard(group)).body.veri_kalitesi_pct).toBe(62.63)
    expect((await dashboard(group, '?period=2025-01')).body.veri_kalitesi_pct).toBe(62.63)
  })

  it('is that of the members of today', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production', validTo: '2026-11-20' },
        { role: 'consumption', validFrom: '2026-11-20', validTo: '2026-11-21' },
        { role: 'consumption', validFrom: '2026-11-21' },
      ],
    })
    const hour = '2026-11-20T01:00:00+03:00'
    await addFacts(
      api.deps,
      tenant,
      group.facilities.map(({ id }, index) => ({
        ...({ facilityId: id, hour, role: 'main_consumption', consumption: '1.000' } as const),
        completenessPct: [10, 40, 90][index] ?? 0,
      })),
    )
    expect((await dashboard(group)).body.veri_kalitesi_pct).toBe(40)
  })
})

describe('dashboard of a residential group', () => {
  it('shows its hours and the month that the amounts belong to', async () => {
    await makePriceSet(api.deps, '2026-11-01', [
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', price: '2.000000' },
    ])
    const group = await makeNetted([
      { role: 'production', values: ['10.000', '0.000'] },
      { role: 'consumption', aboneGrubu: 'mesken', values: ['1.000', '6.000'] },
    ])
    await calculate(group, 0, 2)
    const { body } = await dashboard(group)
    expect(body).toMatchObject({
      mahsuplasan_tuketim_kwh: '1.000',
      bedelli_fazla_kwh: '9.000',
      mahsuplasan_tuketim_try: '14.000000',
      bedelli_fazla_gelir_try: '6.000000',
      bedelsiz_risk_try: '0.000000',
      mesken_informational: true,
      mesken_month: {
        matched_kwh: '7.000',
        net_import_kwh: '0.000',
        bedelli_kwh: '3.000',
        bedelsiz_kwh: '0.000',
        bedelsiz_risk_try: null,
      },
    })
  })
})

describe('period of the dashboard', () => {
  it('is the current Turkey-local month when empty, otherwise truncated to its month', async () => {
    const group = await makeGroup(api.deps, tenant, { members: [] })
    const period = async (query: string) => (await dashboard(group, query)).body.period
    expect(await period('')).toBe('2026-11-01')
    expect(await period('?period=')).toBe('2026-11-01')
    expect(await period('?period=2026-02')).toBe('2026-02-01')
    expect(await period('?period=2026-02-17')).toBe('2026-02-01')
    expect(await period('?period=2026-02-28T21:00:00Z')).toBe('2026-03-01')
    expect(await period('?period=2000-01-01')).toBe('2000-01-01')
    expect(await period('?period=2100-12-31')).toBe('2100-12-01')
  })

  it.each(['1999-12-31', '2101-01', '2026-13', 'november', '20'])(
    'is rejected with 422 for %s',
    async (text) => {
      const group = await makeGroup(api.deps, tenant, { members: [] })
      const response = await dashboard(group, `?period=${text}`)
      expect(response.status).toBe(422)
      expect(response.body.detail[0].loc).toEqual(['query', 'period'])
    },
  )

  it('is the month in Turkey-local time, not in UTC', async () => {
    api.clock.set('2026-11-30T21:30:00Z')
    const late = await createTenant(api)
    const group = await makeGroup(api.deps, late, { members: [] })
    const response = await dashboard(group, '', late.viewer.token)
    api.clock.set('2026-11-20T09:30:00Z')
    expect(response.body.period).toBe('2026-12-01')
  })
})

it('the dashboard of a foreign group is answered like that of an unknown one', async () => {
  const group = await makeGroup(api.deps, tenant, { members: [] })
  const foreign = await dashboard(group, '', foreignTenant.viewer.token)
  const unknown = await dashboard({ id: '00000000-0000-4000-8000-000000000000' })
  expect(foreign.status).toBe(404)
  expect(foreign.text).toBe(unknown.text)
  expect(foreign.body.detail.error_code).toBe('RESOURCE_NOT_FOUND')
})

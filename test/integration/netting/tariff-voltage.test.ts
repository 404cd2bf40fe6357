import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility, type TestGroup } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const SETS = '/api/v1/admin/regulated-tariffs/price-sets'
const PRICES = [
  'mahsuplasma_related_tariff',
  'mahsuplasma_lowest_related_tariff',
  'customer_bill_active_energy',
] as const
type Voltage = 'AG' | 'OG' | 'YG' | null
type Row = Record<string, string>

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

async function call(method: string, path: string, body?: unknown) {
  const isAdmin = path.startsWith('/api/v1/admin')
  const { token } = isAdmin ? tenant.superuser : tenant.admin
  const response = await api.call(method, path, { token, body })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

/** Creates and approves a set of November with prices of one voltage level. */
async function approve(level: Voltage, price: number): Promise<string> {
  const set = await call('POST', SETS, { billing_period: '2026-11' })
  for (const price_purpose of PRICES)
    await call('POST', `${SETS}/${set.id}/prices`, {
      valid_from: '2026-11-01',
      billing_period: '2026-11',
      abone_grubu: 'sanayi',
      gerilim_seviyesi: level,
      time_segment: 'tek',
      price_purpose,
      price,
    })
  await call('POST', `${SETS}/${set.id}/approve`)
  return set.id
}

const HOUR = '2026-11-02T09:00:00.000Z'
const from = Date.parse(HOUR)
const WINDOW = { from_hour: HOUR, to_hour: '2026-11-02T10:00:00.000Z' }

/** Twenty kWh of production, and two consumers with five each. */
async function makeSite(): Promise<{ group: TestGroup; consumers: [TestFacility, TestFacility] }> {
  const limits = { 2026: '1000.000' }
  const group = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits }, { role: 'consumption', limits }],
  })
  const [producer, one, two] = group.facilities as [TestFacility, TestFacility, TestFacility]
  const range = { from, to: from + 3_600_000 }
  await addFacts(api.deps, tenant, [
    ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({
      production: '20.000',
    })),
    ...[one, two].flatMap(({ id }) =>
      hourlyFacts(range, { facilityId: id, role: 'main_consumption' }, () => ({ consumption: '5.000' })),
    ),
  ])
  return { group, consumers: [one, two] }
}

const setVoltage = ({ id }: TestFacility, voltage_level: Voltage) =>
  call('PATCH', `/api/mahsuplasma/facilities/${id}`, { voltage_level })
const calculate = ({ id }: TestGroup) => call('POST', `/api/mahsuplasma/groups/${id}/calculate`, WINDOW)
async function unitPrices({ id }: TestGroup): Promise<string[]> {
  const rows: Row[] = await call('GET', `/api/mahsuplasma/groups/${id}/amounts`)
  return rows.map((row) => `${row['amount_type']} ${row['unit_price_try_per_kwh']}`).sort()
}

describe('the voltage level of a facility', () => {
  it('selects its prices, and its change recalculates the hour', async () => {
    const { group, consumers } = await makeSite()
    const low = await approve('AG', 2.985253)
    const first = await calculate(group)
    expect(first.warning_codes).not.toContain('FACILITY_VOLTAGE_UNKNOWN')
    const medium = await approve('OG', 2.909687)
    const sets = await call('GET', `${SETS}?approval_status=approved`)
    expect(sets.map(({ id }: { id: string }) => id).sort()).toEqual([low, medium].sort())

    await setVoltage(consumers[0], 'AG')
    const unknown = await calculate(group)
    expect(unknown.warning_codes).toContain('FACILITY_VOLTAGE_UNKNOWN')
    expect(unknown.warnings.join()).toContain(consumers[1].name)
    expect(await unitPrices(group)).toEqual([
      'estimated_savings 2.985253',
      'estimated_savings 2.985253',
      'producer_payment_for_bedelli_surplus 2.985253',
      'supplier_payment_for_matched_consumption 2.985253',
      'supplier_payment_for_matched_consumption 2.985253',
    ])

    await setVoltage(consumers[1], 'OG')
    const known = await calculate(group)
    expect(known.noop_periods).toEqual([])
    expect(known.warning_codes).toEqual([])
    expect(await unitPrices(group)).toEqual([
      'estimated_savings 2.909687',
      'estimated_savings 2.985253',
      'producer_payment_for_bedelli_surplus 2.909687',
      'supplier_payment_for_matched_consumption 2.909687',
      'supplier_payment_for_matched_consumption 2.985253',
    ])
    expect((await calculate(group)).noop_periods).toEqual(['2026-11-01'])

    const compared = await call(
      'GET',
      `/api/mahsuplasma/groups/${group.id}/comparison?billing_period=2026-11`,
    )
    // 5 x 2.985253 + 5 x 2.909687
    const savings = compared.amounts.find((row: Row) => row['amount_type'] === 'estimated_savings')
    expect(savings).toMatchObject({ hourly_try: '29.474700' })
  })

  it('without a price of its own gets the low-voltage price with a warning in the language of the reader', async () => {
    const { group, consumers } = await makeSite()
    await setVoltage(consumers[0], 'AG')
    await setVoltage(consumers[1], 'YG')
    const response = await calculate(group)
    expect(response.warning_codes).toEqual(['TARIFF_VOLTAGE_FALLBACK_AG'])
    expect(response.warnings[0]).toContain(`no YG price for ${consumers[1].name}`)
    expect(response.warning_details[0]).toMatchObject({ parameters: { voltage_level: 'YG' } })
  })
})

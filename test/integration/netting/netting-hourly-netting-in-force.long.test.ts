import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, read, type Site } from '../../support/netting/calculation.ts'
import { addHours, correct, makeMonthlyGroup } from '../../support/netting/corrections.ts'
import { makePriceSet } from '../../support/netting/prices.ts'

let site: Site

beforeAll(async () => {
  site = await openSite()
  await makePriceSet(site.api.deps, '2025-01-01', [
    { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', price: '1.895808' },
  ])
})
afterAll(() => site.api.close())

/** Corrects a month of one hour with 5 kWh of production and 2 of consumption, and compares it. */
async function calculateMonth(period: string, aboneGrubu?: 'mesken') {
  const { api, tenant } = site
  const created = await makeMonthlyGroup(api.deps, tenant, { 2026: '100.000' })
  if (aboneGrubu) {
    await api.deps.database.pool.query('update facility set abone_grubu = $1 where id = $2', [
      aboneGrubu,
      created.consumer.id,
    ])
  }
  await addHours(api.deps, tenant, created, [{ period, production: '5.000', consumption: '2.000' }])
  const { body } = await correct(api, tenant, created.group, { billing_period: period })
  const comparison = await read(created.group, `comparison?billing_period=${period}`)
  const dashboard = await read(created.group, `dashboard-summary?period=${period}`)
  const overview = await api.call('GET', `/api/mahsuplasma/groups/overview?billing_period=${period}`, {
    token: tenant.viewer.token,
  })
  const month = overview.body.find((row: { group_id: string }) => row.group_id === created.group.id)
  return {
    scenario: body.runs[0].scenario,
    codes: body.warning_codes,
    comparison: comparison.body,
    shown: [dashboard.body.warning_codes, month.warning_codes],
  }
}

describe('a period before hourly netting came into force', () => {
  it('is calculated by the hour with a warning, and the comparison marks the monthly figures', async () => {
    const { scenario, codes, comparison, shown } = await calculateMonth('2026-04-01')
    expect(shown).toEqual([['HOURLY_NETTING_NOT_IN_FORCE'], ['HOURLY_NETTING_NOT_IN_FORCE']])
    expect(scenario).toBe('standard_hourly')
    expect(codes).toContain('HOURLY_NETTING_NOT_IN_FORCE')
    expect(comparison).toMatchObject({ netted_by: 'hour', side_in_force: 'month', agrees_with_results: true })
    expect(comparison.warning_codes).toContain('HOURLY_NETTING_NOT_IN_FORCE')
    expect(comparison.note_details).toContainEqual({
      message_code: 'COMPARISON_MONTHLY_IN_FORCE',
      parameters: { since: '2026-05-01' },
    })
  })

  it('has no warning for homes, which are netted by the month', async () => {
    const { scenario, codes, comparison, shown } = await calculateMonth('2026-04-01', 'mesken')
    expect(shown).toEqual([[], []])
    expect(scenario).toBe('mesken_monthly')
    expect(codes).not.toContain('HOURLY_NETTING_NOT_IN_FORCE')
    expect(comparison).toMatchObject({ netted_by: 'month', side_in_force: 'month' })
  })
})

describe('a period from 1 May 2026 on', () => {
  it('has no warning, and the hourly figures are those in force', async () => {
    const { codes, comparison, shown } = await calculateMonth('2026-05-01')
    expect(shown).toEqual([[], []])
    expect(codes).not.toContain('HOURLY_NETTING_NOT_IN_FORCE')
    expect(comparison).toMatchObject({ netted_by: 'hour', side_in_force: 'hour' })
    expect(comparison.warning_codes).not.toContain('HOURLY_NETTING_NOT_IN_FORCE')
  })
})

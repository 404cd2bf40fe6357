import { describe, expect, it } from 'vitest'
import { call, create, createSubregion, uniqueName } from './client.ts'

describe('netting', () => {
  it('registers facilities and a group, and evaluates its eligibility', async () => {
    const facility = await create('admin', '/api/mahsuplasma/facilities', {
      subregion_id: await createSubregion(),
      name: uniqueName('facility'),
      abone_grubu: 'sanayi',
      source_type: 'solar',
      installed_power_kw: '250',
    })
    expect(facility).toMatchObject({ abone_grubu: 'sanayi' })
    const group = await create('admin', '/api/mahsuplasma/groups', { name: uniqueName('group') })
    const member = await call('admin', 'POST', `/api/mahsuplasma/groups/${group.id}/members`, {
      facility_id: facility.id,
      member_role: 'production',
      valid_from: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 8).concat('01'),
    })
    expect(member.status, member.text).toBe(201)
    const evaluated = await call('admin', 'POST', `/api/mahsuplasma/groups/${group.id}/evaluate`, {})
    expect(evaluated.status).toBe(201)
    const eligibility = await call('viewer', 'GET', `/api/mahsuplasma/groups/${group.id}/eligibility`)
    expect(eligibility.status).toBe(200)
  })

  it('creates a limit account once and books adjustments in its ledger', async () => {
    const facility = await create('admin', '/api/mahsuplasma/facilities', {
      subregion_id: await createSubregion(),
      name: uniqueName('facility'),
    })
    const account = await create('admin', '/api/mahsuplasma/limits/accounts', {
      facility_id: facility.id,
      year: new Date().getUTCFullYear(),
      initial_limit_kwh: '1000.000',
      limit_source: 'previous_year_consumption',
    })
    const adjusted = await call('admin', 'POST', `/api/mahsuplasma/limits/accounts/${account.id}/adjust`, {
      amount_kwh: '250.5',
      reason: 'acceptance test',
    })
    expect(adjusted.status).toBe(201)
    const movements = await call('viewer', 'GET', `/api/mahsuplasma/limits/accounts/${account.id}/movements`)
    const amounts = movements.body.map(({ amount_kwh }: { amount_kwh: string }) => Number(amount_kwh))
    expect(amounts.reduce((sum: number, amount: number) => sum + amount, 0)).toBe(250.5)
  })

  it('limits regulated tariffs to superusers', async () => {
    const { status } = await call('superuser', 'GET', '/api/v1/admin/regulated-tariffs/price-sets')
    expect(status).toBe(200)
    expect((await call('admin', 'POST', '/api/v1/admin/regulated-tariffs/price-sets', {})).status).toBe(403)
  })
})

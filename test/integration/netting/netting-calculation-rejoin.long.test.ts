import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { calculate, MONTH, movements, openSite, read, remaining } from '../../support/netting/calculation.ts'
import { correct } from '../../support/netting/corrections.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { addMember, makeFacility, makeGroup } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

const HOURS = 72
/** A consumer with 600 kWh: the first and third day in one group, the second in another; 10 to 1 kWh in every hour. */
async function makeReturn() {
  const consumer = await makeFacility(api.deps, tenant, {
    meters: ['main_consumption'],
    limits: { 2026: '600.000' },
  })
  const home = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }] })
  const away = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }] })
  const addStay = (groupId: string, validFrom: string, validTo: string | null) =>
    addMember(api.deps, tenant, { groupId, facilityId: consumer.id, role: 'consumption', validFrom, validTo })
  await addStay(home.id, '2026-11-01', '2026-11-02')
  await addStay(away.id, '2026-11-02', '2026-11-03')
  await addStay(home.id, '2026-11-03', null)
  const range = { from: MONTH, to: MONTH + HOURS * HOUR_MS }
  const producers = [home, away].map((group) => group.facilities[0]?.id ?? '')
  await addFacts(api.deps, tenant, [
    ...producers.flatMap((facilityId) =>
      hourlyFacts(range, { facilityId, role: 'main_production' }, () => ({ production: '10.000' })),
    ),
    ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
      consumption: '1.000',
    })),
  ])
  return { home, away, account: consumer.accounts[2026] }
}

const limitAt = async (group: { id: string }, hour: number) =>
  (await read(group, `hourly?limit=1&offset=${hour}`)).body[0].limit_before_kwh

describe('a facility that leaves a group and returns within one window', () => {
  it('has the limit less the usage in the other group, in either order of the calculations', async () => {
    for (const order of ['home first', 'away first']) {
      const { home, away, account } = await makeReturn()
      const groups = order === 'home first' ? [home, away] : [away, home]
      for (let round = 0; round < 3; round++) {
        for (const group of groups) await calculate(group, 0, HOURS)
      }
      for (const group of groups) {
        expect((await calculate(group, 0, HOURS)).body.noop_periods).toEqual(['2026-11-01'])
      }
      expect(await limitAt(home, 0)).toBe('600.000')
      expect(await limitAt(away, 24)).toBe('360.000')
      expect(await limitAt(home, 48)).toBe('120.000')
      expect(await remaining(account)).toBe('0.000')
    }
  })

  it('gets the same results as with separate calculations of its stays', async () => {
    const { home, away, account } = await makeReturn()
    await calculate(home, 0, 24)
    await calculate(away, 24, 48)
    await calculate(home, 48, HOURS)
    const apart = [await limitAt(home, 24), await remaining(account)]
    const whole = await makeReturn()
    await calculate(whole.home, 0, 24)
    await calculate(whole.away, 0, HOURS)
    await calculate(whole.home, 0, HOURS)
    expect([await limitAt(whole.home, 48), await remaining(whole.account)]).toEqual(apart)
    expect(apart).toEqual(['120.000', '0.000'])
  })

  it('gets the same results from a correction', async () => {
    const { home, away, account } = await makeReturn()
    await calculate(home, 0, HOURS)
    expect(await remaining(account)).toBe('120.000')
    await calculate(away, 0, HOURS)
    expect(await remaining(account)).toBe('-120.000')
    await correct(api, tenant, home, { billing_period: '2026-11-01', reason: 'the balance has moved' })
    expect(await limitAt(home, 48)).toBe('120.000')
    expect(await remaining(account)).toBe('0.000')
    expect((await movements(account)).at(-1)).toBe('correction_reapply -360.000')
  })
})

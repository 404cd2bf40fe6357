import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMonths, HOUR_MS, periodStart } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { openSite } from '../../support/netting/calculation.ts'
import { calculateMonths, correct, findFaults, readState } from '../../support/netting/corrections.ts'
import { addFacts, type FactSpec } from '../../support/netting/energy.ts'
import { addMember, makeFacility, makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

/** A year and the month after it. */
const PERIODS = Array.from({ length: 13 }, (_, index) => addMonths('2025-01-01', index))
const HOURS = [0, 1, 2, 23, 24, 25, 30]
const MOVE = '2025-07-02'

type Site = Awaited<ReturnType<typeof makeSite>>

/**
 * Two groups. A consumer moves from the first to the second on 2 July; a mill belongs to the second
 * throughout.
 */
async function makeSite() {
  const limits = { 2025: '300.000', 2026: '40.000' }
  const movingConsumer = await makeFacility(api.deps, tenant, { meters: ['main_consumption'], limits })
  const first = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production' },
      { role: 'consumption', facility: movingConsumer, validTo: MOVE },
      { role: 'mixed', limits: { 2025: '180.500' } },
    ],
  })
  const second = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits: { 2025: '90.000', 2026: '9.999' } }],
  })
  await addMember(api.deps, tenant, {
    groupId: second.id,
    facilityId: movingConsumer.id,
    role: 'consumption',
    validFrom: MOVE,
  })
  const [sun, , both] = first.facilities as [TestFacility, TestFacility, TestFacility]
  const [wind, mill] = second.facilities as [TestFacility, TestFacility]
  return { groupIds: [first.id, second.id], facilities: { mover: movingConsumer, sun, both, wind, mill } }
}

/** Varied amounts in kWh with three decimals. */
const value = (...seeds: number[]): string =>
  (seeds.reduce((created, seed) => (created * 7919 + seed * 104_729 + 17) % 24_000, 1) / 1000).toFixed(3)

/**
 * With `isFinal`, the final readings. Otherwise January and April have other values and some hours of
 * February are missing.
 */
function factsOf(
  { facilities: { mover: movingConsumer, sun, both, wind, mill } }: Site,
  isFinal: boolean,
): FactSpec[] {
  return PERIODS.flatMap((period, month) =>
    HOURS.flatMap((offset) => {
      if (!isFinal && month === 1 && offset > 20) return []
      const deviation = !isFinal && (month === 0 || month === 3) ? 5 : 0
      const hour = periodStart(period) + offset * HOUR_MS
      const of = (facility: TestFacility, index: number) => ({
        facilityId: facility.id,
        hour,
        amount: value(month, offset, index, deviation),
      })
      const [a, b, c, d, e] = [of(sun, 1), of(wind, 2), of(movingConsumer, 3), of(mill, 4), of(both, 5)]
      return [
        { ...a, role: 'main_production' as const, production: a.amount },
        { ...b, role: 'main_production' as const, production: b.amount },
        { ...c, role: 'main_consumption' as const, consumption: c.amount },
        { ...d, role: 'main_consumption' as const, consumption: d.amount },
        { ...e, role: 'main_production' as const, production: e.amount },
        { ...e, role: 'pcc_import_export' as const, import: value(month, offset, 6), export: '0.500' },
      ]
    }),
  )
}

async function calculateYear({ groupIds }: Site): Promise<void> {
  for (const [month, period] of PERIODS.entries()) {
    // A correction computes its own period whole.
    const hours = month === 0 ? 31 * 24 : 48
    for (const groupId of groupIds) {
      await calculateMonths(api.deps, tenant, { groupId, periods: [period], hours })
    }
  }
}

const stateOf = ({ groupIds, facilities }: Site): Promise<string[]> =>
  readState(
    api.deps,
    groupIds,
    Object.fromEntries(Object.entries(facilities).map(([name, { id }]) => [id, name])),
  )

it('a year corrected from January on equals the same year calculated once', async () => {
  const once = await makeSite()
  await addFacts(api.deps, tenant, factsOf(once, true))
  await calculateYear(once)

  const twice = await makeSite()
  await addFacts(api.deps, tenant, factsOf(twice, false))
  await calculateYear(twice)
  expect(await stateOf(twice)).not.toEqual(await stateOf(once))
  await addFacts(api.deps, tenant, factsOf(twice, true))
  for (const id of twice.groupIds) {
    const { body } = await correct(api, tenant, { id }, { billing_period: '2025-01-01' })
    expect(body).toMatchObject({ cascade_incomplete: false, periods_corrected: PERIODS })
  }
  const state = await stateOf(twice)
  expect(state.length).toBeGreaterThan(2 * 13 * 48)
  expect(state).toEqual(await stateOf(once))
  expect(await findFaults(api.deps)).toEqual([])
})

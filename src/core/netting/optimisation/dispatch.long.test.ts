import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { prices } from '../../../../test/support/netting/netting-groups.ts'
import { makeAssignment, makeFacts, makeMember } from '../../../../test/support/netting/netting-input.ts'
import { loadTestSolver, solverWithin } from '../../../../test/support/netting/solver.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { HOUR_MS, periodStart } from '../../../kernel/time.ts'
import { figuresOfBase, figuresOfChanges, prepareSizing } from '../scenario/sizing.ts'
import type { Change, ScenarioBase } from '../scenario/types.ts'
import type { PeriodInput } from '../types.ts'
import { optimiseDispatch } from './dispatch.ts'
import type { Solve } from './linear-model.ts'
import { factorsOfDispatch } from './model-size.ts'

const MONTH = '2026-06-01'
const START = periodStart(MONTH)
const HOURS = 24

let solve: Solve
beforeAll(async () => {
  const size = { hours: HOURS, batteries: 1, members: 3, billKinds: 2 }
  solve = solverWithin(await loadTestSolver(), factorsOfDispatch(size))
})

interface Day {
  readonly production: readonly bigint[]
  readonly works: readonly bigint[]
  readonly shop: readonly bigint[]
  readonly isMultiTime: boolean
  readonly openings: readonly (bigint | null)[]
}

/** A plant and two consumers of one group; the day is the first of the month. */
function baseOf({ production, works, shop, isMultiTime, openings }: Day): ScenarioBase {
  const ids = ['works', 'shop']
  const input: PeriodInput = {
    ...{
      groupId: 'g',
      groupName: 'g',
      billingPeriod: MONTH,
      window: { from: START, to: START + HOURS * HOUR_MS },
    },
    eligibilityStatus: 'valid',
    members: [
      makeMember('plant', { role: 'production' }),
      makeMember('works', { role: 'consumption', isMultiTime }),
      makeMember('shop', { role: 'consumption' }),
    ],
    assignments: [
      makeAssignment('plant', 'main_production'),
      ...ids.map((id) => makeAssignment(id, 'main_consumption')),
    ],
    facts: Array.from({ length: HOURS }, (_, index) => {
      const hour = START + index * HOUR_MS
      const at = (list: readonly bigint[]) => wh(list[index] ?? 0n)
      return [
        ...makeFacts('plant', hour, { production: at(production) }),
        ...makeFacts('works', hour, { consumption: at(works) }),
        ...makeFacts('shop', hour, { consumption: at(shop) }),
      ]
    }).flat(),
    accounts: ids.flatMap((id, index) => {
      const opening = openings[index] ?? null
      return opening === null
        ? []
        : [{ accountId: `account ${id}`, facilityId: id, year: 2026, openingBalanceKwh: wh(opening) }]
    }),
    prices,
    stepStates: [],
  }
  return { from: MONTH, to: MONTH, inputs: [input], others: [], solarShape: [], marketPrices: new Map() }
}

const battery = {
  ...{ facilityId: 'works', capacityKwh: wh(4_000n), powerKwh: wh(2_000n), efficiency: 900_000n },
  ...{ initialKwh: wh(0n), finalKwh: wh(0n) },
}
const request = {
  groupId: 'g',
  from: '2026-06-01',
  to: '2026-06-02',
  batteries: [battery],
  replacesMeasured: false,
}

const balanceOf = (base: ReturnType<typeof prepareSizing>, scheduleKwh: readonly Kwh[]): bigint => {
  const { finalKwh: _, initialKwh: _initial, ...own } = battery
  const change: Change = {
    ...{ type: 'add_battery', ...own, from: request.from, to: request.to, rule: 'schedule', scheduleKwh },
    ...{ balanceOf: 'facility', chargeHours: [], dischargeHours: [] },
  }
  const { balanceTry } = figuresOfChanges(base, [change]).figures
  if (balanceTry === null) throw new Error('a price is missing')
  return balanceTry
}

/** Every schedule whose first hours charge or discharge in steps of 1 kWh. */
function* schedules(hours: number): Generator<Kwh[]> {
  const steps = [-2_000n, -1_000n, 0n, 900n, 1_800n]
  for (let code = 0; code < steps.length ** hours; code += 1) {
    const own = Array.from({ length: HOURS }, () => wh(0n))
    for (let [hour, rest] = [0, code]; hour < hours; hour += 1, rest = Math.floor(rest / steps.length))
      own[hour] = wh(steps[rest % steps.length] ?? 0n)
    yield own
  }
}

const energy = fc.bigInt({ min: 0n, max: 8_000n })
const hours = fc.array(energy, { minLength: 4, maxLength: 4 })

describe('the dispatch of a battery', () => {
  test('no schedule of a grid is above the bound, and none is above the proposal when the model is exact', () => {
    fc.assert(
      fc.property(hours, hours, hours, fc.boolean(), (production, works, shop, isMultiTime) => {
        const day = { production, works, shop, isMultiTime, openings: [1_000_000n, 1_000_000n] }
        const base = prepareSizing(baseOf(day))
        const { candidates, boundTry, gapTry } = optimiseDispatch(base, request, solve)
        const best = candidates[0]?.figures.balanceTry ?? 0n
        let highest = -(10n ** 18n)
        for (const schedule of schedules(4)) {
          const balance = balanceOf(base, schedule)
          if (balance > highest) highest = balance
        }
        expect(highest <= (boundTry ?? 0n), 'the bound holds').toBe(true)
        expect(best <= (boundTry ?? 0n)).toBe(true)
        // One price in each hour and a limit that is enough: only Wh are rounded, 24 hours of them.
        expect(highest - best, 'the proposal is the best').toBeLessThan(200_000n)
        expect(gapTry ?? 0n).toBeLessThan(200_000n)
      }),
      { numRuns: 3 },
    )
  })

  test('the bound holds where the limit binds and accounts are missing', () => {
    const opening = fc.option(fc.bigInt({ min: -2_000n, max: 15_000n }))
    fc.assert(
      fc.property(hours, hours, hours, fc.tuple(opening, opening), (production, works, shop, openings) => {
        const base = prepareSizing(baseOf({ production, works, shop, isMultiTime: false, openings }))
        const { boundTry, candidates } = optimiseDispatch(base, request, solve)
        for (const schedule of schedules(3)) expect(balanceOf(base, schedule) <= (boundTry ?? 0n)).toBe(true)
        expect((candidates[0]?.figures.balanceTry ?? 0n) <= (boundTry ?? 0n)).toBe(true)
      }),
      { numRuns: 6 },
    )
  })

  test('in place of a measured one is compared with what that battery did, and is not below it', () => {
    fc.assert(
      fc.property(hours, hours, hours, (production, works, shop) => {
        const day = { production, works, shop, isMultiTime: true, openings: [1_000_000n, 1_000_000n] }
        const without = baseOf(day)
        // Charged in the first hour; discharged in the second, never more than its facility consumes.
        const out = (works[1] ?? 0n) < 1_800n ? (works[1] ?? 0n) : 1_800n
        const taken = [2_000n, -out]
        const measured = prepareSizing(withMeasured(without, taken))
        const removal: Change = { type: 'remove_battery', facilityId: 'works' }
        const { balanceTry } = figuresOfChanges(measured, [removal]).figures
        expect(balanceTry).toBe(figuresOfBase(prepareSizing(without)).balanceTry)

        const proposal = optimiseDispatch(measured, { ...request, replacesMeasured: true }, solve)
        expect(proposal.base.balanceTry).toBe(figuresOfBase(measured).balanceTry)
        expect(proposal.candidates[0]?.changes[0]).toMatchObject({ type: 'remove_battery' })
        const best = proposal.candidates[0]?.figures.balanceTry ?? 0n
        // What was measured is a schedule of the model, so only Wh are rounded.
        expect((proposal.base.balanceTry ?? 0n) - best).toBeLessThan(200_000n)
        expect(best <= (proposal.boundTry ?? 0n)).toBe(true)
      }),
      { numRuns: 10 },
    )
    const base = prepareSizing(
      baseOf({ ...{ production: [], works: [], shop: [] }, isMultiTime: false, openings: [] }),
    )
    expect(() => optimiseDispatch(base, { ...request, replacesMeasured: true }, solve)).toThrow(
      'SCENARIO_NO_BATTERY',
    )
  })
})

/** The base with a measured battery at the works, which took this from its meter in the first hours. */
function withMeasured(base: ScenarioBase, taken: readonly bigint[]): ScenarioBase {
  const inputs = base.inputs.map((input) => ({
    ...input,
    facts: [
      ...input.facts.map((fact) => {
        const own = taken[(fact.hour - START) / HOUR_MS]
        return own === undefined || fact.facilityId !== 'works' || fact.consumptionKwh === null
          ? fact
          : { ...fact, consumptionKwh: wh(fact.consumptionKwh + own) }
      }),
      ...taken.flatMap((own, index) => makeFacts('works', START + index * HOUR_MS, { battery: wh(-own) })),
    ],
  }))
  return { ...base, inputs }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Group,
  group,
  inputOf,
  isResidential,
  windowOf,
} from '../../../../test/support/netting/netting-groups.ts'
import { wh } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { sumOfKnown } from '../figures.ts'
import type { PeriodInput } from '../types.ts'
import { computeBase, computeScenario } from './compute.ts'
import { balanceOf, firstOverLimitHour, type RunFigures } from './figures.ts'
import { ScenarioFault } from './messages.ts'
import { changesOfPoint, computeSizing, prepareSizing, type SizingPlan } from './sizing.ts'
import type { SizingFigures } from './sizing-run.ts'
import type { Change, ScenarioBase } from './types.ts'

const MILLION = 1_000_000n

/** The window as two runs; residential groups, which are netted by month, are one. */
function baseOf(candidate: Group): ScenarioBase {
  const window = isResidential(candidate)
    ? { from: windowOf({ ...candidate, from: 0 }).from }
    : windowOf(candidate)
  const { to } = windowOf(candidate)
  const middle = window.from + Math.ceil((to - window.from) / HOUR_MS / 2) * HOUR_MS
  const inputs: PeriodInput[] = isResidential(candidate)
    ? [inputOf(candidate.facilities, { from: window.from, to })]
    : [
        inputOf(candidate.facilities, { from: window.from, to: middle }),
        inputOf(candidate.facilities, { from: middle, to }),
      ]
  return {
    ...{ from: '2026-06-01', to: '2026-06-01', inputs, others: [] },
    solarShape: Array.from({ length: 8784 }, (_one, hour) => (hour % 24 > 6 && hour % 24 < 19 ? 3 : 0)),
    marketPrices: new Map(),
  }
}

/** The sums of the runs of a scenario, computed with all their rows. */
function sumsOf(runs: readonly RunFigures[]): SizingFigures {
  const sum = (field: keyof RunFigures['side']['energy']) =>
    sumOfKnown(runs.map((run) => run.side.energy[field]))
  const balances = runs.map(balanceOf)
  const over = runs.flatMap((run) => firstOverLimitHour(run.result.hours) ?? [])
  return {
    productionKwh: sum('productionKwh'),
    consumptionKwh: sum('consumptionKwh'),
    matchedKwh: sum('matchedKwh'),
    boughtKwh: sum('netImportKwh'),
    paidKwh: sum('bedelliKwh'),
    overLimitKwh: sum('skbKwh'),
    freeKwh: sum('bedelsizKwh'),
    limitUsedKwh: sum('limitUsedKwh') ?? wh(0n),
    balanceTry: balances.includes(null)
      ? null
      : (balances.reduce<bigint>((total, one) => total + (one ?? 0n), 0n) as SizingFigures['balanceTry']),
    firstOverLimitHour: over.length === 0 ? undefined : Math.min(...over),
  }
}

const battery = {
  ...({ type: 'add_battery', capacityKwh: wh(10_000n), powerKwh: wh(4_000n), efficiency: 900_000n } as const),
  ...({ rule: 'self_consumption', balanceOf: 'group', chargeHours: [], dischargeHours: [] } as const),
}
const sizedChange = (facilityId: string): fc.Arbitrary<Change> =>
  fc.constantFrom<Change[]>(
    { type: 'scale_plant', facilityId, factor: MILLION },
    { type: 'scale_load', facilityId, factor: MILLION },
    { type: 'add_plant', facilityId, profile: { kind: 'national_solar', powerW: 1n, yieldKwhPerKw: 1_500n } },
    { ...battery, facilityId },
  )
/** Changes beside the one with the size, also of what bills depend on. */
const otherChanges = (facilityId: string): fc.Arbitrary<Change[]> =>
  fc.constantFrom<Change[][]>(
    [],
    [{ type: 'scale_price', purpose: 'customer_bill_active_energy', factor: 2n * MILLION }],
    [{ type: 'change_facility', facilityId, terms: { aboneGrubu: 'ticarethane' } }],
    [{ type: 'change_limit', facilityId, month: '2026-06-01', amountKwh: wh(40_000n) }],
    [{ type: 'netting_interval', groupId: 'group', interval: 'hour' }],
  )

const sizing = group.chain((candidate) =>
  fc.nat(candidate.facilities.length - 1).chain((index) =>
    fc.record({
      candidate: fc.constant(candidate),
      sized: sizedChange(`f${index}`),
      others: otherChanges(`f${index}`),
      sizes: fc.array(fc.bigInt({ min: 1n, max: 5n * MILLION }), { minLength: 1, maxLength: 3 }),
    }),
  ),
)

/** A fault of a change as a value, so that both computations can be compared. */
function outcome<T>(compute: () => T): T | { readonly fault: string } {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error
    return { fault: `${error.changeIndex} ${error.field}` }
  }
}

describe('a sizing of random groups', () => {
  test('has at each size the sums of the scenario computed alone', () => {
    let compared = 0
    fc.assert(
      fc.property(sizing, ({ candidate, sized, others, sizes }) => {
        const base = baseOf(candidate)
        const plan: SizingPlan = { changes: [...others, sized], changeIndex: others.length, sizes }
        const alone = outcome(() =>
          sizes.map((size) => sumsOf(computeScenario(computeBase(base), changesOfPoint(plan, size)).runs)),
        )
        const together = outcome(() => computeSizing(prepareSizing(base), plan))
        if ('fault' in together) {
          expect(together).toEqual(alone)
          return
        }
        compared += 1
        const points = together.points.map(({ size: _size, benefitTry: _benefit, ...figures }) => figures)
        expect(points).toEqual(alone)
        expect(together.base).toEqual(sumsOf([...computeBase(base).runs.values()]))
        const binding = together.points.filter(({ overLimitKwh }) => (overLimitKwh ?? 0n) > 0n)
        expect(together.bindingSize).toBe(binding.map(({ size }) => size).sort((a, b) => (a < b ? -1 : 1))[0])
      }),
      { numRuns: 250 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  test('leaves the scenarios of one computed base independent of the ones before', () => {
    fc.assert(
      fc.property(sizing, ({ candidate, sized, others, sizes }) => {
        const base = baseOf(candidate)
        const shared = computeBase(base)
        const plan = { changes: [...others, sized], changeIndex: others.length }
        for (const size of [...sizes, ...sizes]) {
          const changes = changesOfPoint(plan, size)
          const alone = outcome(() => computeScenario(computeBase(base), changes))
          expect(outcome(() => computeScenario(shared, changes))).toEqual(alone)
        }
      }),
      { numRuns: 40 },
    )
  })
})

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeCandidate, makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import {
  makeGroupMonth,
  type OptimisedFacility,
  scenarioBase,
} from '../../../../test/support/netting/optimised-groups.ts'
import { loadTestSolver, solverWithin } from '../../../../test/support/netting/solver.ts'
import { larger, smaller, type TryPerKwh, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { figuresOfChanges, prepareSizing } from '../scenario/sizing.ts'
import type { Change } from '../scenario/types.ts'
import type { PeriodInput } from '../types.ts'
import { optimiseAssignment } from './assignment.ts'
import type { Solve } from './linear-model.ts'
import { factorsOfAssignment, factorsOfTransfers } from './model-size.ts'
import { optimisePairing } from './pairing.ts'
import { optimiseTransfers } from './transfers.ts'

let solve: Solve
beforeAll(async () => {
  solve = await loadTestSolver()
})

const HOURS = 4
const MONTHS = ['2026-06-01', '2026-07-01']
const inputOf = (groupId: string, month: string, facilities: Readonly<Record<string, OptimisedFacility>>) =>
  makeGroupMonth(groupId, month, { hours: HOURS, facilities })

const hours = fc.array(fc.bigInt({ min: 0n, max: 9_000n }), { minLength: HOURS, maxLength: HOURS })
const balanceOf = (base: ReturnType<typeof prepareSizing>, changes: readonly Change[]): bigint =>
  figuresOfChanges(base, changes).figures.balanceTry ?? 0n

describe('the assignment of facilities', () => {
  test('no assignment that the rules allow is above the bound or the proposal', () => {
    const opening = fc.bigInt({ min: 0n, max: 60_000n })
    const five = fc.array(hours, { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(five, opening, opening, fc.boolean(), (all, first, second, hasLeft) => {
        const [p1 = [], p2 = [], c1 = [], c2 = [], c3 = []] = all
        const own = {
          A: {
            p1: { role: 'production', values: p1 },
            c1: { role: 'consumption', values: c1, opening: first },
            c2: { role: 'consumption', values: c2, opening: second },
          },
          B: {
            p2: { role: 'production', values: p2 },
            c3: { role: 'consumption', values: c3, opening: 30_000n },
          },
        } as const
        const base = prepareSizing(
          scenarioBase(Object.entries(own).map(([id, members]) => inputOf(id, '2026-06-01', members))),
        )
        const ids = ['p1', 'p2', 'c1', 'c2', 'c3']
        // c3 has another supplier than group A. c2 may have left its group since: then it stays what it was.
        const candidateOf = (id: string) => {
          const role = id.startsWith('p') ? 'production' : 'consumption'
          return makeCandidate(id, role, { supplierId: id === 'c3' ? 'Y' : 'X' })
        }
        const movable = ids.filter((id) => id !== 'c2' || !hasLeft)
        const facilities = movable.map((id) => ({
          ...{ member: candidateOf(id), regionId: null, voltageLevel: null },
        }))
        const groupOf = (groupId: 'A' | 'B', responsibleSupplierId: string | null) => ({
          groupId,
          eligibility: makeGroupInput({
            members: movable.filter((id) => id in own[groupId]).map(candidateOf),
            ...{ responsibleSupplierId, facilityIdsWithAccount: ids },
          }),
        })
        const groups = [groupOf('A', 'X'), groupOf('B', null)]
        const request = { facilityIds: [], groups, facilities, sameRegion: true, sameVoltage: false }
        const proposal = optimiseAssignment(
          base,
          request,
          solverWithin(
            solve,
            factorsOfAssignment({ groups: 2, hours: HOURS, members: 5, movable: movable.length }),
          ),
        )
        const best = proposal.candidates[0]?.figures.balanceTry ?? -(10n ** 18n)
        let highest = -(10n ** 18n)
        for (let code = 0; code < 2 ** ids.length; code += 1) {
          const placed = ids.map((id, index) => [id, (code >> index) % 2 === 0 ? 'A' : 'B'] as const)
          const inB = placed.filter(([, group]) => group === 'B').map(([id]) => id)
          const inA = placed.filter(([, group]) => group === 'A').map(([id]) => id)
          const lacksPlant = (list: readonly string[]) =>
            list.some((id) => movable.includes(id)) && !list.some((id) => id.startsWith('p'))
          if (hasLeft && inB.includes('c2')) continue
          const isMixed = inB.includes('c3') && (inB.includes('c1') || inB.includes('c2'))
          if (inA.includes('c3') || isMixed || lacksPlant(inA) || lacksPlant(inB)) continue
          const start: Readonly<Record<string, string>> = { p1: 'A', c1: 'A', c2: 'A', p2: 'B', c3: 'B' }
          const changes = placed.flatMap(([facilityId, groupId]): Change[] => {
            const fromGroupId = start[facilityId] ?? ''
            return fromGroupId === groupId
              ? []
              : [{ type: 'move_facility', facilityId, fromGroupId, groupId }]
          })
          const balance = balanceOf(base, changes)
          if (balance > highest) highest = balance
        }
        expect(highest <= (proposal.boundTry ?? 0n), 'the bound holds').toBe(true)
        expect(best <= highest, 'the proposal keeps the rules').toBe(true)
        expect(best >= (proposal.base.balanceTry ?? 0n), 'the proposal is not below what happened').toBe(true)
        expect(proposal.evaluations.every(({ evaluation }) => evaluation.status !== 'blocked')).toBe(true)
      }),
      { numRuns: 6 },
    )
  })
})

describe('limit transfers', () => {
  test('no transfer of a grid is above the bound, and the proposal is never below what happened', () => {
    const opening = fc.bigInt({ min: -5_000n, max: 30_000n })
    fc.assert(
      fc.property(fc.array(hours, { minLength: 4, maxLength: 4 }), opening, opening, (all, first, second) => {
        const [p1 = [], p2 = [], c1 = [], c2 = []] = all
        const chain = (groupId: string, facilities: Readonly<Record<string, OptimisedFacility>>) => {
          // The stored opening of a month is what the month before left.
          let own = facilities
          return MONTHS.map((month) => {
            const input = inputOf(groupId, month, own)
            const run = [...prepareSizing(scenarioBase([input])).runs.values()][0]
            own = Object.fromEntries(
              Object.entries(own).map(([id, one]) => {
                const used = run?.usage.byAccount.get(`account ${id}`)?.sums.at(-1) ?? 0n
                return [id, one.opening === undefined ? one : { ...one, opening: one.opening - used }]
              }),
            )
            return input
          })
        }
        const a = chain('A', {
          p1: { role: 'production', values: p1 },
          c1: { role: 'consumption', values: c1, opening: first },
        })
        const b = chain('B', {
          p2: { role: 'production', values: p2 },
          c2: { role: 'consumption', values: c2, opening: second },
        })
        const inputs = [...a, ...b].toSorted((x, y) => (x.billingPeriod < y.billingPeriod ? -1 : 1))
        const base = prepareSizing(scenarioBase(inputs))
        const size = { groups: 2, hours: 61 * 24, members: 4, movable: 0 }
        const proposal = optimiseTransfers(base, solverWithin(solve, factorsOfTransfers(size)))
        const happened = proposal.base.balanceTry ?? 0n
        expect((proposal.candidates[0]?.figures.balanceTry ?? 0n) >= happened).toBe(true)
        for (const month of MONTHS) {
          for (const [sourceFacilityId, targetFacilityId] of [
            ['c1', 'c2'],
            ['c2', 'c1'],
          ] as const) {
            for (const kwh of [1_000n, 4_000n, 9_000n, 20_000n]) {
              const change = {
                type: 'transfer_limit',
                sourceFacilityId,
                targetFacilityId,
                month,
                amountKwh: wh(kwh),
              } as const
              try {
                expect(balanceOf(base, [change]) <= (proposal.boundTry ?? 0n), 'the bound holds').toBe(true)
              } catch (error) {
                if (!(error instanceof Error) || !error.message.includes('SCENARIO_TRANSFER_TOO_HIGH'))
                  throw error
              }
            }
          }
        }
      }),
      { numRuns: 3 },
    )
  })
})

describe('the allocation of matched energy', () => {
  test('is the best of all allocations in whole kWh, and its sums are those of the netting', () => {
    const small = fc.array(fc.bigInt({ min: 0n, max: 4n }), { minLength: HOURS, maxLength: HOURS })
    const value = fc.bigInt({ min: 0n, max: 3_000_000n })
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 4, maxLength: 4 }),
        fc.array(value, { minLength: 4, maxLength: 4 }),
        (all, worth) => {
          const kwh = (list: readonly bigint[] = []) => list.map((one) => one * 1_000n)
          const [p1, p2, c1, c2] = all
          const input = inputOf('A', '2026-06-01', {
            p1: { role: 'production', values: kwh(p1) },
            p2: { role: 'production', values: kwh(p2) },
            c1: { role: 'consumption', values: kwh(c1), opening: 900_000n },
            c2: { role: 'consumption', values: kwh(c2), opening: 900_000n },
          })
          const pairs = ['p1', 'p2'].flatMap((producerId, row) =>
            ['c1', 'c2'].map((consumerId, column) => ({
              ...{ producerId, consumerId },
              valueTryPerKwh: (worth[row * 2 + column] ?? 0n) as TryPerKwh,
            })),
          )
          const proposal = optimisePairing(scenarioBase([input]), pairs, solve)
          // Two producers and two consumers leave one number to choose in each hour: its ends are the best.
          let highest = 0n
          const base = prepareSizing(scenarioBase([input]))
          const matched = [...base.runs.values()].reduce((sum, run) => sum + (run.matchedKwh ?? 0n), 0n)
          const sum = proposal.flows.reduce((total, flow) => total + flow.matchedKwh, 0n)
          expect(sum).toBe(matched)
          expect(proposal.flows.reduce((total, flow) => total + flow.proportionalKwh, 0n)).toBe(matched)
          for (let hour = 0; hour < HOURS; hour += 1) highest += bestOfHour(input, hour, worth)
          expect(proposal.valueTry - highest).toBeLessThanOrEqual(10n)
          expect(highest - proposal.valueTry).toBeLessThanOrEqual(10n)
          expect(proposal.valueTry >= proposal.proportionalTry - 10n).toBe(true)
          expect(proposal.gapTry ?? 1n).toBeLessThan(1_000n)
        },
      ),
      { numRuns: 25 },
    )
  })
})

/** The best value of one hour, with every Wh of the one free number tried at its ends. */
function bestOfHour(input: PeriodInput, hour: number, worth: readonly bigint[]): bigint {
  const from = input.window.from + hour * HOUR_MS
  const own = { ...input, window: { from, to: from + HOUR_MS } }
  const flows = optimisePairing(scenarioBase([own]), [], solve).flows
  const of = (id: string) =>
    flows
      .filter((one) => one.producerId === id || one.consumerId === id)
      .reduce((sum, one) => sum + one.proportionalKwh, 0n)
  const [p1, p2, c1] = [of('p1'), of('p2'), of('c1')]
  const [w11 = 0n, w12 = 0n, w21 = 0n, w22 = 0n] = worth
  const value = (x: bigint) => (x * w11 + (p1 - x) * w12 + (c1 - x) * w21 + (p2 - c1 + x) * w22) / 1_000n
  const low = larger(wh(c1 - p2), ZERO_KWH)
  const high = smaller(wh(p1), wh(c1))
  return larger(wh(value(low)), wh(value(high)))
}

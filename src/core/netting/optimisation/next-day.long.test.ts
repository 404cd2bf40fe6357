import { beforeAll, describe, expect, test } from 'vitest'
import { prices } from '../../../../test/support/netting/netting-groups.ts'
import { makeAssignment, makeFacts, makeMember } from '../../../../test/support/netting/netting-input.ts'
import { loadTestSolver } from '../../../../test/support/netting/solver.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../../kernel/time.ts'
import type { ScenarioBase } from '../scenario/types.ts'
import type { PeriodInput } from '../types.ts'
import { OptimisationFault } from './messages.ts'
import { optimiseNextDay } from './next-day.ts'

let solve: Awaited<ReturnType<typeof loadTestSolver>>
beforeAll(async () => {
  solve = await loadTestSolver()
})

const MONTH = '2026-06-01'
const { from: START, to: END } = periodRange(MONTH)

/** June: sun from 8 to 16, and a works that draws the same in each hour, behind one boundary meter. */
function baseOf(hours: number): ScenarioBase {
  const input: PeriodInput = {
    ...{
      groupId: 'g',
      groupName: 'g',
      billingPeriod: MONTH,
      window: { from: START, to: START + hours * HOUR_MS },
    },
    eligibilityStatus: 'valid',
    members: [makeMember('works', { role: 'mixed' })],
    assignments: [makeAssignment('works', 'main_production'), makeAssignment('works', 'pcc_import_export')],
    facts: Array.from({ length: hours }, (_, index) => {
      const produced = index % 24 >= 8 && index % 24 < 16 ? 10_000n : 0n
      const net = 4_000n - produced
      const values = { import: wh(net > 0n ? net : 0n), export: wh(net < 0n ? -net : 0n) }
      return makeFacts('works', START + index * HOUR_MS, { production: wh(produced), ...values })
    }).flat(),
    accounts: [{ accountId: 'a', facilityId: 'works', year: 2026, openingBalanceKwh: wh(10_000_000n) }],
    prices,
    stepStates: [],
  }
  const solarShape = Array.from({ length: 8_784 }, (_, hour) => (hour % 24 >= 8 && hour % 24 < 16 ? 1 : 0))
  return { from: MONTH, to: MONTH, inputs: [input], others: [], solarShape, marketPrices: new Map() }
}

const request = {
  ...{ groupId: 'g', day: '2026-07-01', replacesMeasured: false },
  batteries: [
    {
      ...{ facilityId: 'works', capacityKwh: wh(8_000n), powerKwh: wh(2_000n), efficiency: 990_000n },
      ...{ initialKwh: wh(0n), finalKwh: wh(0n) },
    },
  ],
}

describe('the dispatch of the next day', () => {
  test('stores the surplus of the forecast day and covers its evening, within what the meters allow', () => {
    const proposal = optimiseNextDay(baseOf((END - START) / HOUR_MS), request, solve)
    const [points = []] = proposal.dispatchKwh
    expect(points.length).toBe(24)
    expect(proposal.base.productionKwh).toBe(80_000n)
    expect(proposal.base.consumptionKwh).toBe(96_000n)
    const sum = (list: readonly Kwh[]) => list.reduce((total, one) => total + one, 0n)
    // A kWh of surplus is paid less than a bought one costs, so the battery is filled once from it: 8 kWh and the loss.
    expect(sum(points.filter((one) => one > 0n))).toBeGreaterThan(7_990n)
    expect(sum(points.filter((one) => one < 0n))).toBeGreaterThan(-8_090n)
    points.forEach((one, hour) => {
      if (one < 0n) expect(hour >= 8 && hour < 16).toBe(true)
      if (one > 0n) expect(hour >= 16).toBe(true)
      expect(one <= 2_000n && one >= -2_000n).toBe(true)
    })
    expect(proposal.gapTry ?? 1n).toBeLessThan(200_000n)
    expect(proposal.outlooks.map(({ name }) => name)).toEqual(['low', 'high'])
    for (const { base, proposal: own } of proposal.outlooks)
      expect((own.balanceTry ?? 0n) >= (base.balanceTry ?? 0n)).toBe(true)
  })

  test('refuses a history that is too short, and a day that is known', () => {
    const faultOf = (hours: number, day: string) => {
      try {
        optimiseNextDay(baseOf(hours), { ...request, day }, solve)
        return 'none'
      } catch (error) {
        if (error instanceof OptimisationFault) return `${error.field} ${error.content.code}`
        throw error
      }
    }
    expect(faultOf(48, '2026-06-10')).toBe('from OPTIMISATION_NO_FORECAST')
    expect(faultOf(720, '2026-06-10')).toBe('first_day OPTIMISATION_DAY_IS_KNOWN')
  })
})

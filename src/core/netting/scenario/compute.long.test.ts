import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Group,
  group,
  inputOf,
  isResidential,
  windowOf,
} from '../../../../test/support/netting/netting-groups.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { computePeriod } from '../period.ts'
import { stepStatesBefore } from '../steps.ts'
import type { PeriodInput, PeriodResult } from '../types.ts'
import { computeBase, computeScenario, type ScenarioResult } from './compute.ts'
import type { Change, ScenarioBase } from './types.ts'

const hourlyGroup = group.filter((candidate) => !isResidential(candidate))
const MILLION = 1_000_000n

const baseOf = (inputs: readonly PeriodInput[]): ScenarioBase => ({
  from: '2026-06-01',
  to: '2026-06-01',
  inputs,
  others: [],
  solarShape: [],
  marketPrices: new Map(),
})

/** The window as two runs, the second with the balances and step states that the first leaves. */
function twoRuns(candidate: Group): PeriodInput[] {
  const window = windowOf(candidate)
  const middle = window.from + Math.ceil((window.to - window.from) / HOUR_MS / 2) * HOUR_MS
  const first = inputOf(candidate.facilities, { from: window.from, to: middle })
  const second = inputOf(candidate.facilities, { from: middle, to: window.to })
  return [first, carried(second, computePeriod(first))]
}

function carried(input: PeriodInput, before: PeriodResult): PeriodInput {
  const closing = new Map(before.usageByAccount.map((usage) => [usage.accountId, usage.closingBalanceKwh]))
  const accounts = input.accounts.map((account) => ({
    ...account,
    openingBalanceKwh: closing.get(account.accountId) ?? account.openingBalanceKwh,
  }))
  return { ...input, accounts }
}

const rowsOf = ({ hours, virtualMeters, amounts, usage, usageByAccount, summary }: PeriodResult) => ({
  hours,
  virtualMeters,
  amounts,
  usage,
  usageByAccount,
  summary,
})
const results = (scenario: ScenarioResult) => scenario.runs.map((run) => rowsOf(run.result))
const compute = (inputs: readonly PeriodInput[], changes: readonly Change[]) =>
  computeScenario(computeBase(baseOf(inputs)), changes)

describe('a scenario of random groups', () => {
  test('without changes has the results of the runs, hash included', () => {
    fc.assert(
      fc.property(hourlyGroup, (candidate) => {
        const inputs = twoRuns(candidate)
        expect(compute(inputs, []).runs.map((run) => run.result)).toEqual(inputs.map(computePeriod))
      }),
      { numRuns: 60 },
    )
  })

  test('that multiplies every plant and load by 1 has the same rows, computed from rewritten facts', () => {
    fc.assert(
      fc.property(hourlyGroup, (candidate) => {
        const inputs = twoRuns(candidate)
        const changes = candidate.facilities.flatMap((own, index): Change[] => {
          const facilityId = `f${index}`
          const isKnown = inputs.some((input) =>
            computeBase(baseOf([input]))
              .runs.get(input)
              ?.members.some((member) => member.facilityId === facilityId && member.consumedKwh !== null),
          )
          const scale = { facilityId, factor: MILLION }
          const terms = { role: own.role }
          return [
            ...(isKnown && own.role !== 'production' ? [{ ...scale, type: 'scale_load' as const }] : []),
            { type: 'change_facility', facilityId, terms },
          ]
        })
        fc.pre(changes.length > 0)
        expect(results(compute(inputs, changes))).toEqual(inputs.map((input) => rowsOf(computePeriod(input))))
      }),
      { numRuns: 60 },
    )
  })

  test('carries changed limits into later runs as a calculation of the changed inputs does', () => {
    fc.assert(
      fc.property(hourlyGroup, fc.bigInt({ min: -50_000n, max: 50_000n }), (candidate, more) => {
        const account = candidate.facilities.findIndex(
          (own) => own.role !== 'production' && own.opening !== null,
        )
        fc.pre(account >= 0)
        const facilityId = `f${account}`
        const [first, second] = twoRuns(candidate) as [PeriodInput, PeriodInput]
        const raised = raise(first, facilityId, wh(more))
        const changes = [
          { type: 'change_limit', facilityId, month: '2026-06-01', amountKwh: wh(more) } as const,
        ]
        const isActive = (input: PeriodInput) =>
          computePeriod(input).usageByAccount.length > 0 &&
          input.members.some((m) => m.facilityId === facilityId)
        fc.pre(isActive(first))
        const expected = [raised, carried(second, computePeriod(raised))].map((input) => computePeriod(input))
        const scenario = compute([first, second], changes)
        expect(scenario.runs.map((run) => [run.result.hours, run.result.amounts, run.result.usage])).toEqual(
          expected.map((result) => [result.hours, result.amounts, result.usage]),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('that doubles the consumption of a facility carries step states and limits as a calculation does', () => {
    fc.assert(
      fc.property(hourlyGroup, (candidate) => {
        const meters = ['main_consumption']
        const index = candidate.facilities.findIndex(
          (own) => own.role === 'consumption' && own.meters % 2 === 0,
        )
        fc.pre(index >= 0)
        const facilityId = `f${index}`
        const runs = twoRuns(candidate)
        const doubled = (facts: PeriodInput['facts']) =>
          facts.map((fact) =>
            fact.facilityId === facilityId && meters.includes(fact.role) && fact.consumptionKwh !== null
              ? { ...fact, consumptionKwh: wh(fact.consumptionKwh * 2n) }
              : fact,
          )
        const [first, second] = runs as [PeriodInput, PeriodInput]
        // The base begins in the middle of a month, whose earlier hours no scenario changes.
        const start = { ...first, facts: doubled(first.facts) }
        const { billingPeriod, members, assignments, window } = second
        const past = { billingPeriod, members, assignments }
        const facts = first.facts.filter(({ hour }) => hour >= first.window.from)
        const before = stepStatesBefore({ ...past, facts, until: window.from })
        const after = stepStatesBefore({ ...past, facts: doubled(facts), until: window.from })
        const more = (id: string): bigint =>
          (after.find((one) => one.facilityId === id)?.consumptionKwh ?? 0n) -
          (before.find((one) => one.facilityId === id)?.consumptionKwh ?? 0n)
        const next = carried({ ...second, facts: doubled(second.facts) }, computePeriod(start))
        const stepStates = second.stepStates.map((state) => ({
          ...state,
          consumptionKwh: wh(state.consumptionKwh + more(state.facilityId)) as Kwh,
        }))
        fc.pre(first.facts.some((fact) => fact.facilityId === facilityId && fact.consumptionKwh !== null))
        const known = computeBase(baseOf(runs))
          .runs.get(first)
          ?.members.find((m) => m.facilityId === facilityId)
        fc.pre(known !== undefined && known.consumedKwh !== null)
        const scenario = compute(runs, [{ type: 'scale_load', facilityId, factor: 2n * MILLION }])
        const expected = [start, { ...next, stepStates }].map((input) => computePeriod(input))
        expect(scenario.runs.map((run) => [run.result.amounts, run.result.usage])).toEqual(
          expected.map((result) => [result.amounts, result.usage]),
        )
      }),
      { numRuns: 60 },
    )
  })
})

function raise(input: PeriodInput, facilityId: string, more: Kwh): PeriodInput {
  const accounts = input.accounts.map((account) =>
    account.facilityId === facilityId
      ? { ...account, openingBalanceKwh: wh(account.openingBalanceKwh + more) }
      : account,
  )
  return { ...input, accounts }
}

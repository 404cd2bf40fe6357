import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  group,
  inputOf,
  isResidential,
  START,
  windowOf,
} from '../../../test/support/netting/netting-groups.ts'
import { add, type Kwh, subtract, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { sumOfKnown } from './figures.ts'
import { computePeriod } from './period.ts'
import type { PeriodInput, PeriodResult } from './types.ts'

const hourlyGroup = group.filter((candidate) => !isResidential(candidate))
const sumOf = <K extends string>(rows: readonly Readonly<Record<K, Kwh | null>>[], field: K): Kwh =>
  sumOfKnown(rows.map((row) => row[field])) ?? ZERO_KWH

const check = (property: (input: PeriodInput, result: PeriodResult) => void) =>
  fc.assert(
    fc.property(hourlyGroup, (candidate) => {
      const input = inputOf(candidate.facilities, windowOf(candidate))
      property(input, computePeriod(input))
    }),
    { numRuns: 150 },
  )

describe('every calculated hour', () => {
  test('has production = matched + paid + over-limit + free, and matched <= consumption', () => {
    check((_, { hours }) => {
      for (const row of hours) {
        const { matchedKwh, productionKwh, consumptionKwh, netImportKwh } = row
        const parts = [matchedKwh, row.bedelliKwh, row.skbKwh, row.bedelsizKwh]
        expect(sumOfKnown(parts)).toBe(productionKwh)
        if (matchedKwh === null || productionKwh === null) {
          expect([...parts, row.surplusKwh, netImportKwh, productionKwh].every((part) => part === null)).toBe(
            true,
          )
          continue
        }
        expect(matchedKwh <= productionKwh && matchedKwh <= (consumptionKwh ?? 0n)).toBe(true)
        if (consumptionKwh === null) expect(netImportKwh).toBeNull()
        else expect(sumOfKnown([matchedKwh, netImportKwh])).toBe(consumptionKwh)
      }
    })
  })

  test('has virtual meter rows that sum to the hour row, without zero or duplicate rows', () => {
    check((_, { hours, virtualMeters }) => {
      const keys = virtualMeters.map((m) =>
        [m.hour, m.virtualMeterType, m.gridOperatorId, m.sourceKind, m.reasonCode].join('|'),
      )
      expect(new Set(keys).size).toBe(keys.length)
      expect(virtualMeters.every((meter) => meter.quantityKwh > 0n)).toBe(true)
      for (const row of hours) {
        const sum = (type: string) =>
          sumOf(
            virtualMeters.filter((m) => m.hour === row.hour && m.virtualMeterType === type),
            'quantityKwh',
          )
        expect([sum('bedelli'), sum('skb_odemeli'), sum('bedelsiz')]).toEqual([
          row.bedelliKwh ?? ZERO_KWH,
          row.skbKwh ?? ZERO_KWH,
          row.bedelsizKwh ?? ZERO_KWH,
        ])
      }
    })
  })

  test('has limit columns that follow its usage', () => {
    check((_, { hours, usage }) => {
      for (const row of hours) {
        const used = usage.filter((item) => item.hour === row.hour)
        const sum = add(sumOf(used, 'matchedKwh'), sumOf(used, 'paidSurplusKwh'))
        if (row.limitBeforeKwh === null) expect(sum).toBe(0n)
        else expect([row.limitUsedKwh, row.limitAfterKwh]).toEqual([sum, subtract(row.limitBeforeKwh, sum)])
      }
    })
  })
})

describe('accounts of a calculation', () => {
  test('are never debited below zero; the remaining limit is the opening balance less usage', () => {
    check(({ accounts }, { usage, usageByAccount }) => {
      const balances = new Map(accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
      for (const row of usage) {
        const used = add(row.matchedKwh, row.paidSurplusKwh)
        const after = subtract(balances.get(row.accountId) ?? ZERO_KWH, used)
        expect(after >= 0n && used > 0n).toBe(true)
        balances.set(row.accountId, after)
      }
      for (const account of usageByAccount) {
        expect(account.closingBalanceKwh).toBe(balances.get(account.accountId))
      }
    })
  })

  test('never pay more surplus than the hour drew from them', () => {
    check((_, { hours, usage }) => {
      expect(sumOf(usage, 'paidSurplusKwh')).toBe(sumOf(hours, 'bedelliKwh'))
      expect(sumOf(usage, 'matchedKwh')).toBe(
        subtract(sumOf(hours, 'matchedKwh'), sumOf(hours, 'matchedOverLimitKwh')),
      )
    })
  })
})

describe('result of a calculation', () => {
  test('is independent of the order of members, assignments, facts, accounts and prices', () => {
    fc.assert(
      fc.property(group, fc.infiniteStream(fc.nat()), (candidate, order) => {
        const from = isResidential(candidate) ? START : windowOf(candidate).from
        const input = inputOf(candidate.facilities, { ...windowOf(candidate), from })
        const shuffle = <T>(list: readonly T[]): T[] =>
          list
            .map((item) => ({ item, at: order.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item)
        const shuffled = {
          ...input,
          members: shuffle(input.members),
          assignments: shuffle(input.assignments),
          facts: shuffle(input.facts),
          accounts: shuffle(input.accounts),
          prices: shuffle(input.prices),
          stepStates: shuffle(input.stepStates),
        }
        expect(computePeriod(shuffled)).toEqual(computePeriod(input))
      }),
      { numRuns: 60 },
    )
  })

  test('is the same when the window is split at any hour', () => {
    fc.assert(
      fc.property(hourlyGroup, fc.nat(), (candidate, cut) => {
        const window = windowOf(candidate)
        const middle = window.from + (1 + (cut % (candidate.length - 1))) * HOUR_MS
        const whole = computePeriod(inputOf(candidate.facilities, window))
        const first = computePeriod(inputOf(candidate.facilities, { from: window.from, to: middle }))
        const left = new Map(first.usageByAccount.map((a) => [a.accountId, a.closingBalanceKwh]))
        const rest = inputOf(candidate.facilities, { from: middle, to: window.to })
        const accounts = rest.accounts.map((account) => ({
          ...account,
          openingBalanceKwh: left.get(account.accountId) ?? account.openingBalanceKwh,
        }))
        const second = computePeriod({ ...rest, accounts })
        for (const rows of ['hours', 'virtualMeters', 'amounts', 'usage'] as const) {
          expect([...first[rows], ...second[rows]]).toEqual(whole[rows])
        }
      }),
      { numRuns: 150 },
    )
  })

  test('has amounts of quantity times price, or neither price nor id', () => {
    check((_, { amounts }) => {
      for (const row of amounts) {
        expect(row.quantityKwh > 0n).toBe(true)
        expect([row.unitPriceTryPerKwh === null, row.tariffPriceId === null]).toEqual([
          row.amountTry === null,
          row.amountTry === null,
        ])
      }
    })
  })

  test('pays matched energy once: supplier and SKTT rows never exceed it', () => {
    check((_, { hours, amounts }) => {
      const types = ['supplier_payment_for_matched_consumption', 'sktt_matched_consumption']
      const paid = amounts.filter((row) => types.includes(row.amountType))
      expect(sumOf(paid, 'quantityKwh') <= sumOf(hours, 'matchedKwh')).toBe(true)
    })
  })
})

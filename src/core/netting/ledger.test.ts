import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Kwh, total, wh } from '../../kernel/decimal.ts'
import {
  planTransfer,
  reapplyMovements,
  remaining,
  reversalMovements,
  UsageSums,
  usageMovements,
} from './ledger.ts'

const kwh = fc.bigInt({ min: 0n, max: 10n ** 9n }).map(wh)
const usage = fc.uniqueArray(
  fc.record({ accountId: fc.constantFrom('a', 'b', 'c', 'd'), matchedKwh: kwh, paidSurplusKwh: kwh }),
  { selector: (item) => item.accountId },
)
const amounts = (list: readonly { amountKwh: Kwh }[]): Kwh => total(list.map((item) => item.amountKwh))

describe('ledger movements of a run', () => {
  test('reverse exactly what the usage booked, and a reapply books the same again', () => {
    fc.assert(
      fc.property(usage, (list) => {
        expect(amounts(usageMovements(list)) + amounts(reversalMovements(list))).toBe(0n)
        expect(amounts(reapplyMovements(list))).toBe(amounts(usageMovements(list)))
      }),
    )
  })

  test('are in the order of the accounts, one for each type, none for zero', () => {
    const list = [
      { accountId: 'b', matchedKwh: wh(3n), paidSurplusKwh: wh(0n) },
      { accountId: 'a', matchedKwh: wh(1n), paidSurplusKwh: wh(2n) },
      { accountId: 'c', matchedKwh: wh(0n), paidSurplusKwh: wh(0n) },
    ]
    expect(usageMovements(list)).toEqual([
      { accountId: 'a', movementType: 'mahsuplasan_consumption', amountKwh: -1n },
      { accountId: 'a', movementType: 'bedelli_ihtiyac_fazlasi', amountKwh: -2n },
      { accountId: 'b', movementType: 'mahsuplasan_consumption', amountKwh: -3n },
    ])
    expect(reversalMovements(list)).toEqual([
      { accountId: 'a', movementType: 'correction_reversal', amountKwh: 3n },
      { accountId: 'b', movementType: 'correction_reversal', amountKwh: 3n },
    ])
  })
})

test('sum with the initial limit to the remaining one; a run closes with opening less usage', () => {
  const openings = new Map([
    ['a', wh(100n)],
    ['b', wh(50n)],
  ])
  const rows = [
    { accountId: 'a', hour: 1, matchedKwh: wh(60n), paidSurplusKwh: wh(40n) },
    { accountId: 'b', hour: 1, matchedKwh: wh(1n), paidSurplusKwh: wh(0n) },
    { accountId: 'b', hour: 2, matchedKwh: wh(2n), paidSurplusKwh: wh(3n) },
  ]
  const sums = new UsageSums(openings)
  sums.add(rows)
  const [a, b] = sums.list()
  expect([a?.closingBalanceKwh, b?.closingBalanceKwh, b?.matchedKwh]).toEqual([0n, 44n, 3n])
  const movements = usageMovements(b ? [b] : []).map((item) => item.amountKwh)
  expect(remaining(wh(50n), movements)).toBe(44n)
})

describe('limit transfer', () => {
  const transfer = { sourceId: 'a', targetId: 'b', amountKwh: wh(10n), sourceRemainingKwh: wh(10n) }
  test('moves exactly the amount', () => {
    expect(amounts(planTransfer(transfer))).toBe(0n)
    expect(planTransfer(transfer).map((item) => item.amountKwh)).toEqual([-10n, 10n])
  })
  test('is rejected beyond the remaining limit and onto the same account', () => {
    expect(() => planTransfer({ ...transfer, sourceRemainingKwh: wh(9n) })).toThrow(
      expect.objectContaining({ status: 422, code: 'INSUFFICIENT_LIMIT_BALANCE' }),
    )
    expect(() => planTransfer({ ...transfer, targetId: 'a' })).toThrow(
      expect.objectContaining({ status: 422, code: 'BUSINESS_RULE_VIOLATION' }),
    )
  })
})
